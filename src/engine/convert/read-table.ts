import type { RecordBatch } from 'apache-arrow'
import type { FormatId } from '../../contract/formats.ts'
import { parseType, sameType } from '../../tables/types.ts'
import { batchFromColumns, emptyColumn } from '../arrow/batch.ts'
import { toArrowType } from '../arrow/types.ts'
import { EngineError } from '../errors.ts'
import { readerOf } from '../formats/registry.ts'
import type { ReadColumn } from '../columns/column-builder.ts'
import type { EngineContext, ReadBatch, ReadRequest } from '../formats/types.ts'

export interface TableRequest extends ReadRequest {
  readonly format: FormatId
}

/** A file's format and reading settings. */
export type Source = Pick<TableRequest, 'format' | 'settings'>

/**
 * Reads a table's rows with the requested types. Formats with their own types (Parquet, Arrow) are read with these, and
 * other requested types are cast afterwards. Every batch then has the file's own names and types.
 * @throws {EngineError}
 */
export async function* readTable(
  file: File,
  request: TableRequest,
  context: EngineContext,
): AsyncGenerator<ReadBatch, void, undefined> {
  if (request.columns.some(({ format }) => format?.fillDown)) (await import('./filling.ts')).checkFilling(request)
  const reader = await readerOf(request.format)
  if (reader.convertsTypes) {
    yield* reader.read(file, request, context)
    return
  }
  const quiet: EngineContext = { signal: context.signal, progress: () => undefined }
  const inspection = await reader.inspect(file, request.settings, quiet)
  const table = inspection.tables.find(({ name }) => name === request.table)
  const byIndex = new Map(table?.columns.map((column) => [column.index, column]))
  const own = request.columns.map(({ index }) => {
    const found = byIndex.get(index)
    if (found) return found
    throw new EngineError('invalid-plan', `The file has no column number ${index + 1}.`, {
      remedy: 'Remove the file and add it again.',
    })
  })
  const natives = request.columns.map((column, i): ReadColumn => ({ ...column, type: parseType(own[i].type) }))
  const origin = { names: own.map(({ source }) => source), types: own.map(({ type }) => type) }
  let any = false
  const batches = reader.read(file, { ...request, columns: natives }, context)
  for await (const batch of await asWanted(batches, natives, request)) {
    yield { ...batch, ...origin }
    any = true
  }
  // A table without rows has names and types, too.
  if (!any) yield { batch: emptyBatch(request.columns), rejected: [], bytes: file.size, ...origin }
}

async function asWanted(
  batches: AsyncIterable<ReadBatch>,
  natives: readonly ReadColumn[],
  { columns }: TableRequest,
): Promise<AsyncIterable<ReadBatch>> {
  if (natives.every((native, i) => sameType(native.type, columns[i].type))) return batches
  const { recast } = await import('./recast.ts')
  return recast(batches, natives, columns)
}

function emptyBatch(columns: readonly ReadColumn[]): RecordBatch {
  return batchFromColumns(
    columns.map(({ type }) => emptyColumn(toArrowType(type))),
    0,
  )
}
