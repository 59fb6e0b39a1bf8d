import type { CsvSettings, Inspection, RejectedRow } from '../../../tables/plan.ts'
import { parseType, VARCHAR, type ColumnType } from '../../../tables/types.ts'
import { cellToString } from '../../arrow/text.ts'
import type { ReadColumn } from '../../columns/column-builder.ts'
import type { ReadRequest } from '../types.ts'
import { csvReader } from './reader.ts'
import { QUIET } from '../../testing/quiet.ts'
import { planFrom } from '../../../tables/edits.ts'

/* Helpers for the tests of this folder. */

export const fileOf = (content: string | Uint8Array, name = 'test.csv'): File =>
  new File([content as Uint8Array<ArrayBuffer>], name)

export const inspect = (content: string | Uint8Array, given: Partial<CsvSettings> = {}): Promise<Inspection> =>
  csvReader.inspect(fileOf(content), { kind: 'csv', ...given }, QUIET)

export interface Everything {
  readonly rows: (string | null)[][]
  readonly rejected: RejectedRow[]
  readonly names: readonly string[] | undefined
  readonly batches: number
}

/** Reads a file as its inspection proposes, or all of it with the given types. */
export async function readAll(
  content: string | Uint8Array | File,
  inspection: Inspection,
  types?: readonly ColumnType[],
  more: Partial<ReadRequest> = {},
): Promise<Everything> {
  const file = content instanceof File ? content : fileOf(content)
  const columns: ReadColumn[] = types
    ? types.map((type, index) => ({ index, source: `c${index}`, type }))
    : planFrom(inspection).tables[0].columns.map(({ index, source, type, format }) => ({
        index,
        source,
        type: parseType(type),
        format,
      }))
  const result = { rows: [] as (string | null)[][], rejected: [] as RejectedRow[], batches: 0 }
  let names: readonly string[] | undefined
  const request = { settings: inspection.settings, table: null, columns, ...more }
  for await (const read of csvReader.read(file, request, QUIET)) {
    result.batches++
    result.rejected.push(...read.rejected)
    names ??= read.names
    const cells = read.batch.data.children
    for (let row = 0; row < read.batch.numRows; row++) {
      result.rows.push(request.columns.map(({ type }, i) => cellToString(type, cells[i], row)))
    }
  }
  return { ...result, names }
}

export const texts = (inspection: Inspection): ColumnType[] => inspection.tables[0].columns.map(() => VARCHAR)
