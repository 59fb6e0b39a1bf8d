import { NEVER } from '../../../lib/abort.ts'
import { quoteText } from '../../../lib/duckdb-sql/names.ts'
import { uniqueNames } from '../../../tables/names.ts'
import { isNested, printType, type ColumnType, isNumeric } from '../../../tables/types.ts'
import type { ResultColumn, ResultSet } from '../session-types.ts'
import { tableType } from '../../arrow/duckdb-types.ts'
import type { CopyFormat, CopySelection } from './types.ts'
import { checkpoint } from '../../../lib/yielding.ts'

/* Cells as text to be pasted elsewhere: the canonical texts of the values, never what the grid draws of them. */

/** Characters: more than this is a file, not something to paste. */
const MOST_COPIED = 64_000_000

/** Rows between two pauses. */
const STEP = 512
/** One cell of a row. */
interface Cell {
  readonly column: ResultColumn
  readonly text: string | null
  /** As `ResultSet.value` gives it. */
  readonly value: () => unknown
}

interface Layout {
  /** All before the first row. */
  head(columns: readonly ResultColumn[], headers: boolean): string
  row(cells: readonly Cell[], first: boolean): string
  end: string
}

/**
 * @throws {RangeError} when it would be longer than `MOST_COPIED`; the signal's reason
 */
export async function formatCells(
  set: ResultSet,
  cells: CopySelection,
  format: CopyFormat,
  { headers, signal = NEVER }: { readonly headers: boolean; readonly signal?: AbortSignal },
): Promise<string> {
  const columns = cells.columns.map((column) => set.columns[column])
  const layout = LAYOUTS[format]
  const parts = [layout.head(columns, headers)]
  let length = 0
  for (let row = cells.rows.from; row < cells.rows.to; row++) {
    const part = layout.row(
      cells.columns.map((at, i) => ({ column: columns[i], text: set.text(row, at), value: () => set.value(row, at) })),
      row === cells.rows.from,
    )
    length += part.length
    if (length > MOST_COPIED) throw new RangeError('more than can be copied')
    parts.push(part)
    if (row % STEP === 0) await checkpoint(signal)
  }
  parts.push(layout.end)
  return parts.join('')
}

const separated = (separator: string, quote: (text: string) => string, lineEnd: string): Layout => {
  const line = (texts: readonly (string | null)[]): string =>
    texts.map((text) => (text === null ? '' : quote(text))).join(separator)
  return {
    // A line end before each line but the first: none is left at the end, where it would paste an empty row.
    head: (columns, headers) => (headers ? `${line(columns.map(({ name }) => name))}${lineEnd}` : ''),
    row: (cells, first) => `${first ? '' : lineEnd}${line(cells.map(({ text }) => text))}`,
    end: '',
  }
}

const doubled = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** RFC 4180. Empty text is quoted: what isn't is null. */
const csvField = (text: string): string => (text === '' || /[",\r\n]/.test(text) ? doubled(text) : text)

/** As spreadsheets read it from the clipboard. */
const tsvField = (text: string): string => (/["\t\r\n]/.test(text) ? doubled(text) : text)

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/** A value as JSON with all its digits. */
function jsonValue({ column: { type }, text }: Cell): string {
  if (text === null) return 'null'
  if (type === 'BOOLEAN' || isNested(tableType(type).type)) return text
  // JSON has no NaN, and no numbers such as 1e5 with a point missing: those are text.
  return isNumeric(type) && JSON_NUMBER.test(text) ? text : JSON.stringify(text)
}

const json: Layout = {
  head: () => '[',
  row: (cells, first) => {
    const keys = uniqueNames(cells.map(({ column }) => column.name)).map((name) => JSON.stringify(name))
    const pairs = cells.map((cell, i) => `${keys[i]}: ${jsonValue(cell)}`)
    return `${first ? '\n' : ',\n'}  {${pairs.join(', ')}}`
  },
  end: '\n]',
}

const markdownCell = (text: string): string =>
  text
    .replaceAll(/[\\`*_[\]<>|~]/g, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/g, '<br>')
    .replaceAll('\t', ' ')

const markdownLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const markdown: Layout = {
  // A table of Markdown has a head, if an empty one.
  head: (columns, headers) =>
    `${markdownLine(columns.map(({ name }) => (headers ? markdownCell(name) : ' ')))}\n${markdownLine(
      columns.map(({ type }) => (isNumeric(type) ? '---:' : '---')),
    )}`,
  row: (cells) => `\n${markdownLine(cells.map(({ text }) => (text === null ? '' : markdownCell(text))))}`,
  end: '',
}

/** A value as SQL reads it as its own type. */
function sqlLiteral({ column: { type }, text, value }: Cell): string {
  if (text === null) return 'NULL'
  const own = tableType(type).type
  return isNested(own) ? `${nestedLiteral(own, value())}::${type}` : scalarLiteral(type, text)
}

function scalarLiteral(type: string, text: string): string {
  // What looks like another number's literal is compared as one.
  if (isNumeric(type) && type !== 'FLOAT') return JSON_NUMBER.test(text) ? text : `${quoteText(text)}::${type}`
  if (type === 'BOOLEAN') return text
  if (type === 'BLOB') return `from_base64(${quoteText(text)})`
  if (type === 'VARCHAR' || /^ENUM\b/.test(type)) return quoteText(text)
  return type === 'DATE' || type === 'TIME' || type === 'TIMESTAMP' || type === 'UUID' || type === 'INTERVAL'
    ? `${type} ${quoteText(text)}`
    : `${quoteText(text)}::${type}`
}

/** @param value as `ResultSet.value` gives it */
function nestedLiteral(type: ColumnType, value: unknown): string {
  if (value === null) return 'NULL'
  switch (type.kind) {
    case 'list':
      return `[${(value as unknown[]).map((item) => nestedLiteral(type.item, item)).join(', ')}]`
    case 'struct': {
      const own = value as Readonly<Record<string, unknown>>
      return `{${type.fields.map(({ name, type: field }) => `${quoteText(name)}: ${nestedLiteral(field, own[name])}`).join(', ')}}`
    }
    case 'map': {
      const entries = (value as { readonly key: unknown; readonly value: unknown }[]).map(
        (entry) => `${nestedLiteral(type.key, entry.key)}: ${nestedLiteral(type.value, entry.value)}`,
      )
      return `MAP {${entries.join(', ')}}`
    }
    case 'decimal':
    case 'scalar':
      return scalarLiteral(printType(type), typeof value === 'string' ? value : JSON.stringify(value))
  }
}

const inList: Layout = {
  head: () => '(',
  row: (cells, first) => {
    const values = cells.map(sqlLiteral)
    return `${first ? '' : ', '}${values.length === 1 ? values[0] : `(${values.join(', ')})`}`
  },
  end: ')',
}

const LAYOUTS: Readonly<Record<CopyFormat, Layout>> = {
  tsv: separated('\t', tsvField, '\n'),
  csv: separated(',', csvField, '\r\n'),
  json,
  markdown,
  'in-list': inList,
}
