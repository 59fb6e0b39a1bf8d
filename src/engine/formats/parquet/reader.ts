import type { Data } from 'apache-arrow'
import { printType, sameType } from '../../../tables/types.ts'
import { normalizeBatch } from '../../arrow/normalize.ts'
import { batchFromColumns } from '../../arrow/batch.ts'
import { EngineError } from '../../errors.ts'
import type { EngineContext, FormatReader, ReadBatch, ReadRequest } from '../types.ts'
import { openInLibrary, project, readGroups } from './batches.ts'
import { keeps } from '../shared/leaf-types.ts'
import { neutralName } from './neutral.ts'
import { openFile, type OpenedFile } from './open.ts'
import { release } from './wasm.ts'

/*
 * Loaded on demand: what inspects files and finds row groups, since a conversion only reads; and what reads values whose
 * meaning isn't in Arrow's type, which few files have.
 */

/** Reads Parquet. The types are the file's own, and known from the footer without reading rows. */
export const parquetReader: FormatReader = {
  format: 'parquet',
  convertsTypes: false,
  inspect: async (...request) => (await import('./inspect.ts')).inspect(...request),
  read,
  parts: async (...request) => (await import('./bounds.ts')).rowGroupParts(...request),
}

async function* read(file: File, request: ReadRequest, context: EngineContext): AsyncGenerator<ReadBatch> {
  const opened = await openFile(file, context)
  const { footer, leaves, neutral } = opened
  checkRequest(opened, request)
  const types = request.columns.map(({ type }) => type)
  const names = request.columns.map(({ source }) => source)
  const projection = project(
    leaves,
    request.columns.map(({ index }) => neutralName(index)),
  )
  const places = new Map(projection.columns.map((index, place) => [index, place]))
  const rules = request.columns.map(({ index }) => opened.typed[index].rules)
  const apply = rules.every(keeps) ? (data: Data) => data : (await import('../shared/leaf-rules.ts')).applyRules
  const library = await openInLibrary(neutral)
  const sizes = footer.rowGroups.map((group) => group.columns.reduce((sum, chunk) => sum + chunk.compressed, 0))
  let bytes = 0
  let rows = 0
  try {
    const { limit } = request
    for await (const { batch, group, rows: inGroup } of readGroups(
      library,
      footer,
      projection,
      context.signal,
      request,
    )) {
      const chosen = request.columns.map(({ index }, i) =>
        apply(batch.data.children[places.get(index) ?? -1], rules[i]),
      )
      const done = sizes.slice(0, group).reduce((sum, size) => sum + size, 0)
      bytes = Math.round(done + (sizes[group] * inGroup) / footer.rowGroups[group].rows)
      rows += batch.numRows
      context.progress({ bytes, rows })
      yield {
        batch: await normalizeBatch(batchFromColumns(chosen, batch.numRows), types, names),
        rejected: [],
        bytes,
      }
    }
    if (limit === undefined || rows < limit) context.progress({ bytes: file.size, rows })
  } finally {
    release(library)
  }
}

function checkRequest({ columns, typed }: OpenedFile, request: ReadRequest): void {
  for (const { index, type, source } of request.columns) {
    if (!columns[index]) throw new EngineError('invalid-plan', `The file has no column number ${index + 1}.`)
    if (!sameType(type, typed[index].type)) {
      throw new EngineError('invalid-plan', `“${source}” is ${printType(typed[index].type)}, not ${printType(type)}.`)
    }
  }
}
