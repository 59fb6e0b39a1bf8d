import { isNested, sameType, scalar, VARCHAR, type ColumnType, type ScalarName, type StructType } from '../types.ts'

/** The narrowest type that holds the values of all these types unchanged; VARCHAR if there is none. */
export function unify(types: readonly ColumnType[]): ColumnType {
  const [first = VARCHAR, ...others] = types
  if (others.every((type) => sameType(type, first))) return first
  return unifyNumbers(types) ?? unifyMoments(types) ?? unifyNested(types) ?? VARCHAR
}

interface IntegerRange {
  readonly name: ScalarName
  readonly signed: boolean
  readonly bits: number
  /** Of its largest value. */
  readonly digits: number
}

/** From narrow to wide, the order in which they are tried. */
const INTEGERS: readonly IntegerRange[] = [
  { name: 'TINYINT', signed: true, bits: 8, digits: 3 },
  { name: 'UTINYINT', signed: false, bits: 8, digits: 3 },
  { name: 'SMALLINT', signed: true, bits: 16, digits: 5 },
  { name: 'USMALLINT', signed: false, bits: 16, digits: 5 },
  { name: 'INTEGER', signed: true, bits: 32, digits: 10 },
  { name: 'UINTEGER', signed: false, bits: 32, digits: 10 },
  { name: 'BIGINT', signed: true, bits: 64, digits: 19 },
  { name: 'UBIGINT', signed: false, bits: 64, digits: 20 },
  // Limited to 38 digits, which our batches hold.
  { name: 'HUGEINT', signed: true, bits: 128, digits: 38 },
]

const integerOf = (type: ColumnType): IntegerRange | undefined =>
  type.kind === 'scalar' ? INTEGERS.find(({ name }) => name === type.name) : undefined

export const isInteger = (type: ColumnType): boolean => integerOf(type) !== undefined

const isFloat = (type: ColumnType): boolean =>
  type.kind === 'scalar' && (type.name === 'FLOAT' || type.name === 'DOUBLE')

/** Decimal digits that a double always preserves. */
const DOUBLE_DIGITS = 15
const DECIMAL_DIGITS = 38

function unifyNumbers(types: readonly ColumnType[]): ColumnType | null {
  let whole = 0
  let scale = 0
  const integers: IntegerRange[] = []
  for (const type of types) {
    const integer = integerOf(type)
    if (integer) integers.push(integer)
    else if (type.kind !== 'decimal' && !isFloat(type)) return null
    whole = Math.max(whole, integer?.digits ?? (type.kind === 'decimal' ? type.width - type.scale : 0))
    scale = Math.max(scale, type.kind === 'decimal' ? type.scale : 0)
  }
  if (types.some(isFloat)) return types.every(fitsDouble) ? scalar('DOUBLE') : VARCHAR
  if (integers.length === types.length) return scalar(unifyIntegers(integers))
  return whole + scale > DECIMAL_DIGITS ? VARCHAR : { kind: 'decimal', width: whole + scale, scale }
}

function fitsDouble(type: ColumnType): boolean {
  if (type.kind === 'decimal') return type.width <= DOUBLE_DIGITS
  return isFloat(type) || (integerOf(type)?.digits ?? Infinity) <= DOUBLE_DIGITS
}

function unifyIntegers(ranges: readonly IntegerRange[]): ScalarName {
  const holds = (wide: IntegerRange, { signed, bits }: IntegerRange): boolean =>
    signed === wide.signed ? bits <= wide.bits : wide.signed && bits < wide.bits
  return INTEGERS.find((wide) => ranges.every((range) => holds(wide, range)))?.name ?? 'HUGEINT'
}

const MOMENTS = new Set<ScalarName>(['DATE', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP'])

/**
 * TIMESTAMP_NS has a smaller range, and TIMESTAMP WITH TIME ZONE a different meaning, so neither unifies with other
 * types.
 */
function unifyMoments(types: readonly ColumnType[]): ColumnType | null {
  return types.every((type) => type.kind === 'scalar' && MOMENTS.has(type.name)) ? scalar('TIMESTAMP') : null
}

/** Lists, maps and structs unify by their elements, structs only with the same fields; null (JSON text) otherwise. */
function unifyNested(types: readonly ColumnType[]): ColumnType | null {
  if (!types.every(isNested)) return null
  const lists = types.flatMap((type) => (type.kind === 'list' ? [type.item] : []))
  if (lists.length === types.length) {
    const item = unifyWithin(lists)
    return item && { kind: 'list', item }
  }
  const structs = types.flatMap((type) => (type.kind === 'struct' ? [type] : []))
  return structs.length === types.length ? unifyStructs(structs) : null
}

function unifyStructs(types: readonly StructType[]): ColumnType | null {
  const [first, ...others] = types
  if (!first || others.some(({ fields }) => fields.length !== first.fields.length)) return null
  const fields = first.fields.map(({ name }, i) => {
    const same = types.every((type) => type.fields[i]?.name === name)
    const type = same ? unifyWithin(types.flatMap(({ fields: [...own] }) => own[i]?.type ?? [])) : null
    return type && { name, type }
  })
  const known = fields.filter((field) => field !== null)
  return known.length === fields.length ? { kind: 'struct', fields: known } : null
}

/** Nested values can't fall back to text one by one, only as a whole. */
function unifyWithin(types: readonly ColumnType[]): ColumnType | null {
  const type = unify(types)
  return sameType(type, VARCHAR) && !types.every((each) => sameType(each, VARCHAR)) ? null : type
}
