import { EngineError } from '../../errors.ts'
import { MAX_COLUMNS } from '../xlsx/read/row.ts'
import { MAX_ROWS } from '../xlsx/read/sheet-rows.ts'
import { decodeEntities } from './entities.ts'

/** Limits of the HTML standard. */
const MAX_COLSPAN = 1000
/** Maximum number of cells in all tables, which also limits spans. */
const MAX_CELLS = 20_000_000
/** Maximum nesting of tables. */
const MAX_DEPTH = 32

const NAME = /^[a-z][a-z0-9:-]*/i
const ATTRIBUTE = /([^\s=/>"']+)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g
/** Elements whose text isn't shown. */
const UNSHOWN = new Set(['script', 'style', 'template', 'noscript', 'title', 'textarea', 'select'])
/** Elements that start a new line. */
const LINES = new Set(['br', 'p', 'div', 'li', 'tr'])

export interface HtmlCell {
  /** From 0. */
  readonly column: number
  /** The text as shown: white space collapsed and trimmed, with line breaks kept. */
  readonly text: string
  /** The number that a spreadsheet program wrote as an attribute, and whether it marked the cell as text. */
  readonly value: string | null
  readonly isText: boolean
}

export interface HtmlTable {
  /** Empty where it has none. */
  readonly caption: string
  readonly rows: HtmlCell[][]
  readonly merges: { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number }[]
}

interface OpenTable extends HtmlTable {
  caption: string
  /** Whether it contains tables, and so is only for layout. */
  holdsTables: boolean
  /** For each column, the number of following rows that a cell above spans. */
  readonly reach: number[]
  row: HtmlCell[] | null
  cell: OpenCell | null
  /** The caption's text while its element is open. */
  title: string | null
}

interface OpenCell {
  readonly attributes: ReadonlyMap<string, string>
  text: string
}

/**
 * Finds the tables of an HTML text as browsers do: end tags may be missing. Tables that contain others are left out.
 * @throws {EngineError} `too-large`
 */
export function tablesOf(html: string): HtmlTable[] {
  const found = new Finder()
  for (let at = 0; at < html.length;) {
    const next = html.indexOf('<', at)
    const end = next < 0 ? html.length : next
    if (end > at) found.text(html.slice(at, end))
    if (next < 0) break
    at = found.markup(html, next)
  }
  return found.finish()
}

class Finder {
  private readonly tables: HtmlTable[] = []
  private readonly open: OpenTable[] = []
  private cells = 0

  text(raw: string): void {
    const table = this.open.at(-1)
    if (table?.cell) table.cell.text += shown(raw)
    else if (table && table.title !== null) table.title += shown(raw)
  }

  /** Processes a tag, a comment or what looks like one, and returns its end. */
  markup(html: string, at: number): number {
    if (html.startsWith('<!--', at)) return after(html, '-->', at + 4)
    const isEnd = html[at + 1] === '/'
    const name = NAME.exec(html.slice(at + (isEnd ? 2 : 1), at + 42))?.[0].toLowerCase()
    if (name === undefined) {
      if (/[!?/]/.test(html[at + 1] ?? '')) return after(html, '>', at)
      this.text('&lt;')
      return at + 1
    }
    const start = at + name.length + (isEnd ? 2 : 1)
    const end = tagEnd(html, start)
    if (isEnd) this.close(name)
    else if (UNSHOWN.has(name)) return afterElement(html, name, end)
    else this.begin(name, html.slice(start, end - 1))
    return end
  }

  private begin(name: string, attributes: string): void {
    const table = this.open.at(-1)
    if (name === 'table') this.beginTable()
    else if (!table) return
    else if (name === 'tr') this.beginRow(table)
    else if (name === 'td' || name === 'th') {
      if (!table.row) this.beginRow(table)
      this.endCell(table)
      table.cell = { attributes: attributesOf(attributes), text: '' }
    } else if (name === 'caption') table.title = ''
    else if (LINES.has(name) && table.cell) table.cell.text += '\n'
  }

  private beginTable(): void {
    const outer = this.open.at(-1)
    if (outer) outer.holdsTables = true
    if (this.open.length === MAX_DEPTH) return
    this.open.push({
      caption: '',
      rows: [],
      merges: [],
      holdsTables: false,
      reach: [],
      row: null,
      cell: null,
      title: null,
    })
  }

  private close(name: string): void {
    const table = this.open.at(-1)
    if (!table) return
    if (name === 'table') this.endTable(table)
    else if (name === 'td' || name === 'th') this.endCell(table)
    else if (name === 'tr') this.endRow(table)
    else if (name === 'caption' && table.title !== null) {
      table.caption = tidy(table.title)
      table.title = null
    } else if (LINES.has(name) && table.cell) table.cell.text += '\n'
  }

  private beginRow(table: OpenTable): void {
    this.endRow(table)
    if (table.rows.length === MAX_ROWS) throw tooLarge('more rows than a sheet can have')
    table.row = []
  }

  private endCell(table: OpenTable): void {
    const { cell, row, reach, merges, rows } = table
    table.cell = null
    if (!cell || !row) return
    const { attributes } = cell
    let column = (row.at(-1)?.column ?? -1) + 1
    // Skip columns taken by row spans from above, or by earlier cells of this row.
    while ((reach[column] ?? 0) > 0) column++
    const across = Math.min(span(attributes.get('colspan')), MAX_COLSPAN)
    const down = Math.min(span(attributes.get('rowspan')), MAX_ROWS)
    this.cells += across
    if (column + across > MAX_COLUMNS || this.cells > MAX_CELLS) throw tooLarge('more cells than a sheet can have')
    const format = attributes.get('style') ?? ''
    const number = attributes.get('x:num')
    row.push({
      column,
      text: tidy(cell.text),
      value: number === undefined || number === '' ? null : number,
      isText: attributes.has('x:str') || /mso-number-format:\s*["']?\\?@/i.test(format),
    })
    for (let i = 0; i < across; i++) reach[column + i] = Math.max(reach[column + i] ?? 0, down)
    const top = rows.length + 1
    if (across > 1 || down > 1) merges.push({ top, bottom: top + down - 1, left: column, right: column + across - 1 })
  }

  private endRow(table: OpenTable): void {
    this.endCell(table)
    const { row, reach } = table
    table.row = null
    if (!row) return
    for (let column = 0; column < reach.length; column++) reach[column] = Math.max(0, (reach[column] ?? 0) - 1)
    table.rows.push(row)
  }

  private endTable(table: OpenTable): void {
    this.endRow(table)
    this.open.pop()
    const { caption, rows, merges, holdsTables } = table
    if (!holdsTables && rows.some((row) => row.length > 0)) this.tables.push({ caption, rows, merges })
  }

  finish(): HtmlTable[] {
    for (let table = this.open.at(-1); table; table = this.open.at(-1)) this.endTable(table)
    return this.tables
  }
}

function tooLarge(what: string): EngineError {
  return new EngineError('too-large', `A table of the page has ${what}.`, {
    remedy: 'Export it as CSV from the program that made it.',
  })
}

const span = (text: string | undefined): number => Math.max(1, Math.trunc(Number(text)) || 1)

/** Text with white space collapsed and references decoded. */
const shown = (raw: string): string => decodeEntities(raw.replaceAll(/[ \t\r\n\f]+/g, ' '))

const tidy = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replaceAll(/ +/g, ' ').trim())
    .join('\n')
    .replaceAll(/\n{2,}/g, '\n')
    .trim()

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from)
  return at < 0 ? html.length : at + mark.length
}

/** Position after the end tag of an element whose content isn't markup. */
function afterElement(html: string, name: string, from: number): number {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2)) {
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return after(html, '>', at)
  }
  return html.length
}

/** Position after a tag's `>`, ignoring those in quoted values. */
function tagEnd(html: string, from: number): number {
  for (let at = from; at < html.length; at++) {
    const char = html[at]
    if (char === '>') return at + 1
    if ((char === '"' || char === "'") && /=\s*$/.test(html.slice(Math.max(from, at - 8), at))) {
      const close = html.indexOf(char, at + 1)
      if (close < 0) return html.length
      at = close
    }
  }
  return html.length
}

function attributesOf(text: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase()
    if (!attributes.has(key)) attributes.set(key, decodeEntities(double ?? single ?? bare ?? ''))
  }
  return attributes
}
