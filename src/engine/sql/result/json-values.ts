import type { Data } from 'apache-arrow'
import type { ColumnType, ScalarName } from '../../../tables/types.ts'
import { cellToString } from '../../arrow/text.ts'
import { isNull } from '../../arrow/scalars.ts'

/** Gives a row's value as JSON has it. */
export type CellValue = (row: number) => unknown

/**
 * Makes what gives a column's values as the service's contract wants them in JSON.
 * @param data of the physical type `toArrowType(type)`
 */
export function makeCellValue(type: ColumnType, data: Data): CellValue {
  const value = valueOf(type, data)
  return (row) => (isNull(data, row) ? null : value(row))
}

function valueOf(type: ColumnType, data: Data): CellValue {
  switch (type.kind) {
    case 'decimal':
      return textOf(type, data)
    case 'list': {
      const items = makeCellValue(type.item, data.children[0])
      return (row) => range(data, row, items)
    }
    case 'struct': {
      const fields = type.fields.map((field, i) => [field.name, makeCellValue(field.type, data.children[i])] as const)
      return (row) => Object.fromEntries(fields.map(([name, value]) => [name, value(row)]))
    }
    case 'map': {
      const [entries] = data.children
      const key = makeCellValue(type.key, entries.children[0])
      const value = makeCellValue(type.value, entries.children[1])
      return (row) => range(data, row, (i) => ({ key: key(i), value: value(i) }))
    }
    case 'scalar':
      return SCALARS[type.name]?.(data) ?? textOf(type, data)
  }
}

function range(data: Data, row: number, item: CellValue): unknown[] {
  const offsets: Int32Array = data.valueOffsets
  const values: unknown[] = []
  for (let i = offsets[row]; i < offsets[row + 1]; i++) values.push(item(i))
  return values
}

/** The scalars whose JSON isn't their canonical text. */
const SCALARS: Partial<Record<ScalarName, (data: Data) => CellValue>> = {
  BOOLEAN: bit,
  TINYINT: plain,
  SMALLINT: plain,
  INTEGER: plain,
  UTINYINT: plain,
  USMALLINT: plain,
  UINTEGER: plain,
  BIGINT: long,
  UBIGINT: long,
  FLOAT: (data) => {
    const text = textOf({ kind: 'scalar', name: 'FLOAT' }, data)
    // The shortest text of the float: 0.1, not 0.10000000149011612.
    return (row) => number(data.values[row], () => Number(text(row)))
  },
  DOUBLE: (data) => (row) => number(data.values[row], (value) => value),
  TIMESTAMP: (data) => moment('TIMESTAMP', data),
  TIMESTAMP_S: (data) => moment('TIMESTAMP_S', data),
  TIMESTAMP_MS: (data) => moment('TIMESTAMP_MS', data),
  TIMESTAMP_NS: (data) => moment('TIMESTAMP_NS', data, 9),
  'TIMESTAMP WITH TIME ZONE': (data) => {
    const local = moment('TIMESTAMP', data)
    return (row) => {
      const text = String(local(row))
      return text.endsWith('infinity') ? text : `${text}Z`
    }
  },
  TIME: (data) => {
    const text = textOf({ kind: 'scalar', name: 'TIME' }, data)
    return (row) => micro(String(text(row)), 6)
  },
}

function bit(data: Data): CellValue {
  const bits: Uint8Array = data.values
  return (row) => {
    const at = data.offset + row
    return (bits[at >> 3] & (1 << (at & 7))) !== 0
  }
}

function plain(data: Data): CellValue {
  const values: Int32Array = data.values
  return (row) => values[row]
}

function long(data: Data): CellValue {
  const values: BigInt64Array | BigUint64Array = data.values
  return (row) => {
    const value = values[row]
    const short = Number(value)
    return Number.isSafeInteger(short) ? short : String(value)
  }
}

function number(value: number, finite: (value: number) => number): number | string {
  if (Number.isFinite(value)) return finite(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'
}

function textOf(type: ColumnType, data: Data): (row: number) => string | null {
  return (row) => cellToString(type, data, row)
}

function moment(name: ScalarName, data: Data, digits = 6): CellValue {
  const text = textOf({ kind: 'scalar', name }, data)
  return (row) => {
    const own = String(text(row))
    return own.endsWith('infinity') ? own : micro(own.replace(' ', 'T'), digits)
  }
}

/** A clock's text with all digits of its fraction. */
function micro(text: string, digits: number): string {
  const [whole = '', fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(digits, '0')}`
}
