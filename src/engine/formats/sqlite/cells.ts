import { ByteWriter } from '../../../lib/bytes.ts'
import { valuesOf, type Stored, type StoredRow } from './records.ts'
import type { Default, SchemaColumn, TableSchema } from './schema.ts'
import { writeBase64 } from '../../arrow/write/base64.ts'

/** A value as text, from which columns are built. */
export interface Cell {
  readonly kind: 'integer' | 'real' | 'text' | 'blob'
  /** UTF-8; base64 for a blob. */
  readonly text: Uint8Array
}

const encoder = new TextEncoder()

/** Creates cells from a table's rows. */
export class RowCells {
  private readonly schema: TableSchema
  private readonly decoder: TextDecoder
  private readonly isReal: readonly boolean[]
  private readonly defaults: readonly (Cell | null)[]

  constructor(schema: TableSchema, encoding: string) {
    this.schema = schema
    this.decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
    this.isReal = schema.columns.map(({ declared }) => affinityOf(declared) === 'real')
    this.defaults = schema.columns.map((column) => defaultCell(column))
  }

  /**
   * The row's cells by column, null for nulls; or instead, the index of a column whose text is invalid.
   * @throws {EngineError} `corrupt-file`
   */
  of(row: StoredRow): (Cell | null)[] | number {
    const { columns, stored } = this.schema
    const values = valuesOf(row)
    const cells: (Cell | null)[] = columns.map(() => null)
    for (const [i, index] of stored.entries()) {
      const value = values[i]
      if (columns[index].isRowid) cells[index] = integerCell(row.rowid)
      // A row written before the column was added ends before it.
      else if (value === undefined) cells[index] = this.defaults[index]
      else {
        const cell = this.cellOf(value, this.isReal[index])
        if (cell === undefined) return index
        cells[index] = cell
      }
    }
    return cells
  }

  private cellOf(value: Stored, isReal: boolean): Cell | null | undefined {
    switch (value.kind) {
      case 'null':
        return null
      case 'integer':
        // REAL columns store whole numbers as integers to save space.
        return isReal ? realCell(Number(value.value)) : integerCell(value.value)
      case 'real':
        return realCell(value.value)
      case 'blob':
        return blobCell(value.bytes)
      case 'text':
        return this.textCell(value.bytes)
    }
  }

  /** Undefined if the bytes are invalid in the database's encoding. */
  private textCell(bytes: Uint8Array): Cell | undefined {
    try {
      const text = this.decoder.decode(bytes)
      return { kind: 'text', text: this.decoder.encoding === 'utf-8' ? bytes : encoder.encode(text) }
    } catch {
      return undefined
    }
  }
}

const integerCell = (value: number | bigint): Cell => ({ kind: 'integer', text: encoder.encode(String(value)) })

function blobCell(bytes: Uint8Array): Cell {
  const out = new ByteWriter(Math.ceil(bytes.length / 3) * 4)
  writeBase64(out, bytes, 0, bytes.length)
  return { kind: 'blob', text: out.take() }
}

function realCell(value: number): Cell {
  const text = Object.is(value, -0) ? '-0.0' : String(value)
  return { kind: 'real', text: encoder.encode(/^-?\d+$/.test(text) ? `${text}.0` : text) }
}

function defaultCell(column: SchemaColumn): Cell | null {
  const given = column.default
  if (!given) return null
  const kind = defaultKind(given, affinityOf(column.declared))
  if (kind === 'real') return realCell(Number(given.text))
  if (kind !== 'blob') return { kind, text: encoder.encode(given.text) }
  const bytes = Uint8Array.from(given.text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  return blobCell(bytes)
}

/** How a default value is stored in a column of another affinity. */
function defaultKind({ kind, text }: Default, affinity: ReturnType<typeof affinityOf>): Cell['kind'] {
  if (kind === 'blob' || affinity === 'blob') return kind
  if (affinity === 'text') return 'text'
  const isNumber = kind !== 'text' || /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)
  if (!isNumber) return 'text'
  return affinity !== 'real' && /^[+-]?\d+$/.test(text) ? 'integer' : 'real'
}

/** A column's affinity, from its declared type (https://www.sqlite.org/datatype3.html, 3.1). */
function affinityOf(declared: string): 'integer' | 'text' | 'blob' | 'real' | 'numeric' {
  if (/int/i.test(declared)) return 'integer'
  if (/char|clob|text/i.test(declared)) return 'text'
  if (declared === '' || /blob/i.test(declared)) return 'blob'
  return /real|floa|doub/i.test(declared) ? 'real' : 'numeric'
}
