/* Parses the `CREATE TABLE` that the database stores for each table. */

/** A column's value in rows written before it was added: its text and storage class. */
export interface Default {
  readonly kind: 'integer' | 'real' | 'text' | 'blob'
  readonly text: string
}

export interface SchemaColumn {
  readonly name: string
  /** As declared; empty if not declared. */
  readonly declared: string
  /** Whether it's an alias of the row id. */
  readonly isRowid: boolean
  /** Whether it's computed on reading, and so isn't in the file. */
  readonly isVirtual: boolean
  readonly default: Default | null
}

export interface TableSchema {
  readonly columns: readonly SchemaColumn[]
  /** Indexes of the columns in the order of a record. */
  readonly stored: readonly number[]
}

interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'blob' | 'sign'
  readonly text: string
}

const TOKENS =
  /\s+|--[^\n]*|\/\*[^]*?(?:\*\/|$)|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|[xX]'([\da-fA-F]*)'|'((?:[^']|'')*)'|(\d[\w.]*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([\w$\u0080-\u{10ffff}]+)|([^])/gu

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = []
  for (const [, double, tick, bracket, blob, single, number, word, sign] of sql.matchAll(TOKENS)) {
    const name = double?.replaceAll('""', '"') ?? tick?.replaceAll('``', '`') ?? bracket
    if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else if (blob !== undefined) tokens.push({ kind: 'blob', text: blob })
    else if (single !== undefined) tokens.push({ kind: 'text', text: single.replaceAll("''", "'") })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
  }
  return tokens
}

const isWord = (token: Token | undefined, ...words: string[]): boolean =>
  token?.kind === 'word' && words.includes(token.text.toUpperCase())
const isSign = (token: Token | undefined, sign: string): boolean => token?.kind === 'sign' && token.text === sign

/** The name and module of the virtual table that a statement creates; null if it creates none. */
export function virtualModule(sql: string): string | null {
  const tokens = tokensOf(sql.slice(0, 10_000))
  const using = tokens.findIndex((token) => isWord(token, 'USING'))
  return isWord(tokens[1], 'VIRTUAL') ? (tokens[using + 1]?.text ?? '') : null
}

/** Parses a `CREATE TABLE`; null if that isn't possible. */
export function parseTable(sql: string): TableSchema | null {
  const tokens = tokensOf(sql)
  const open = tokens.findIndex((token) => isSign(token, '('))
  if (open < 0) return null
  const { parts, end } = partsOf(tokens, open)
  const withoutRowid = tokens.some((token, i) => i > end && isWord(token, 'WITHOUT') && isWord(tokens[i + 1], 'ROWID'))
  const definitions = parts.filter((part) => part.length > 0)
  const isConstraint = ([first]: readonly Token[]): boolean =>
    isWord(first, 'CONSTRAINT', 'PRIMARY', 'UNIQUE', 'CHECK', 'FOREIGN')
  const parsed = definitions.filter((part) => !isConstraint(part)).map((part) => parseColumn(part))
  if (parsed.length === 0) return null
  const keys = definitions
    .filter(isConstraint)
    .map((part) => primaryKey(part))
    .find((key) => key !== null)
  const place = (name: string): number => parsed.findIndex((column) => column.name.toUpperCase() === name.toUpperCase())
  const own = parsed.findIndex((column) => column.isKey)
  const key = keys?.map(place).filter((index) => index >= 0) ?? (own >= 0 ? [own] : [])
  const [only] = key
  const columns = parsed.map((column, i): SchemaColumn => {
    const isAlias = !withoutRowid && key.length === 1 && only === i && column.declared.toUpperCase() === 'INTEGER'
    const { name, declared, isVirtual } = column
    return {
      name,
      declared,
      isVirtual,
      default: column.default,
      isRowid: isAlias && !(own === i && column.isDescending),
    }
  })
  const order = columns.map((_, i) => i).filter((i) => !columns[i]?.isVirtual)
  return { columns, stored: withoutRowid ? [...new Set([...key, ...order])] : order }
}

/** Splits the tokens between a parenthesis and its closing one at commas. */
function partsOf(tokens: readonly Token[], open: number): { parts: Token[][]; end: number } {
  const parts: Token[][] = [[]]
  let depth = 0
  let end = open
  for (; end < tokens.length; end++) {
    const token = tokens[end]
    if (isSign(token, '(') && depth++ === 0) continue
    if (isSign(token, ')') && --depth === 0) break
    if (depth === 1 && isSign(token, ',')) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return { parts, end }
}

/** The columns of a table constraint's primary key. */
function primaryKey(part: readonly Token[]): string[] | null {
  const at = part.findIndex((token, i) => isWord(token, 'PRIMARY') && isWord(part[i + 1], 'KEY'))
  if (at < 0) return null
  return partsOf(part, at + 2).parts.flatMap(([first]) => (first ? [first.text] : []))
}

const COLUMN_CONSTRAINTS = 'CONSTRAINT PRIMARY NOT NULL UNIQUE CHECK DEFAULT COLLATE REFERENCES GENERATED AS'.split(' ')

interface ParsedColumn extends Omit<SchemaColumn, 'isRowid'> {
  readonly isKey: boolean
  readonly isDescending: boolean
}

function parseColumn(part: readonly Token[]): ParsedColumn {
  const rest = part.slice(1)
  const first = rest.findIndex((token) => isWord(token, ...COLUMN_CONSTRAINTS))
  const type = first < 0 ? rest : rest.slice(0, first)
  const declared = type
    .map(({ text }) => text)
    .join(' ')
    .replace(/ ?([(,)]) ?/g, '$1')
    .replaceAll(',', ', ')
  const constraints = topLevel(first < 0 ? [] : rest.slice(first))
  const find = (...words: string[]): number =>
    constraints.findIndex((_, i) => words.every((word, j) => isWord(constraints[i + j], word)))
  const key = find('PRIMARY', 'KEY')
  const computed = find('AS')
  return {
    name: part[0]?.text ?? '',
    declared,
    isKey: key >= 0,
    isDescending: isWord(constraints[key + 2], 'DESC'),
    isVirtual: computed >= 0 && !constraints.slice(computed).some((token) => isWord(token, 'STORED')),
    default: defaultOf(constraints, find('DEFAULT')),
  }
}

/** The tokens outside parentheses. */
function topLevel(tokens: readonly Token[]): Token[] {
  let depth = 0
  return tokens.filter((token) => {
    if (isSign(token, ')')) depth--
    const outside = depth === 0
    if (isSign(token, '(')) depth++
    return outside
  })
}

function defaultOf(constraints: readonly Token[], at: number): Default | null {
  if (at < 0) return null
  const sign = constraints[at + 1]
  const isSigned = isSign(sign, '-') || isSign(sign, '+')
  const token = isSigned ? constraints[at + 2] : sign
  const minus = isSign(sign, '-') ? '-' : ''
  if (!token) return null
  if (isWord(token, 'TRUE', 'FALSE')) return { kind: 'integer', text: isWord(token, 'TRUE') ? '1' : '0' }
  if (token.kind === 'number') {
    const isHex = /^0x/i.test(token.text)
    if (isHex) return { kind: 'integer', text: String(BigInt.asIntN(64, BigInt(token.text)) * (minus ? -1n : 1n)) }
    return { kind: /[.e]/i.test(token.text) ? 'real' : 'integer', text: minus + token.text }
  }
  if (token.kind === 'text' || token.kind === 'name') return { kind: 'text', text: token.text }
  return token.kind === 'blob' ? { kind: 'blob', text: token.text } : null
}
