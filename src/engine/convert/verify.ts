import type { FormatId } from '../../contract/formats.ts'
import type { Difference, TableFingerprint } from '../../tables/receipt.ts'
import { compareFingerprints } from '../../tables/compare.ts'
import { printType } from '../../tables/types.ts'
import { checkpoint } from '../../lib/abort.ts'
import { Fingerprinter, type FingerprintState } from './fingerprint/fingerprint.ts'
import type { EngineContext, WrittenTable } from '../formats/types.ts'
import { readTable } from './read-table.ts'
import type { ConversionThread } from './output-writer.ts'
import type { TableTransfer } from './transfer.ts'

/** What a table was found to hold, and in what that isn't what was sent. */
export interface Verified {
  readonly found: TableFingerprint
  /** To be merged with others'. */
  readonly state: FingerprintState
  readonly differences: readonly Difference[]
}

/**
 * Reads a written table back from its file, through the format's reader, and compares it with what was sent to it.
 * A row that can't be read back in its own types counts as missing. Where the file itself tells its columns' names and
 * types they have to be the ones that were sent: a cast on the way back would hide the difference.
 */
export async function verifyTable(
  file: File,
  format: FormatId,
  transfer: Pick<TableTransfer, 'columns' | 'expected'>,
  readBack: WrittenTable,
  context: EngineContext,
  thread?: Pick<ConversionThread, 'readTable'>,
): Promise<Verified> {
  const fingerprinter = new Fingerprinter(transfer.columns)
  const columns = transfer.columns.map(({ name, ...column }, index) => ({ ...column, index, source: name }))
  const described = new Map<string, Difference>()
  const compare = (what: 'name' | 'type', i: number, expected: string, found: string): void => {
    if (found !== expected) described.set(`${what} ${i}`, { column: columns[i].source, what, expected, found })
  }
  let rows = 0
  const { settings } = readBack
  for (const table of readBack.tables) {
    const request = { format, settings, table, columns }
    const reading = thread ? thread.readTable(file, request, context) : readTable(file, request, context)
    for await (const { batch, bytes, names, types } of reading) {
      fingerprinter.add(batch)
      for (const [i, name] of (names ?? []).entries()) compare('name', i, columns[i].source, name)
      for (const [i, type] of (types ?? []).entries()) compare('type', i, printType(columns[i].type), type)
      rows += batch.numRows
      context.progress({ rows, bytes })
      await checkpoint(context.signal)
    }
  }
  const found = fingerprinter.finish()
  const { state } = fingerprinter
  return { found, state, differences: [...described.values(), ...compareFingerprints(transfer.expected, found)] }
}
