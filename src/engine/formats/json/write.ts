import { COMMA } from '../../../lib/ascii.ts'
import type { Data, RecordBatch } from 'apache-arrow'
import type { JsonOptions, JsonSettings, Note, WriteOptions } from '../../../tables/plan.ts'
import type { Column, ColumnType } from '../../../tables/types.ts'
import { ByteWriter } from '../../../lib/bytes.ts'
import { Yielder } from '../../../lib/abort.ts'
import { isNull, makeCellJson, type CellWriter } from '../../arrow/text.ts'
import { EngineError } from '../../errors.ts'
import type { ByteSink } from '../../../lib/sink.ts'
import type { EngineContext, FormatWriter, OutputTable, TableWriter, WriteResult } from '../types.ts'
import { adaptToFinite } from '../shared/finite.ts'
import { membersOf, prefixOf, unfoldOf, type Member, type Nested } from './nested.ts'

/** Bytes that are gathered before they go to the sink. */
const FLUSH = 1024 * 1024
/** Rows between two looks at the clock. */
const LOOK = 256

/**
 * Writes an array of objects, one a line, or one object a line (NDJSON). Every object has every column, nulls too, but for
 * what is optional and not there. UTF-8 without a byte order mark.
 */
export const jsonWriter: FormatWriter = {
  format: 'json',
  multiTable: false,

  adapt: adaptToFinite,

  describe({ name, type }: Column): Note | null {
    const has = (...names: string[]): boolean => holds(type, names)
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

function holds(type: ColumnType, names: readonly string[]): boolean {
  switch (type.kind) {
    case 'scalar':
      return names.includes(type.name)
    case 'decimal':
      return false
    case 'list':
      return holds(type.item, names)
    case 'struct':
      return type.fields.some((field) => holds(field.type, names))
    case 'map':
      return holds(type.key, names) || holds(type.value, names)
  }
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

interface Cell {
  readonly data: Data
  readonly write: CellWriter
  /** Where a null means that there's nothing to write; null where nulls are written. */
  readonly absent: Data | null
  readonly members: boolean
}

class JsonTableWriter implements TableWriter {
  private readonly sink: ByteSink
  private readonly options: JsonOptions
  private readonly context: EngineContext
  private readonly out = new ByteWriter(FLUSH + 64 * 1024)
  private columns: readonly Column[] = []
  /** What comes before each column's value: a comma, the key, a colon. */
  private prefixes: readonly Uint8Array[] = []
  private members: readonly Member[] = []
  private rows = 0

  constructor(sink: ByteSink, options: JsonOptions, context: EngineContext) {
    this.sink = sink
    this.options = options
    this.context = context
  }

  begin({ columns }: OutputTable): Promise<void> {
    this.columns = columns
    this.prefixes = columns.map(({ name, within }) => prefixOf(within?.key ?? name))
    this.members = membersOf(columns)
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
    const { out } = this
    const array = this.options.layout === 'array'
    for (let row = first; row < to; row++) {
      if (array) {
        out.byte(this.rows + row - first === 0 ? 0x5b : 0x2c)
        out.byte(0x0a)
      }
      this.writeObject(this.members, cells, row)
      if (!array) out.byte(0x0a)
    }
    this.rows += to - first
  }

  private writeObject(inner: readonly Member[], cells: readonly Cell[], row: number): void {
    const { out, prefixes } = this
    const start = out.length
    for (const member of inner) {
      if (typeof member !== 'number') {
        this.writeNested(member, cells, row)
        continue
      }
      const { write, absent, members } = cells[member]
      if (absent && isNull(absent, row)) continue
      const from = out.length
      if (!members) out.append(prefixes[member])
      write(out, row)
      if (members) {
        // In place of its own braces.
        out.bytes[from] = COMMA
        out.length--
      }
    }
    if (out.length === start) out.byte(0x7b)
    else out.bytes[start] = 0x7b
    out.byte(0x7d)
  }

  private writeNested({ prefix, none, inner, columns }: Nested, cells: readonly Cell[], row: number): void {
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

  /** How keys that have no column are told from those that have one. */
  private get keys(): Pick<JsonSettings, 'keys'> {
    const others = this.columns.findIndex(({ members }) => members)
    if (others < 0) return {}
    const columns = this.columns.filter((_, i) => i !== others).map(({ name }) => name)
    return { keys: { columns, others: this.columns[others].name } }
  }

  async finish(): Promise<WriteResult> {
    const { layout } = this.options
    if (layout === 'array') this.out.text(this.rows === 0 ? '[]\n' : '\n]\n')
    await this.flush()
    return {
      changes: [],
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
