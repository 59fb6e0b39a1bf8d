import { foldName } from '../../lib/names.ts'
import { quoteIdentifier } from '../../lib/duckdb-sql/names.ts'
import { printType, type ColumnType } from '../../tables/types.ts'
import { valuesOf } from './rewrite.ts'
import { unquoted, type Statement, type Token } from './statement.ts'

/** How a value after RETURNING is read. */
interface Returned {
  readonly type: ColumnType
  /** Whether the engine must cast it first. */
  readonly cast: boolean
}

/**
 * A statement with casts after RETURNING: unlike a query, it can't be put into another one that casts. Null if there's an
 * expression of which it isn't known what it's called.
 * @param text the statement, as long as it was when it was tokenized
 * @param at where RETURNING stands, and the columns of the changed table
 */
export function castReturned(
  text: string,
  { tokens }: Statement,
  { at, columns }: { readonly at: number; readonly columns: readonly string[] },
  types: readonly Returned[],
): string | null {
  const first = tokens.findIndex(({ start }) => start >= at) + 1
  const items = valuesOf(tokens.slice(first)).flatMap((item): (Item | null)[] =>
    /^(?:[^.]+\.)*\*$/.test(item.map((token) => token.text).join(''))
      ? columns.map((name) => ({ expression: quoteIdentifier(name), name }))
      : [named(item, text)],
  )
  if (items.length !== types.length) return null
  const written: string[] = []
  for (const [i, item] of items.entries()) {
    if (!item) return null
    const { cast, type } = types[i]
    const name = columns.find((column) => foldName(column) === foldName(item.name)) ?? item.name
    // A comment may be at the expression's end.
    const value = cast ? `CAST(${item.expression}\nAS ${printType(type)})` : `${item.expression}\n`
    written.push(`${value} AS ${quoteIdentifier(name)}`)
  }
  return `${text.slice(0, at)}RETURNING ${written.join(', ')}`
}

interface Item {
  readonly expression: string
  readonly name: string
}

/** A column, or an expression with AS and a name; null for others. */
function named(item: readonly Token[], text: string): Item | null {
  const [first] = item
  const name = item.at(-1)
  if (!first || !name || name.kind === 'operator' || name.kind === 'number') return null
  const as = item.at(-2)
  const from = first.start
  if (as && /^as$/i.test(as.text)) return { expression: text.slice(from, as.start), name: unquoted(name.text) }
  const isColumn = item.every((token, i) => (i % 2 === 0 ? token.kind !== 'string' : token.text === '.'))
  if (!isColumn || item.length % 2 === 0) return null
  return { expression: text.slice(from, name.start + name.text.length), name: unquoted(name.text) }
}
