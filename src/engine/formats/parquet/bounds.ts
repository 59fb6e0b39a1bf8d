import { sameType, scalar, type ColumnType } from '../../../tables/types.ts'
import { printDecimal } from '../../arrow/write/digits.ts'
import { keeps } from '../shared/leaf-types.ts'
import type { Bounds, EngineContext, FilePart } from '../types.ts'
import { PHYSICAL, type ColumnChunk, type Footer, type SchemaElement } from './footer.ts'
import { openFile, type OpenedFile } from './open.ts'
import { unscaled } from './schema.ts'

/*
 * Bounds of a row group's values from the footer's statistics. Omitted if there's any doubt: for floating-point
 * numbers, since statistics ignore NaN, and for types whose values differ from the file's bytes.
 */

const INTEGERS = /^U?(?:TINYINT|SMALLINT|INTEGER|BIGINT)$/
const TIMES: readonly ColumnType[] = [scalar('TIMESTAMP'), scalar('TIMESTAMP WITH TIME ZONE')]
/** Beyond these days, years in ISO 8601 have signs. */
const FIRST_DAY = -719_162
const LAST_DAY = 2_932_896
const DAY_MS = 86_400_000
const MICROS_OF_UNIT: readonly (bigint | undefined)[] = [undefined, 1000n, 1n]

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The row groups of a file, which can be read separately, with the bounds of their values. */
export async function rowGroupParts(file: File, context: EngineContext): Promise<FilePart[]> {
  const opened = await openFile(file, context)
  return opened.footer.rowGroups.map(({ rows }, group) => ({
    rows,
    bounds: (column) => boundsOf(opened, group, column),
  }))
}

function boundsOf({ footer, columns, typed }: OpenedFile, group: number, index: number): Bounds | null {
  const column = columns[index]
  const values = typed[index]
  if (!column || !values || column.element.physical === undefined || column.element.repetition === 2) return null
  if (values.asText || !keeps(values.rules)) return null
  const chunk = chunkOf(footer, group, column.firstLeaf)
  if (!chunk?.min || !chunk.max || chunk.oddStatistics) return null
  const [min, max] = [chunk.min, chunk.max].map((bytes) => valueOf(bytes, values.type, column.element))
  return min === null || max === null || min === undefined || max === undefined ? null : { type: values.type, min, max }
}

function chunkOf({ rowGroups: groups }: Footer, group: number, leaf: number): ColumnChunk | undefined {
  return groups[group]?.columns[leaf]
}

/** A bound as DuckDB writes values of the type; null if unknown. */
function valueOf(bytes: Uint8Array, type: ColumnType, element: SchemaElement): string | null {
  const { physical } = element
  if (type.kind === 'decimal') return printDecimal(unscaled(bytes, element), type.scale)
  if (type.kind !== 'scalar') return null
  if (type.name === 'VARCHAR') return physical === PHYSICAL.bytes ? text(bytes) : null
  if (physical !== PHYSICAL.int32 && physical !== PHYSICAL.int64) return null
  const signed = unscaled(bytes, element)
  if (INTEGERS.test(type.name)) {
    return String(type.name.startsWith('U') ? BigInt.asUintN(bytes.length * 8, signed) : signed)
  }
  if (type.name === 'DATE') return physical === PHYSICAL.int32 ? day(Number(signed)) : null
  const micros = MICROS_OF_UNIT[element.unit ?? 0]
  return TIMES.some((each) => sameType(each, type)) && micros !== undefined && physical === PHYSICAL.int64
    ? moment(signed * micros, type.name === 'TIMESTAMP' ? '' : '+00')
    : null
}

/** A truncated text may end within a character. */
function text(bytes: Uint8Array): string | null {
  try {
    const value = utf8.decode(bytes)
    return value.includes('\0') ? null : value
  } catch {
    return null
  }
}

function day(days: number): string | null {
  return days < FIRST_DAY || days > LAST_DAY ? null : new Date(days * DAY_MS).toISOString().slice(0, 10)
}

function moment(micros: bigint, zone: string): string | null {
  const seconds = (micros - (((micros % 1_000_000n) + 1_000_000n) % 1_000_000n)) / 1_000_000n
  const date = day(Math.floor(Number(seconds) / (DAY_MS / 1000)))
  if (date === null) return null
  const clock = new Date(Number(seconds) * 1000).toISOString().slice(11, 19)
  return `${date} ${clock}.${String(micros - seconds * 1_000_000n).padStart(6, '0')}${zone}`
}
