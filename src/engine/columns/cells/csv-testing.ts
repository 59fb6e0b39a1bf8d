import type { Data } from 'apache-arrow'
import type { CsvSettings } from '../../../tables/plan.ts'
import { readCsv } from '../../formats/csv/reader.ts'
import { Tokenizer } from '../../formats/csv/tokenizer.ts'
import type { ReadColumn } from '../column-builder.ts'
import type { ReadBatch, ReadRequest } from '../../formats/types.ts'
import { inSlices } from '../../testing/slices.ts'
import { CellColumns } from './cell-columns.ts'
import { instead, nothing, takeBatch, withoutColumns, type Method, type Told } from './testing.ts'
import { QUIET } from '../../testing/quiet.ts'
import { PLAIN_CSV } from '../../../tables/settings.ts'

/* Delimited text as the kernel and as JavaScript reads it. Tests only. */

export const SETTINGS = PLAIN_CSV

/** Runs without what the kernel splits and reads: JavaScript does it alone. */
export const withoutKernel = <T>(run: () => Promise<T>): Promise<T> =>
  instead(
    Tokenizer.prototype,
    'splitPlain',
    () => () => undefined,
    () => withoutColumns(run),
  )

export const requestFor = (columns: readonly ReadColumn[], settings: CsvSettings = PLAIN_CSV): ReadRequest => ({
  settings,
  table: null,
  columns,
})

async function take(told: Told, columns: readonly ReadColumn[], reading: AsyncIterable<ReadBatch>): Promise<void> {
  try {
    for await (const { batch, rejected, names } of reading) {
      takeBatch(told.found, columns, batch)
      told.found.rejected.push(...rejected)
      if (names) told.names.push(names)
    }
  } catch (error) {
    told.failure = String(error)
    if (!told.failure.includes('column number')) throw error
  }
}

/** Slices of some bytes: a line each, so that the kernel is tried at every one where a record may begin. */
export function byLine(bytes: Uint8Array): Uint8Array[] {
  const slices: Uint8Array[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at) + 1 || bytes.length
    slices.push(bytes.subarray(at, end))
    at = end
  }
  return slices
}

/** What is read of a file in slices: by the kernel too, or by JavaScript alone. */
export async function readFile(request: ReadRequest, slices: readonly Uint8Array[], alone = false): Promise<Told> {
  const told: Told = { found: nothing(request.columns), names: [], failure: null }
  const reading = (): Promise<void> => take(told, request.columns, readCsv(inSlices(slices), request, QUIET))
  await (alone ? withoutKernel(reading) : reading())
  return told
}

/** Counts what the kernel reads while something runs: records that it splits, and values of columns. */
export async function watchKernel<T>(
  run: () => Promise<T>,
): Promise<{ readonly result: T; readonly records: number; readonly values: number }> {
  const tally = { records: 0, values: 0 }
  const splitting = (own: Method): Method =>
    function (this: Tokenizer, ...given: never[]) {
      const before = this.records
      own.apply(this, given)
      tally.records += this.records - before
    }
  const reading = (own: Method): Method =>
    function (this: CellColumns, ...given: never[]) {
      const found = own.apply(this, given) as (Data | null)[]
      for (const data of found) tally.values += data?.length ?? 0
      return found
    } as Method
  const result = await instead(Tokenizer.prototype, 'splitPlain', splitting, () =>
    instead(CellColumns.prototype, 'read', reading, run),
  )
  return { result, ...tally }
}
