import { jsonTable } from '../../../tables/settings.ts'
import type { JsonSettings } from '../../../tables/plan.ts'
import { isJson } from '../../../tables/types.ts'
import { makeColumnBuilder } from '../../columns/builder.ts'
import { JsonBuilder } from '../../columns/builders/json.ts'
import { EngineError } from '../../errors.ts'
import { TableReader } from '../../columns/cells/table-reader.ts'
import type { ReadColumn } from '../../columns/column-builder.ts'
import type { EngineContext, FormatReader, ReadBatch, ReadRequest } from '../types.ts'
import { openFile, type OpenFile } from './open.ts'
import { OTHERS, RowCells } from './row-cells.ts'

/* Modules for inspecting files are loaded on demand: a conversion only reads. */

export const jsonReader: FormatReader = {
  format: 'json',
  convertsTypes: true,
  inspect: async (...request) => (await import('./inspect.ts')).inspect(...request),
  inspectRest: async (...rest) => (await import('./second-half.ts')).inspectRest(...rest),
  read,
}

/**
 * Streams a JSON file's rows as Arrow batches. Missing keys are null. In columns of text, values other than strings
 * become their JSON text: numbers exactly as in the file, nested values without white space.
 * @throws {EngineError} `corrupt-file` with line and column
 */
export async function* read(
  file: File,
  request: ReadRequest,
  context: EngineContext,
): AsyncGenerator<ReadBatch, void, undefined> {
  const settings = jsonSettings(request)
  const open = openFile(file, settings, context)
  try {
    await open.begin()
    yield* new Reading(open, settings, request).run()
  } finally {
    await open.close()
  }
}

/**
 * The settings for reading the requested table.
 * @throws {EngineError} `internal` for settings of another format
 */
function jsonSettings({ settings, table }: ReadRequest): JsonSettings {
  if (settings.kind === 'json') return jsonTable(settings, table)
  throw new EngineError('internal', `JSON can't be read by ${settings.kind} settings.`)
}

/** Creates batches from an open file's rows. */
class Reading {
  private readonly open: OpenFile
  private readonly rows: RowCells
  private readonly table: TableReader
  private readonly columns: readonly ReadColumn[]
  private readonly hasNames: boolean
  /** Columns that were unfolded, whose members rows may lack. */
  private readonly unfolded: readonly string[]
  private readonly limit: number | undefined
  private readonly checksums: boolean

  constructor(open: OpenFile, settings: JsonSettings, { columns, limit, checksums = false }: ReadRequest) {
    const { tokens } = open.rows
    const inObjects = settings.rows !== 'arrays' && settings.rows !== 'values'
    const placeOf = ({ index, source }: ReadColumn): number => {
      if (!inObjects || (index === 0 && tokens.hasRowKeys)) return index
      return index === settings.keys?.columns.length ? OTHERS : tokens.declare(source)
    }
    this.open = open
    this.hasNames = inObjects
    this.unfolded = (settings.unfold ?? []).map(({ column }) => column)
    this.limit = limit
    this.checksums = checksums && limit === undefined
    this.columns = columns.map((column) => ({ ...column, index: placeOf(column) }))
    const width = Math.max(tokens.keys.size, ...this.columns.map(({ index }) => index + 1))
    // In all other layouts, keys without a column are skipped from here on.
    const isOpen = settings.layout === 'columns'
    if (!isOpen) tokens.fix()
    this.rows = new RowCells(open, { sums: this.checksums, ...(isOpen ? {} : { columns: width }) })
    const builders = columns.map(({ type, format, optional }) =>
      isJson(type) ? new JsonBuilder(optional) : makeColumnBuilder(type, format),
    )
    this.table = new TableReader(this.columns, this.rows.cells, builders)
  }

  /** Returns the names with the first batch, since a file without rows has none. */
  async *run(): AsyncGenerator<ReadBatch, void, undefined> {
    const { open, rows, table, limit = Number.POSITIVE_INFINITY } = this
    let left = limit
    let named = !this.hasNames
    while (left > 0 && (await rows.next(left))) {
      const names = named || rows.count === 0 ? {} : { names: this.names }
      const { batch, rejected } = await table.read(rows, 0, rows.count)
      named ||= batch.numRows > 0
      left -= batch.numRows
      yield {
        batch,
        rejected: [...rows.rejected, ...rejected].sort((a, b) => a.row - b.row),
        bytes: open.bytes,
        ...(batch.numRows > 0 ? names : {}),
        ...(this.checksums ? { checksums: rows.takeSums(this.columns.map(({ index }) => index)) } : {}),
      }
      await open.yieldIfDue()
    }
  }

  /** The columns' names, as far as their keys occur in these rows, or needn't occur. */
  private get names(): readonly string[] {
    return this.columns.map(({ source, index, optional = false }) => {
      const needsNoRow = optional || this.unfolded.some((name) => source === name || source.startsWith(`${name}.`))
      return needsNoRow || this.rows.has(index) ? source : ''
    })
  }
}
