import { COMMA } from '../../../lib/ascii.ts'
import type { Data, RecordBatch } from 'apache-arrow'
import type { JsonOptions, JsonSettings, Note, WriteOptions } from '../../../tables/plan.ts'
import { leavesOf, type Column, type ColumnType } from '../../../tables/types.ts'
import { ByteWriter } from '../../../lib/bytes.ts'
import { EngineError } from '../../errors.ts'
import type { ByteSink } from '../../../lib/sink.ts'
import type { EngineContext, FormatWriter, OutputTable, TableWriter, WriteResult } from '../types.ts'
import { adaptToFinite } from '../shared/finite.ts'
import { formatCount, plural } from '../../../lib/counts.ts'
import { nestingOf, slotsOf, unfoldOf, type Slot } from './nested.ts'
import { Records, type Cell } from './records.ts'
import { Yielder } from '../../../lib/yielding.ts'
import { isNull } from '../../arrow/scalars.ts'
import { makeCellJson } from '../../arrow/json.ts'

/** Bytes to collect before they are written to the sink. */
const FLUSH = 1024 * 1024
/** Rows between checks of the clock. */
const LOOK = 256

/**
 * Writes an array of objects, one per line, or one object per line (NDJSON). Every object has every column, including
 * nulls, except optional ones that are absent. UTF-8 without a byte order mark.
 */
export const jsonWriter: FormatWriter = {
  format: 'json',
  multiTable: false,

  adapt: adaptToFinite,

  describe({ name, type }: Column): Note | null {
    const has = (...names: string[]): boolean =>
      leavesOf(type).some((leaf) => leaf.kind === 'scalar' && names.includes(leaf.name))
    if (has('BLOB'))
      return {
        code: 'binary-as-base64',
        message: 'JSON has no binary values: they are written as base64.',
        column: name,
      }
    if (has('TIMESTAMP WITH TIME ZONE')) {
      const message = 'JSON has no timestamps: they are written as ISO 8601 text, in UTC (“2024-03-31T12:00:00Z”).'
      return { code: 'time-as-text', message, column: name }
    }
    if (has('DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS')) {
      return {
        code: 'time-as-text',
        message: 'JSON has no dates or times: they are written as ISO 8601 text.',
        column: name,
      }
    }
    return null
  },

  check(columns: readonly Column[]): void {
    for (const { name, type } of columns) {
      const twice = repeatedField(type)
      if (twice === null) continue
      throw new EngineError('unwritable', `Column “${name}” holds structs with two fields named “${twice}”.`, {
        remedy: 'JSON objects can’t hold both. Leave the column out, or convert to Parquet or Arrow.',
      })
    }
  },

  open(sink: ByteSink, options: WriteOptions, context: EngineContext): TableWriter {
    return new JsonTableWriter(sink, jsonOptions(options), context)
  },
}

function jsonOptions(options: WriteOptions): JsonOptions {
  if (options.kind === 'json') return options
  throw new EngineError('internal', `JSON can't be written by ${options.kind} options.`)
}

function repeatedField(type: ColumnType): string | null {
  switch (type.kind) {
    case 'scalar':
    case 'decimal':
      return null
    case 'list':
      return repeatedField(type.item)
    case 'map':
      return repeatedField(type.key) ?? repeatedField(type.value)
    case 'struct': {
      const names = new Set<string>()
      for (const field of type.fields) {
        if (names.has(field.name)) return field.name
        names.add(field.name)
        const inside = repeatedField(field.type)
        if (inside !== null) return inside
      }
      return null
    }
  }
}

class JsonTableWriter implements TableWriter {
  private readonly sink: ByteSink
  private readonly options: JsonOptions
  private readonly context: EngineContext
  private readonly out = new ByteWriter(FLUSH + 64 * 1024)
  private columns: readonly Column[] = []
  private slots: readonly Slot[] = []
  /** Reassembles records from rows, with the index of the nesting column; null if rows are written as they are. */
  private joined: { readonly records: Records; readonly column: number } | null = null
  private rows = 0
  /** Number of objects written. */
  private objects = 0

  constructor(sink: ByteSink, options: JsonOptions, context: EngineContext) {
    this.sink = sink
    this.options = options
    this.context = context
  }

  begin({ columns }: OutputTable): Promise<void> {
    this.columns = columns
    this.slots = slotsOf(columns)
    const nesting = nestingOf(columns)?.name
    const column = columns.findIndex(({ name }) => name === nesting)
    this.joined = column < 0 ? null : { records: new Records(this.slots), column }
    return Promise.resolve()
  }

  async write(batch: RecordBatch): Promise<void> {
    const cells = this.columns.map(({ type, optional = false, members = false }, i) => {
      const data: Data = batch.data.children[i]
      return { data, write: makeCellJson(type, data), absent: optional && data.nullCount > 0 ? data : null, members }
    })
    const yielder = new Yielder(this.context.signal)
    for (let from = 0; from < batch.numRows; from += LOOK) {
      this.writeRows(cells, from, Math.min(from + LOOK, batch.numRows))
      if (this.out.length >= FLUSH) await this.flush()
      if (yielder.due) await yielder.yield()
    }
  }

  private writeRows(cells: readonly Cell[], first: number, to: number): void {
    const { joined } = this
    this.rows += to - first
    for (let row = first; row < to; row++) {
      if (!joined) {
        this.begun()
        this.writeObject(this.slots, cells, row)
        this.ended()
      } else if (joined.records.begins(cells[joined.column].data, row)) {
        this.endRecord(joined.records)
        joined.records.begin(cells, row)
      } else joined.records.add(cells, row)
    }
  }

  private endRecord(records: Records): void {
    if (!records.any) return
    this.begun()
    records.end(this.out)
    this.ended()
  }

  private begun(): void {
    if (this.options.layout !== 'array') return
    this.out.byte(this.objects === 0 ? 0x5b : 0x2c)
    this.out.byte(0x0a)
  }

  private ended(): void {
    this.objects++
    if (this.options.layout === 'lines') this.out.byte(0x0a)
  }

  private writeObject(inner: readonly Slot[], cells: readonly Cell[], row: number): void {
    const { out } = this
    const start = out.length
    for (const slot of inner) {
      const { column, prefix } = slot
      if (column === null) {
        this.writeNested(slot, cells, row)
        continue
      }
      const { write, absent, members } = cells[column]
      if (absent && isNull(absent, row)) continue
      const from = out.length
      if (!members) out.append(prefix)
      write(out, row)
      if (members) {
        // Replaces the object's own braces.
        out.bytes[from] = COMMA
        out.length--
      }
    }
    if (out.length === start) out.byte(0x7b)
    else out.bytes[start] = 0x7b
    out.byte(0x7d)
  }

  private writeNested({ prefix, none, inner, columns }: Slot, cells: readonly Cell[], row: number): void {
    const { out } = this
    const isThere = none === 'object' || columns.some((column) => !isNull(cells[column].data, row))
    if (!isThere && none === 'absent') return
    out.append(prefix)
    if (isThere) this.writeObject(inner, cells, row)
    else out.text(none === 'null' ? 'null' : '{}')
  }

  private async flush(): Promise<void> {
    await this.sink.write(this.out.view())
    this.out.clear()
  }

  /** Settings that tell keys with a column from those without one. */
  private get keys(): Pick<JsonSettings, 'keys'> {
    const others = this.columns.findIndex(({ members }) => members)
    if (others < 0) return {}
    const columns = this.columns.filter((_, i) => i !== others).map(({ name }) => name)
    return { keys: { columns, others: this.columns[others].name } }
  }

  async finish(): Promise<WriteResult> {
    const { layout } = this.options
    const { joined } = this
    if (joined) this.endRecord(joined.records)
    if (layout === 'array') this.out.text(this.objects === 0 ? '[]\n' : '\n]\n')
    await this.flush()
    return {
      changes: joined ? [joinedNote(this.rows, this.objects)] : [],
      readBack: [
        {
          settings: {
            kind: 'json',
            compression: null,
            encoding: 'utf-8',
            layout,
            path: [],
            rows: 'objects',
            ...this.keys,
            ...unfoldOf(this.columns),
          },
          tables: [null],
        },
      ],
    }
  }
}

function joinedNote(rows: number, records: number): Note {
  const message = `Rows that were elements of lists are written as lists again: ${plural(rows, 'row')} as ${formatCount(records)} ${records === 1 ? 'object' : 'objects'}.`
  return { code: 'lists-again', message, count: records }
}
