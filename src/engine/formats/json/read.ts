import { jsonTable } from '../../../tables/settings.ts'
import type { JsonSettings } from '../../../tables/plan.ts'
import { isJson } from '../../../tables/types.ts'
import { ByteWriter } from '../../../lib/bytes.ts'
import { BatchBuilder, rejectedValue } from '../../columns/batch-builder.ts'
import { makeColumnBuilder } from '../../columns/builder.ts'
import { JsonBuilder } from '../../columns/builders/json.ts'
import { JsonValues } from '../../columns/builders/json-values.ts'
import { KIND, type Kind } from '../../columns/json/scanner.ts'
import { EngineError } from '../../errors.ts'
import { TextSums } from '../../kernel/text-sums.ts'
import type { ReadColumn } from '../../columns/read-column.ts'
import type { EngineContext, ReadBatch, ReadRequest } from '../types.ts'
import { sumOthers, sumValue } from './kinds.ts'
import { openFile, type OpenFile } from './open.ts'
import { excerpt, STEP, type RowSource } from './rows.ts'

/**
 * Streams a JSON file's rows as Arrow batches. A missing key is null. Where text is wanted, what isn't a string is given as
 * its JSON text, numbers exactly as they stand and nested values without white space between their parts.
 * @throws {EngineError} `corrupt-file` with line and column
 */
export function read(file: File, request: ReadRequest, context: EngineContext): AsyncIterable<ReadBatch> {
  const settings = jsonSettings(request)
  return readOpen(openFile(file, settings, context), settings, request)
}

/**
 * How the rows of the table wanted are read.
 * @throws {EngineError} `internal` for settings of another format
 */
export function jsonSettings({ settings, table }: ReadRequest): JsonSettings {
  if (settings.kind === 'json') return jsonTable(settings, table)
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
  private readonly reader: RowReader
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
    this.reader = new RowReader(open.rows, columns, places)
  }

  async *run(): AsyncGenerator<ReadBatch, void, undefined> {
    const { open, reader, sums } = this
    const { rows } = open
    const { batch } = reader
    while (this.left > 0) {
      const step = rows.next()
      if (step === STEP.row) {
        if (sums) reader.sum(sums)
        if (reader.read()) this.left--
        if (batch.isFull) yield this.batch()
        else if ((rows.count & 1023) === 0) await open.yieldIfDue()
      } else if (step === STEP.rejected) {
        batch.reject(rows.rejection())
        if (batch.isFull) yield this.batch()
      } else if (step === STEP.more) {
        sums?.flush()
        await open.more()
      } else {
        break
      }
    }
    if (!batch.isEmpty) yield this.batch()
  }

  private batch(): ReadBatch {
    const { reader, open, sums } = this
    const filled = { ...reader.batch.finish(), ...(sums ? { checksums: sums.take(reader.indexes) } : {}) }
    // A file without rows has no names.
    if (this.named || filled.batch.numRows === 0) return { ...filled, bytes: open.bytes }
    this.named = true
    return { ...filled, bytes: open.bytes, names: reader.names }
  }
}

/** In place of a column's place: the members that have no column. */
const OTHERS = -1

/** Reads a row's values into a batch. */
class RowReader {
  readonly batch: BatchBuilder
  /** Whether each column's key has been met. */
  private readonly found: boolean[]
  private readonly rows: RowSource
  private readonly columns: readonly ReadColumn[]
  private readonly places: readonly number[]
  private readonly values: readonly JsonValues[]
  private readonly scratch = new ByteWriter()

  constructor(rows: RowSource, columns: readonly ReadColumn[], places: readonly number[]) {
    const builders = columns.map(({ type, format, optional }) =>
      isJson(type) ? new JsonBuilder(optional) : makeColumnBuilder(type, format),
    )
    this.rows = rows
    this.columns = columns
    this.places = places
    this.values = builders.map((builder) => new JsonValues(builder))
    this.batch = new BatchBuilder(columns, builders)
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

  /** Reads the row; false when a value isn't of its column's type. */
  read(): boolean {
    const { rows, values, places, found, batch } = this
    const { tokens } = rows
    const { bytes } = tokens.scanner
    const { stamps, stamp, kinds, starts, ends } = tokens
    for (let i = 0; i < values.length; i++) {
      const place = places[i]
      if (place === OTHERS) {
        this.readOthers(values[i])
      } else if (stamps[place] !== stamp) {
        values[i].builder.appendNull()
      } else if (values[i].append(kinds[place] as Kind, bytes, starts[place], ends[place])) {
        found[i] = true
      } else {
        const value = excerpt(bytes, starts[place], ends[place], 1000)
        batch.reject(rejectedValue(this.columns[i], value, rows.place))
        return false
      }
    }
    batch.endRow(rows.size)
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

  private readOthers(values: JsonValues): void {
    const { others, scanner } = this.rows.tokens
    if (others.length === 0) {
      values.builder.appendNull()
      return
    }
    const { scratch } = this
    scratch.clear()
    for (let i = 0; i < others.length; i += 2) {
      scratch.byte(i === 0 ? 0x7b : 0x2c)
      scratch.append(scanner.bytes, others[i], others[i + 1])
    }
    scratch.byte(0x7d)
    values.append(KIND.object, scratch.bytes, 0, scratch.length)
  }
}
