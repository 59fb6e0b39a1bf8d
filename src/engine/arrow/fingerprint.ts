import type { Column } from '../../tables/types.ts'
import { TableFingerprinter } from './fingerprint/index.ts'
import { cellToString } from './text.ts'

export type { FingerprintState } from './fingerprint/index.ts'

/** Takes the fingerprint of a table whose least and greatest values are shown in the text forms of `text.ts`. */
export class Fingerprinter extends TableFingerprinter {
  constructor(columns: readonly Column[]) {
    super(columns, cellToString)
  }
}
