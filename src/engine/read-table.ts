import type { FormatId } from '../contract/formats.ts'
import type { ReadSettings } from '../tables/plan.ts'
import { parseType, sameType } from '../tables/types.ts'
import { EngineError } from './errors.ts'
import { readerOf } from './formats/registry.ts'
import type { EngineContext, ReadBatch, ReadColumn } from './formats/types.ts'

export interface TableRequest {
  readonly format: FormatId
  readonly settings: ReadSettings
  readonly table: string | null
  readonly columns: readonly ReadColumn[]
  readonly limit?: number
}

/**
 * A table's rows in the types asked for. Formats that carry their own types (Parquet, Arrow) are read in those, and
 * columns that are wanted otherwise are cast behind the reader.
 * @throws {EngineError}
 */
export async function* readTable(
  file: File,
  request: TableRequest,
  context: EngineContext,
): AsyncGenerator<ReadBatch, void, undefined> {
  const reader = await readerOf(request.format)
  if (reader.convertsTypes) {
    yield* reader.read(file, request, context)
    return
  }
  const quiet: EngineContext = { signal: context.signal, progress: () => undefined }
  const inspection = await reader.inspect(file, request.settings, quiet)
  const own = inspection.tables.find((table) => table.name === request.table)?.columns ?? []
  const natives = request.columns.map((column): ReadColumn => {
    const found = own.find((candidate) => candidate.index === column.index)
    if (!found) {
      throw new EngineError('invalid-plan', `The file has no column number ${column.index + 1}.`, {
        remedy: 'Remove the file and add it again.',
      })
    }
    return { ...column, type: parseType(found.type) }
  })
  const batches = reader.read(file, { ...request, columns: natives }, context)
  if (natives.every((native, i) => sameType(native.type, request.columns[i].type))) {
    yield* batches
    return
  }
  const { recast } = await import('./recast.ts')
  yield* recast(batches, natives, request.columns)
}
