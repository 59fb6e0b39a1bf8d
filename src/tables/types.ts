import { quoteName } from '../lib/duckdb-sql/names.ts'

/**
 * Column types, with DuckDB's names. These are the types between readers and writers: each reader maps its own types to
 * them, and each writer maps them to its own.
 */
const SCALARS = [
  'BOOLEAN',
  'TINYINT',
  'SMALLINT',
  'INTEGER',
  'BIGINT',
  'HUGEINT',
  'UTINYINT',
  'USMALLINT',
  'UINTEGER',
  'UBIGINT',
  'FLOAT',
  'DOUBLE',
  'VARCHAR',
  'BLOB',
  'UUID',
  'DATE',
  'TIME',
  'TIMESTAMP',
  'TIMESTAMP_S',
  'TIMESTAMP_MS',
  'TIMESTAMP_NS',
  'TIMESTAMP WITH TIME ZONE',
  'INTERVAL',
  /** Any JSON value as its text, without white space between tokens. */
  'JSON',
] as const
export type ScalarName = (typeof SCALARS)[number]

export interface ScalarType {
  readonly kind: 'scalar'
  readonly name: ScalarName
}
export interface DecimalType {
  readonly kind: 'decimal'
  /** Precision: total digits, 1 to 38. */
  readonly width: number
  /** Digits after the point, 0 to width. */
  readonly scale: number
}
export interface ListType {
  readonly kind: 'list'
  readonly item: ColumnType
}
export interface StructField {
  readonly name: string
  readonly type: ColumnType
}
export interface StructType {
  readonly kind: 'struct'
  readonly fields: readonly StructField[]
}
export interface MapType {
  readonly kind: 'map'
  readonly key: ColumnType
  readonly value: ColumnType
}
export type ColumnType = ScalarType | DecimalType | ListType | StructType | MapType

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** For JSON: whether rows may lack the value, as distinct from having null. */
  readonly optional?: boolean
  /** For JSON: an object whose members are written among the row's own. */
  readonly members?: boolean
  /** For JSON: the objects that contain the value, outermost first, and its key in the last. */
  readonly within?: { readonly objects: readonly NestedIn[]; readonly key: string }
  /**
   * Set for the column that tells each row's place in nested records. It isn't written itself; the steps are what was
   * unfolded and is to be nested again.
   */
  readonly nesting?: readonly NestingStep[]
}

/** A list whose elements became rows, or an object whose keys became columns. */
export interface NestingStep {
  /** Name of the column. */
  readonly column: string
  readonly as: 'columns' | 'rows'
  /** Keys of the objects that contain it, and its own key. */
  readonly objects: readonly string[]
  readonly key: string
}

/** An object within a row. */
export interface NestedIn {
  readonly key: string
  /** What is written if none of its keys has a value: `absent`, not even its key; `object`, the object with nulls. */
  readonly none: 'null' | 'absent' | 'empty' | 'object'
}

export const scalar = (name: ScalarName): ScalarType => ({ kind: 'scalar', name })
export const VARCHAR: ScalarType = scalar('VARCHAR')
export const JSON_TYPE: ScalarType = scalar('JSON')

const INTEGER = /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/

/** Whether it's the name of an integer type. */
export const isInteger = (type: string): boolean => INTEGER.test(type)

/** Whether it's the name of a numeric type, whose values are right-aligned. */
export const isNumeric = (type: string): boolean => isInteger(type) || /^(FLOAT|DOUBLE|DECIMAL.*)$/.test(type)

export const isTemporal = (type: string): boolean => type.startsWith('DATE') || type.startsWith('TIME')

const ALIASES: Readonly<Record<string, ScalarName>> = {
  BOOL: 'BOOLEAN',
  INT: 'INTEGER',
  INT1: 'TINYINT',
  INT2: 'SMALLINT',
  INT4: 'INTEGER',
  INT8: 'BIGINT',
  LONG: 'BIGINT',
  REAL: 'FLOAT',
  FLOAT4: 'FLOAT',
  FLOAT8: 'DOUBLE',
  TEXT: 'VARCHAR',
  STRING: 'VARCHAR',
  BYTEA: 'BLOB',
  VARBINARY: 'BLOB',
  DATETIME: 'TIMESTAMP',
  TIMESTAMPTZ: 'TIMESTAMP WITH TIME ZONE',
}

export function isNested(type: ColumnType): type is ListType | StructType | MapType {
  return type.kind === 'list' || type.kind === 'struct' || type.kind === 'map'
}

/** A type that isn't nested. */
export type LeafType = ScalarType | DecimalType

/** What a nested type is made of, in order: a list of its item, a map of its key and its value. */
export function partsOf(type: ColumnType): readonly ColumnType[] {
  if (type.kind === 'list') return [type.item]
  if (type.kind === 'map') return [type.key, type.value]
  return type.kind === 'struct' ? type.fields.map((field) => field.type) : []
}

/** The types at any depth that aren't nested; the type itself, if it isn't. */
export function leavesOf(type: ColumnType): readonly LeafType[] {
  return isNested(type) ? partsOf(type).flatMap(leavesOf) : [type]
}

/** The type with each of its leaves replaced. */
export function mapLeaves(type: ColumnType, replace: (leaf: LeafType) => ColumnType): ColumnType {
  switch (type.kind) {
    case 'scalar':
    case 'decimal':
      return replace(type)
    case 'list':
      return { kind: 'list', item: mapLeaves(type.item, replace) }
    case 'map':
      return { kind: 'map', key: mapLeaves(type.key, replace), value: mapLeaves(type.value, replace) }
    case 'struct':
      return {
        kind: 'struct',
        fields: type.fields.map(({ name, type: own }) => ({ name, type: mapLeaves(own, replace) })),
      }
  }
}

/** Whether the types are equal, including field names. */
export function sameType(a: ColumnType, b: ColumnType): boolean {
  switch (a.kind) {
    case 'scalar':
      return b.kind === 'scalar' && a.name === b.name
    case 'decimal':
      return b.kind === 'decimal' && a.width === b.width && a.scale === b.scale
    case 'list':
      return b.kind === 'list' && sameType(a.item, b.item)
    case 'map':
      return b.kind === 'map' && sameType(a.key, b.key) && sameType(a.value, b.value)
    case 'struct':
      return (
        b.kind === 'struct' &&
        a.fields.length === b.fields.length &&
        a.fields.every((field, i) => sameField(field, b.fields[i]))
      )
  }
}

function sameField(a: StructField, b: StructField | undefined): boolean {
  return b !== undefined && a.name === b.name && sameType(a.type, b.type)
}

export function isJson(type: ColumnType): boolean {
  return type.kind === 'scalar' && type.name === 'JSON'
}

/** The type with VARCHAR instead of JSON, for formats without such values. */
export const withoutJson = (type: ColumnType): ColumnType => mapLeaves(type, (leaf) => (isJson(leaf) ? VARCHAR : leaf))

/** A type's name in DuckDB's notation: `DECIMAL(18,3)`, `STRUCT(a INTEGER, "b c" VARCHAR[])`. */
export function printType(type: ColumnType): string {
  switch (type.kind) {
    case 'scalar':
      return type.name
    case 'decimal':
      return `DECIMAL(${type.width},${type.scale})`
    case 'list':
      return `${printType(type.item)}[]`
    case 'struct':
      return `STRUCT(${type.fields.map((f) => `${quoteName(f.name)} ${printType(f.type)}`).join(', ')})`
    case 'map':
      return `MAP(${printType(type.key)}, ${printType(type.value)})`
  }
}

/**
 * Parses a type's name in DuckDB's notation, including aliases.
 * @throws {TypeNameError} if it isn't a type that a table can hold
 */
export function parseType(text: string): ColumnType {
  return new TypeParser(text).parse()
}

export class TypeNameError extends Error {
  readonly tag = 'TypeNameError'
  readonly text: string
  constructor(text: string, position: number) {
    super(`“${text}” is not a column type (at character ${position + 1})`)
    this.text = text
  }
}

export class TypeParser {
  protected at = 0
  protected readonly text: string

  constructor(text: string) {
    this.text = text
  }

  parse(): ColumnType {
    const type = this.type()
    this.space()
    if (this.at < this.text.length) throw this.error()
    return type
  }

  private type(): ColumnType {
    let type = this.base()
    while (this.take('[')) {
      while (/[0-9]/.test(this.peek())) this.at++
      this.expect(']')
      type = { kind: 'list', item: type }
    }
    return type
  }

  protected base(): ColumnType {
    this.space()
    const word = this.word().toUpperCase()
    if (word === 'STRUCT') return { kind: 'struct', fields: this.list(() => this.field()) }
    if (word === 'MAP') {
      const [key, value, ...rest] = this.list(() => this.type())
      if (!key || !value || rest.length > 0) throw this.error()
      return { kind: 'map', key, value }
    }
    if (word === 'DECIMAL' || word === 'NUMERIC') {
      this.space()
      if (this.peek() !== '(') return { kind: 'decimal', width: 18, scale: 3 }
      const [width = 18, scale = 0] = this.list(() => this.integer())
      if (width < 1 || width > 38 || scale > width) throw this.error()
      return { kind: 'decimal', width, scale }
    }
    if (word === 'TIMESTAMP' && /^\s+with\s+time\s+zone\b/i.test(this.text.slice(this.at))) {
      this.at += /^\s+with\s+time\s+zone/i.exec(this.text.slice(this.at))?.[0].length ?? 0
      return scalar('TIMESTAMP WITH TIME ZONE')
    }
    const alias = Object.hasOwn(ALIASES, word) ? ALIASES[word] : undefined
    if (alias) return scalar(alias)
    const name = SCALARS.find((each) => each === word)
    return name ? scalar(name) : this.unknown(word)
  }

  protected unknown(_word: string): ColumnType {
    throw this.error()
  }

  private field(): StructField {
    this.space()
    const name = this.peek() === '"' ? this.quoted() : this.word()
    return { name, type: this.type() }
  }

  protected quoted(): string {
    const match = /^"((?:[^"]|"")*)"/.exec(this.text.slice(this.at))
    if (!match) throw this.error()
    this.at += match[0].length
    return (match[1] ?? '').replaceAll('""', '"')
  }

  private list<T>(item: () => T): T[] {
    this.expect('(')
    const items = [item()]
    while (this.take(',')) items.push(item())
    this.expect(')')
    return items
  }

  private integer(): number {
    this.space()
    const digits = /^[0-9]{1,3}/.exec(this.text.slice(this.at))?.[0]
    if (!digits) throw this.error()
    this.at += digits.length
    return Number(digits)
  }

  protected word(): string {
    this.space()
    const word = /^[A-Za-z_][A-Za-z0-9_]*/.exec(this.text.slice(this.at))?.[0]
    if (!word) throw this.error()
    this.at += word.length
    return word
  }

  private take(char: string): boolean {
    this.space()
    if (this.peek() !== char) return false
    this.at++
    return true
  }

  private expect(char: string): void {
    if (!this.take(char)) throw this.error()
  }

  protected peek(): string {
    return this.text.charAt(this.at)
  }

  protected space(): void {
    while (/\s/.test(this.peek())) this.at++
  }

  protected error(): TypeNameError {
    return new TypeNameError(this.text, this.at)
  }
}
