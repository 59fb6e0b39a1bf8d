import type { Difference, ReadBack, TableFingerprint } from '../../tables/receipt.ts'
import { compareFingerprints } from '../../tables/compare.ts'
import { printType, type Column } from '../../tables/types.ts'
import { Fingerprinter, type FingerprintState } from './fingerprint/fingerprint.ts'
import type { FormatId } from '../../contract/formats.ts'
import type { EngineContext, WrittenTable } from '../formats/types.ts'
import { readerOf } from '../formats/registry.ts'
import { readTable } from './read-table.ts'
import type { ConversionThread, FoundRows, ReadBackRequest } from './output-writer.ts'
import { checkpoint } from '../../lib/yielding.ts'

/** What was written for a table. */
interface Written {
  readonly columns: readonly Column[]
  readonly expected: TableFingerprint
}

/** The contents of a written table, and its differences from what was sent to the writer. */
export interface Verified {
  readonly found: TableFingerprint
  /** For merging. */
  readonly state: FingerprintState
  readonly differences: readonly Difference[]
}

/**
 * Reads a written table back from its file with the format's reader, and compares it with what was sent to the writer.
 * Rows that can't be read back with their types count as missing. If the file itself has names and types, these must be
 * the ones sent, since a cast on the way back would hide a difference.
 * @param thread helps reading: half of the parts if the file has several, else everything, while this thread compares
 */
export async function verifyTable(
  file: File,
  format: FormatId,
  transfer: Written,
  readBack: WrittenTable,
  context: EngineContext,
  thread?: Pick<ConversionThread, 'readTable' | 'findRows'>,
): Promise<Verified> {
  const request = { file, format, columns: transfer.columns, readBack }
  const parts = thread ? ((await (await readerOf(format)).parts?.(file, context)) ?? []) : []
  const half = (first: number): ReadBackRequest => ({
    ...request,
    parts: new Set(parts.flatMap((_, i) => (i % 2 === first ? [i] : []))),
  })
  const shares =
    thread && parts.length > 1
      ? await inShares(
          context,
          (own) => findRows(half(0), own),
          ({ signal }) => thread.findRows(half(1), signal),
        )
      : [await findRows(request, context, thread)]
  const fingerprinter = new Fingerprinter(transfer.columns)
  for (const { state } of shares) fingerprinter.merge(state)
  const found = fingerprinter.finish()
  const { state } = fingerprinter
  const described = new Map(shares.flatMap((share) => [...share.described]))
  return { found, state, differences: [...described.values(), ...compareFingerprints(transfer.expected, found)] }
}

/** Runs both at once; if one fails, the other is stopped. */
async function inShares(
  context: EngineContext,
  ...works: readonly ((context: EngineContext) => Promise<FoundRows>)[]
): Promise<readonly FoundRows[]> {
  const failed = new AbortController()
  const signal = AbortSignal.any([context.signal, failed.signal])
  const working = works.map((work) => work({ ...context, signal }))
  try {
    return await Promise.all(working)
  } catch (error) {
    failed.abort(error)
    await Promise.allSettled(working)
    throw error
  }
}

/**
 * Reads the rows of a written table, or of some parts of its file.
 * @param thread reads while this one computes the fingerprint
 */
export async function findRows(
  { file, format, columns, readBack, parts }: ReadBackRequest,
  context: EngineContext,
  thread?: Pick<ConversionThread, 'readTable'>,
): Promise<FoundRows> {
  const fingerprinter = new Fingerprinter(columns)
  const wanted = columns.map(({ name, ...column }, index) => ({ ...column, index, source: name }))
  const described = new Map<string, Difference>()
  const compare = (what: 'name' | 'type', i: number, expected: string, found: string): void => {
    if (found !== expected) described.set(`${what} ${i}`, { column: columns[i].name, what, expected, found })
  }
  let rows = 0
  const { settings } = readBack
  for (const table of readBack.tables) {
    const request = { format, settings, table, columns: wanted, ...(parts ? { parts } : {}) }
    const reading = thread ? thread.readTable(file, request, context) : readTable(file, request, context)
    for await (const { batch, bytes, names, types } of reading) {
      fingerprinter.add(batch)
      for (const [i, name] of (names ?? []).entries()) compare('name', i, columns[i].name, name)
      for (const [i, type] of (types ?? []).entries()) compare('type', i, printType(columns[i].type), type)
      rows += batch.numRows
      context.progress({ rows, bytes })
      await checkpoint(context.signal)
    }
  }
  return { state: fingerprinter.state, described }
}

/** The settings to read a table again in the same way for a later check. */
export function readBackOf({ settings, tables }: WrittenTable, { columns }: Pick<Written, 'columns'>): ReadBack {
  const places = (isOne: (column: Column) => boolean | undefined): number[] =>
    columns.flatMap((column, i) => (isOne(column) ? [i] : []))
  const [optional, members] = [places((column) => column.optional), places((column) => column.members)]
  return {
    settings,
    tables,
    ...(optional.length > 0 ? { optional } : {}),
    ...(members.length > 0 ? { members } : {}),
  }
}
