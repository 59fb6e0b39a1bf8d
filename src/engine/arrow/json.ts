import { COLON, COMMA, QUOTE } from '../../lib/ascii.ts'
import type { Data } from 'apache-arrow'
import { ByteWriter } from '../../lib/bytes.ts'
import type { ColumnType, MapType, StructType, ScalarName } from '../../tables/types.ts'
import { writeJsonString } from './write/strings.ts'
import { SCALAR_TEXT, scalarText, timestampCell, type CellWriter, isNull } from './scalars.ts'

const encoder = new TextEncoder()
const NULL = encoder.encode('null')

/**
 * Returns a writer of a column's cells as JSON, including nulls: numbers with all digits, everything else as strings,
 * including NaN and infinities. A map is an object if its keys are VARCHAR, else a list of its entries.
 * @param data of the physical type `toArrowType(type)`
 */
export function makeCellJson(type: ColumnType, data: Data): CellWriter {
  const value = makeValueJson(type, data)
  if (data.nullCount === 0) return value
  return (out, row) => {
    if (isNull(data, row)) out.append(NULL)
    else value(out, row)
  }
}

/** Like `makeCellJson`, but for cells that aren't null. */
export function makeValueJson(type: ColumnType, data: Data): CellWriter {
  switch (type.kind) {
    case 'decimal':
      return scalarText(type, data)
    case 'list': {
      const item = makeCellJson(type.item, data.children[0])
      const offsets: Int32Array = data.valueOffsets
      return (out, row) => {
        out.byte(0x5b)
        const start = offsets[row]
        for (let i = start; i < offsets[row + 1]; i++) {
          if (i > start) out.byte(COMMA)
          item(out, i)
        }
        out.byte(0x5d)
      }
    }
    case 'struct':
      return structJson(type, data)
    case 'map':
      return mapJson(type, data)
    case 'scalar':
      return (JSON_TEXT[type.name] ?? SCALAR_TEXT[type.name])(data)
  }
}

function jsonKey(name: string): Uint8Array {
  const out = new ByteWriter(name.length + 8)
  const bytes = encoder.encode(name)
  writeJsonString(out, bytes, 0, bytes.length)
  out.byte(COLON)
  return out.take()
}

function structJson(type: StructType, data: Data): CellWriter {
  const keys = type.fields.map((field) => jsonKey(field.name))
  const cells = type.fields.map((field, i) => makeCellJson(field.type, data.children[i]))
  return (out, row) => {
    out.byte(0x7b)
    for (let i = 0; i < cells.length; i++) {
      if (i > 0) out.byte(COMMA)
      out.append(keys[i])
      cells[i](out, row)
    }
    out.byte(0x7d)
  }
}

const KEY = jsonKey('key')
const VALUE = jsonKey('value')

function mapJson(type: MapType, data: Data): CellWriter {
  const offsets: Int32Array = data.valueOffsets
  const [entries] = data.children
  const key = makeCellJson(type.key, entries.children[0])
  const value = makeCellJson(type.value, entries.children[1])
  const asObject = type.key.kind === 'scalar' && type.key.name === 'VARCHAR'
  return (out, row) => {
    out.byte(asObject ? 0x7b : 0x5b)
    const start = offsets[row]
    for (let i = start; i < offsets[row + 1]; i++) {
      if (i > start) out.byte(COMMA)
      if (!asObject) {
        out.byte(0x7b)
        out.append(KEY)
      }
      key(out, i)
      out.byte(asObject ? COLON : COMMA)
      if (!asObject) out.append(VALUE)
      value(out, i)
      if (!asObject) out.byte(0x7d)
    }
    out.byte(asObject ? 0x7d : 0x5d)
  }
}

/** Between date and time is a `T`. */
const JSON_FORM = { separator: 0x54 }
const ZULU = encoder.encode('Z')

/** Scalars whose JSON differs from their text. */
const JSON_TEXT: Partial<Record<ScalarName, (data: Data) => CellWriter>> = {
  FLOAT: (data) => finite(SCALAR_TEXT.FLOAT(data), data),
  DOUBLE: (data) => finite(SCALAR_TEXT.DOUBLE(data), data),
  VARCHAR: stringJson,
  UUID: stringJson,
  INTERVAL: stringJson,
  BLOB: (data) => quoted(SCALAR_TEXT.BLOB(data)),
  DATE: (data) => quoted(SCALAR_TEXT.DATE(data)),
  TIME: (data) => quoted(SCALAR_TEXT.TIME(data)),
  TIMESTAMP: (data) => quoted(timestampCell(data, 6, JSON_FORM)),
  TIMESTAMP_S: (data) => quoted(timestampCell(data, 0, JSON_FORM)),
  TIMESTAMP_MS: (data) => quoted(timestampCell(data, 3, JSON_FORM)),
  TIMESTAMP_NS: (data) => quoted(timestampCell(data, 9, JSON_FORM)),
  'TIMESTAMP WITH TIME ZONE': (data) => quoted(timestampCell(data, 6, { ...JSON_FORM, zone: ZULU })),
}

function quoted(cell: CellWriter): CellWriter {
  return (out, row) => {
    out.byte(QUOTE)
    cell(out, row)
    out.byte(QUOTE)
  }
}

/** JSON has no NaN or infinities. */
function finite(cell: CellWriter, data: Data): CellWriter {
  const values: Float64Array | Float32Array = data.values
  const text = quoted(cell)
  return (out, row) => {
    if (Number.isFinite(values[row])) cell(out, row)
    else text(out, row)
  }
}

function stringJson(data: Data): CellWriter {
  const bytes: Uint8Array = data.values
  const offsets: Int32Array = data.valueOffsets
  return (out, row) => writeJsonString(out, bytes, offsets[row], offsets[row + 1])
}
