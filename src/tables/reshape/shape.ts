import { tokenize } from '../../lib/duckdb-sql/lexer.ts'
import { foldName } from '../../lib/names.ts'
import { freeName, proposeName, stemOf } from '../names.ts'
import type { ShapeTable } from './types.ts'

/** What the tables are of. */
export interface ShapeSource {
  /** The file's name, or the combined table's. */
  readonly name: string
  /** Whether several files were combined: then no file is called so. */
  readonly combined?: boolean
  /** Names of the tables that are read, in order. */
  readonly tables: readonly (string | null)[]
}

/** What ends the names of files that come again: a date, a number in parentheses. */
const NUMBER = /[\s._-]+(?:\(\d+\)|\d[\d._-]*)$/

/**
 * The names that a statement has for a file's tables: those that it knows already, and new ones for the others. Where
 * there's one table, it's the one, whatever it's called in the file.
 * @param known of the statement; empty where there's none yet
 */
export function shapeTables(known: readonly ShapeTable[], { name, combined, tables }: ShapeSource): ShapeTable[] {
  const [only] = known
  const alone = tables.length === 1 && known.length === 1
  const taken = new Set(known.map((each) => foldName(each.name)))
  return tables.map((table) => {
    const before = alone ? only : known.find((each) => each.table === table)
    if (before) return { ...before, table }
    const wanted =
      tables.length === 1 ? proposeName(`${lastingName(stemOf(name))}.csv`) : proposeName(name, table, true)
    const free = freeName(wanted, taken)
    taken.add(foldName(free))
    return { table, name: free, ...(combined ? {} : { file: name }) }
  })
}

/** `Sales` of `Sales 2024 (2)`. */
function lastingName(stem: string): string {
  const lasting = stem.replace(NUMBER, '').replace(NUMBER, '')
  return /\p{L}/u.test(lasting) ? lasting : stem
}

/** What statements begin with that give rows of tables. */
const READING = new Set(['select', 'from', 'with', 'values', 'table', 'pivot', 'unpivot', 'summarize', '('])

/**
 * What is wrong with a text as the statement between reading and writing, as far as its words tell; null where nothing
 * is. The engine tells the rest.
 */
export function shapeProblem(sql: string): string | null {
  const tokens = tokenize(sql).filter(({ kind }) => kind !== 'comment')
  const words = tokens.map(({ from, to }) => sql.slice(from, to))
  const last = words.findLastIndex((word) => word !== ';')
  if (last < 0) return 'Write a statement.'
  const end = words.indexOf(';')
  if (end >= 0 && end < last) return 'There can be only one statement.'
  const first = words[0] ?? ''
  if (READING.has(first.toLowerCase())) return null
  return `A statement that begins with ${first} gives no rows to write: begin with SELECT, FROM, WITH, VALUES, PIVOT, UNPIVOT or SUMMARIZE.`
}

/** What the engine says of a statement, where it's said of one that has the tables of a card alone. */
export function shapeMessage(message: string): string {
  const file = /^No file (.+) is here: drop it on this screen\.$/.exec(message)?.[1]
  return file === undefined ? message : `The statement can’t read the file ${file}, only tables.`
}
