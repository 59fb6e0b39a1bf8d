import type { RecordBatch } from 'apache-arrow'
import type { JsonSettings, RejectedRow } from '../../../tables/plan.ts'
import { isJson, isNested, printType } from '../../../tables/types.ts'
import { ByteWriter } from '../../../lib/bytes.ts'
import { makeColumnBuilder } from '../../columns/builder.ts'
import type { ColumnBuilder } from '../../columns/column-builder.ts'
import { JsonBuilder } from '../../columns/builders/json.ts'
import { batchFromColumns } from '../../arrow/normalize.ts'
import { EngineError } from '../../errors.ts'
import { TextSums } from '../../kernel/text-sums.ts'
import {
  BATCH_BYTES,
  BATCH_CELLS,
  BATCH_REJECTED,
  BATCH_ROWS,
  type EngineContext,
  type ReadBatch,
  type ReadColumn,
  type ReadRequest,
} from '../types.ts'
import { sumOthers, sumValue } from './kinds.ts'
import { openFile, type OpenFile } from './open.ts'
import { excerpt, STEP, type RowSource } from './rows.ts'
import { KIND, type Kind } from '../../columns/json/scanner.ts'
import { compact, unescape } from '../../columns/json/text.ts'

/**
 * Streams a JSON file's rows as Arrow batches. A missing key is null. Where text is wanted, what isn't a string is given as
 * its JSON text, numbers exactly as they stand and nested values without white space between their parts.
 * @throws {EngineError} `corrupt-file` with line and column
 */
export function read(file: File, request: ReadRequest, context: EngineContext): AsyncIterable<ReadBatch> {
  const settings = jsonSettings(request)
  return readOpen(openFile(file, settings, context), settings, request)
}

/** @throws {EngineError} `internal` for settings of another format */
export function jsonSettings({ settings }: ReadRequest): JsonSettings {
  if (settings.kind === 'json') return settings
  throw new EngineError('internal', `JSON can't be read by ${settings.kind} settings.`)
}

async function* readOpen(
  open: OpenFile,
  settings: JsonSettings,
  request: ReadRequest,
): AsyncGenerator<ReadBatch, void, undefined> {
  try {
    await open.begin()
    yield* new Reading(open, settings, request).run()
  } finally {
    await open.close()
  }
}

/** Makes batches of an open file's rows. */
export class Reading {
  private readonly open: OpenFile
  private readonly filler: Filler
  private named: boolean
  private left: number
  private readonly sums: TextSums | null

  constructor(open: OpenFile, settings: JsonSettings, { columns, limit, checksums = false }: ReadRequest) {
    const { tokens } = open.rows
    this.open = open
    this.named = settings.rows === 'arrays' || settings.rows === 'values'
    this.left = limit ?? Number.POSITIVE_INFINITY
    this.sums = checksums && limit === undefined ? new TextSums() : null
    const places = columns.map(({ index, source }) => {
      if (this.named) return index
      return index === settings.keys?.columns.length ? OTHERS : tokens.declare(source)
    })
    this.filler = new Filler(open.rows, columns, places)
  }

  async *run(): AsyncGenerator<ReadBatch, void, undefined> {
    const { open, filler, sums } = this
    const { rows } = open
    while (this.left > 0) {
      const step = rows.next()
      if (step === STEP.row) {
        if (sums) filler.sum(sums)
        if (filler.take()) this.left--
        if (filler.full) yield this.batch()
        else if ((rows.count & 1023) === 0) await open.breathe()
      } else if (step === STEP.rejected) {
        filler.rejected.push(rows.rejection())
        if (filler.full) yield this.batch()
      } else if (step === STEP.more) {
        sums?.flush()
        await open.more()
      } else {
        break
      }
    }
    if (!filler.empty) yield this.batch()
  }

  private batch(): ReadBatch {
    const { filler, open, sums } = this
    const filled = { ...filler.finish(), ...(sums ? { checksums: sums.take(filler.indexes) } : {}) }
    // A file without rows has no names.
    if (this.named || filled.batch.numRows === 0) return { ...filled, bytes: open.bytes }
    this.named = true
    return { ...filled, bytes: open.bytes, names: filler.names }
  }
}

/** In place of a column's place: the members that have no column. */
const OTHERS = -1

/** Appends rows to one builder a column. */
class Filler {
  readonly rejected: RejectedRow[] = []
  /** Whether each column's key has been met. */
  private readonly found: boolean[]
  private readonly rows: RowSource
  private readonly columns: readonly ReadColumn[]
  private readonly places: readonly number[]
  private readonly cells: readonly Cell[]
  private readonly scratch = new ByteWriter()
  private count = 0
  private size = 0

  constructor(rows: RowSource, columns: readonly ReadColumn[], places: readonly number[]) {
    this.rows = rows
    this.columns = columns
    this.places = places
    this.cells = columns.map((column) => new Cell(column))
    this.found = columns.map(() => false)
    rows.tokens.reserve(Math.max(1, ...places.map((place) => place + 1)))
  }

  get indexes(): readonly number[] {
    return [...this.columns.keys()]
  }

  /** The columns' names, as far as their keys were met, or no row needs to have them. */
  get names(): readonly string[] {
    return this.columns.map(({ source, optional = false }, i) => (this.found[i] || optional ? source : ''))
  }

  get full(): boolean {
    const { count, size, rejected, cells } = this
    if (count >= BATCH_ROWS || count * cells.length >= BATCH_CELLS) return true
    return size >= BATCH_BYTES || rejected.length >= BATCH_REJECTED
  }

  get empty(): boolean {
    return this.count === 0 && this.rejected.length === 0
  }

  /** Appends the row; false when a value isn't of its column's type. */
  take(): boolean {
    const { rows, cells, places, found } = this
    const { tokens } = rows
    const { bytes } = tokens.scanner
    const { stamps, stamp, kinds, starts, ends } = tokens
    for (let i = 0; i < cells.length; i++) {
      const place = places[i]
      if (place === OTHERS) {
        this.takeOthers(cells[i])
      } else if (stamps[place] !== stamp) {
        cells[i].builder.appendNull()
      } else if (cells[i].put(kinds[place], bytes, starts[place], ends[place])) {
        found[i] = true
      } else {
        this.refuse(i, place)
        return false
      }
    }
    this.count++
    this.size += rows.size
    return true
  }

  /** Adds the row's values to the sums of the columns. */
  sum(sums: TextSums): void {
    const { places, rows } = this
    const { tokens, span } = rows
    sums.open(tokens.scanner.bytes, span[0], span[1])
    for (let i = 0; i < places.length; i++) {
      const place = places[i]
      if (place === OTHERS) sumOthers(sums, i, tokens)
      else if (tokens.has(place)) sumValue(sums, i, tokens, place)
    }
  }

  private takeOthers(cell: Cell): void {
    const { others, scanner } = this.rows.tokens
    if (others.length === 0) {
      cell.builder.appendNull()
      return
    }
    const { scratch } = this
    scratch.clear()
    for (let i = 0; i < others.length; i += 2) {
      scratch.byte(i === 0 ? 0x7b : 0x2c)
      scratch.append(scanner.bytes, others[i], others[i + 1])
    }
    scratch.byte(0x7d)
    cell.put(KIND.object, scratch.bytes, 0, scratch.length)
  }

  private refuse(index: number, place: number): void {
    for (const cell of this.cells) cell.builder.truncate(this.count)
    const { tokens } = this.rows
    const { source, type } = this.columns[index]
    const value = excerpt(tokens.scanner.bytes, tokens.starts[place], tokens.ends[place], 1000)
    const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value
    const message = `“${shown}” isn’t a value of type ${printType(type)}.`
    this.rejected.push(this.rows.rejection({ message, column: source, value }))
  }

  finish(): { batch: RecordBatch; rejected: readonly RejectedRow[] } {
    const data = this.cells.map(({ builder }) => builder.finish())
    const batch = batchFromColumns(data, this.count)
    const rejected = this.rejected.splice(0)
    this.count = 0
    this.size = 0
    return { batch, rejected }
  }
}

/** Appends one column's values, whatever their kind. */
class Cell {
  readonly builder: ColumnBuilder
  private readonly json: JsonBuilder | null
  private readonly text: boolean
  private readonly nested: boolean
  private readonly scratch = new ByteWriter()

  constructor({ type, format, optional = false }: ReadColumn) {
    this.json = isJson(type) ? new JsonBuilder(optional) : null
    this.builder = this.json ?? makeColumnBuilder(type, format)
    this.text = type.kind === 'scalar' && type.name === 'VARCHAR'
    this.nested = isNested(type)
  }

  put(kind: number, bytes: Uint8Array, start: number, end: number): boolean {
    if (this.json) {
      this.json.appendValue(kind as Kind, bytes, start, end)
      return true
    }
    if (kind === KIND.null) {
      this.builder.appendNull()
      return true
    }
    if (kind < KIND.escaped || (this.nested && kind >= KIND.object)) return this.builder.appendText(bytes, start, end)
    if (kind !== KIND.escaped && !this.text) return false
    const { scratch } = this
    scratch.clear()
    if (kind === KIND.escaped) unescape(bytes, start, end, scratch)
    else compact(bytes, start, end, scratch)
    return this.builder.appendText(scratch.bytes, 0, scratch.length)
  }
}
