import type { ScriptStatement, TextRange } from '../../../engine/client.ts'
import { tokenize } from '../../../lib/duckdb-sql/index.ts'

/* Positions in a script's text. */

/** The statement that contains the cursor, or the last one before it. Null if there's none. */
export function statementAt(statements: readonly ScriptStatement[], cursor: number): ScriptStatement | null {
  const before = statements.filter(({ from }) => from <= cursor)
  return before.at(-1) ?? statements[0] ?? null
}

/** Moves statements by an offset. */
export function shifted(statements: readonly ScriptStatement[], by: number): ScriptStatement[] {
  return statements.map((statement) => ({ ...statement, from: statement.from + by, to: statement.to + by }))
}

/** Offset of a line and column, both from 1, in UTF-16 code units; null if the text has no such position. */
export function offsetOf(text: string, line: number, column: number): number | null {
  if (line < 1 || column < 1) return null
  let start = 0
  for (let n = 1; n < line; n++) {
    const end = text.indexOf('\n', start)
    if (end === -1) return null
    start = end + 1
  }
  const offset = start + column - 1
  return offset <= text.length ? offset : null
}

/** Line of an offset, from 1. */
export function lineOf(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

const WORD = /[\p{L}\p{N}_$]+|"(?:[^"]|"")*"|'(?:[^']|'')*'|\S/uy

/** The word, quoted name or operator that begins at an offset; at the end of the text, its last character. */
export function wordAt(text: string, offset: number): TextRange {
  WORD.lastIndex = offset
  const found = WORD.exec(text)
  if (found) return { from: offset, to: offset + found[0].length }
  const from = Math.min(offset, Math.max(0, text.length - 1))
  return { from, to: Math.min(text.length, from + 1) }
}

/**
 * Finds a part of an older text in the current one: at its former position, else at its only occurrence. Null if it's
 * gone or ambiguous.
 */
export function findAgain(text: string, part: string, from: number): TextRange | null {
  if (part === '') return null
  const stands = (at: number): boolean => !isWithinWord(text, at) && !isWithinWord(text, at + part.length)
  if (text.startsWith(part, from) && stands(from)) return { from, to: from + part.length }
  const at = text.indexOf(part)
  if (at === -1 || text.indexOf(part, at + 1) !== -1 || !stands(at)) return null
  return { from: at, to: at + part.length }
}

/** Whether the position is inside a word or number: `SELECT 1` isn't found in `SELECT 10`. */
const isWithinWord = (text: string, at: number): boolean =>
  /^[\p{L}\p{N}_$]{2}$/u.test(text.slice(Math.max(0, at - 1), at + 1))

interface RunText {
  readonly statement: string
  /** Its former offset. */
  readonly from: number
  /** Whether it was selected: the text around it may belong to the same statement. */
  readonly selected?: boolean
}

const BEFORE_STATEMENT = /(?:^|;)(?:\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*$/
const AFTER_STATEMENT = /^(?:\s|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:;|$)/

/** Finds a run's statement in the current text, if neither it nor its surroundings have changed. */
export function findStatement(text: string, { statement, from, selected = false }: RunText): TextRange | null {
  const place = findAgain(text, statement, from)
  if (!place || selected) return place
  const isWhole = BEFORE_STATEMENT.test(text.slice(0, place.from)) && AFTER_STATEMENT.test(text.slice(place.to))
  return isWhole ? place : null
}

const READING = /^(?:select|from|with|values|table|pivot|unpivot|describe|desc|summarize|show)$/i
const CHANGING = /^(?:insert|update|delete|merge|nextval|setseed)$/i

/** Whether all statements only read, judging by their words; false in doubt. */
export function onlyReads(text: string): boolean {
  let first = true
  for (const { kind, from, to } of tokenize(text)) {
    if (kind === 'comment') continue
    const word = text.slice(from, to)
    if (word === ';') first = true
    else if (kind !== 'word') {
      if (first && word !== '(') return false
    } else if (CHANGING.test(word) || (first && !READING.test(word))) return false
    else first = false
  }
  return true
}
