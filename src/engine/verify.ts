import type { FormatId } from '../contract/formats.ts'
import type { ReadSettings } from '../tables/plan.ts'
import type { Difference, TableFingerprint } from '../tables/receipt.ts'
import { compareFingerprints } from '../tables/compare.ts'
import { checkpoint } from '../lib/abort.ts'
import { Fingerprinter } from './arrow/fingerprint.ts'
import type { EngineContext } from './formats/types.ts'
import { readTable } from './read-table.ts'
import type { Stage } from './stage/stage.ts'
import type { TableTransfer } from './transfer.ts'

/**
 * Reads a written table back from its file, through the format's reader, and compares it with what was sent to it.
 * A row that can't be read back in its own types counts as missing.
 */
export async function verifyTable(
  file: File,
  format: FormatId,
  transfer: TableTransfer,
  readBack: { readonly settings: ReadSettings; readonly tables: readonly (string | null)[] },
  context: EngineContext,
  stage?: Stage,
): Promise<{ readonly found: TableFingerprint; readonly differences: readonly Difference[] }> {
  const fingerprinter = new Fingerprinter(transfer.columns)
  const columns = transfer.columns.map(({ name, type }, index) => ({ index, source: name, type }))
  const renamed = new Map<number, Difference>()
  let rows = 0
  for (const table of readBack.tables) {
    const request = { format, settings: readBack.settings, table, columns }
    const reading = stage ? stage.readTable(file, request, context) : readTable(file, request, context)
    for await (const { batch, bytes, names } of reading) {
      fingerprinter.add(batch)
      for (const [i, name] of (names ?? []).entries()) {
        const expected = transfer.columns[i].name
        if (name !== expected) renamed.set(i, { column: expected, what: 'name', expected, found: name })
      }
      rows += batch.numRows
      context.progress({ rows, bytes })
      await checkpoint(context.signal)
    }
  }
  const found = fingerprinter.finish()
  return { found, differences: [...renamed.values(), ...compareFingerprints(transfer.expected, found)] }
}
