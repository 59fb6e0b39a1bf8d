import { tokenize } from '../../lib/duckdb-sql/lexer.ts'
import { foldName } from '../../lib/names.ts'
import { freeName, proposeName } from '../names.ts'
import type { ShapeTable } from './types.ts'
import { stemOf } from '../file-names.ts'

/** The source of the tables. */
export interface ShapeSource {
  /** Name of the file or of the combined table. */
  readonly name: string
  /** Whether several files were combined, so that the name isn't a file's. */
  readonly combined?: boolean
  /** Names of the tables in order. */
  readonly tables: readonly (string | null)[]
}

/** Endings of recurring file names: a date, or a number in parentheses. */
const NUMBER = /[\s._-]+(?:\(\d+\)|\d[\d._-]*)$/

/**
 * Names a file's tables for a statement: the statement's names where it has them, new ones for the others. If both have
 * a single table, these match whatever their names.
 * @param known the statement's tables; empty if there's no statement yet
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

/** `Sales` for `Sales 2024 (2)`. */
function lastingName(stem: string): string {
  const lasting = stem.replace(NUMBER, '').replace(NUMBER, '')
  return /\p{L}/u.test(lasting) ? lasting : stem
}

/** First words of statements that return rows. */
const READING = new Set(['select', 'from', 'with', 'values', 'table', 'pivot', 'unpivot', 'summarize', '('])

/** What is wrong with a statement for shaping, judging by its words; null if nothing is. The engine checks the rest. */
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

/** The engine's message, adapted to a statement that only has the tables of its card. */
export function shapeMessage(message: string): string {
  const file = /^No file (.+) is here: drop it on this screen\.$/.exec(message)?.[1]
  return file === undefined ? message : `The statement can’t read the file ${file}, only tables.`
}
