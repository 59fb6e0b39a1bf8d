import type { RecordBatch } from 'apache-arrow'
import { vi } from 'vitest'
import type { CsvSettings } from '../../tables/plan.ts'
import { csvParts, readCsv } from '../formats/csv/read.ts'
import type { ReadBatch, ReadColumn, ReadRequest } from '../formats/types.ts'
import { quiet } from '../testing/inspection-helper.ts'
import { inSlices } from '../testing/slices.ts'
import { CsvRecords } from './csv-records.ts'
import { nothing, takeBatch, type Found } from './testing.ts'

/* Delimited text as the kernel and as JavaScript reads it. Tests only. */

export const SETTINGS: CsvSettings = {
  kind: 'csv',
  compression: null,
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  escape: '"',
  skipLines: 0,
  header: true,
  comment: null,
  nullStrings: [''],
  shortRows: 'reject',
}

/** With a limit, however large, JavaScript reads alone. */
const ALONE = 1e9

export const requestFor = (columns: readonly ReadColumn[], settings: CsvSettings = SETTINGS): ReadRequest => ({
  settings,
  table: null,
  columns,
})

/** What was read, and the names told with it, if any; or why nothing could be. */
export interface Told {
  readonly found: Found
  readonly names: (readonly string[])[]
  failure: string | null
}

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
  const asked = alone ? { ...request, limit: ALONE } : request
  await take(told, request.columns, readCsv(inSlices(slices), asked, quiet))
  return told
}

/** Reads one part after another, each but a file's first: the kernel first, or JavaScript alone. */
export function partReader(request: ReadRequest, alone = false): (bytes: Uint8Array, index?: number) => Promise<Told> {
  const read = csvParts.open(alone ? { ...request, limit: ALONE } : request, quiet)
  return async (bytes, index = 1) => {
    const told: Told = { found: nothing(request.columns), names: [], failure: null }
    await take(told, request.columns, read({ index, from: 0, bytes }))
    return told
  }
}

/** Counts what the kernel reads from now on. */
export function watchKernel(): { rows: number; calls: number } {
  const tally = { rows: 0, calls: 0 }
  const read = Reflect.get(CsvRecords.prototype, 'read') as (this: CsvRecords, text: Uint8Array) => RecordBatch
  const spy = vi.spyOn(CsvRecords.prototype, 'read').mockImplementation(function (this: CsvRecords, text) {
    const batch = read.call(this, text)
    tally.rows += this.rows
    tally.calls++
    // It would keep all batches.
    if (tally.calls % 64 === 0) spy.mockClear()
    return batch
  })
  return tally
}
