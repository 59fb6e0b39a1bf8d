import type { RecordBatch } from 'apache-arrow'
import type { TableFingerprint } from '../../tables/receipt.ts'
import type { Column } from '../../tables/types.ts'
import { Fingerprinter } from '../convert/fingerprint/fingerprint.ts'

/** The fingerprint of a batch. Tests only. */
export function fingerprintOf(columns: readonly Column[], batch: RecordBatch): TableFingerprint {
  const fingerprinter = new Fingerprinter(columns)
  fingerprinter.add(batch)
  return fingerprinter.finish()
}
