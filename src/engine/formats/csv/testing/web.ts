import { makeTable, random, USUAL, writeRow, writeTable, type Style, type Table } from './sources.ts'

/*
 * Files of the kinds that the web has, ten of each fault: written as spreadsheets, R, pandas, SQL clients and people do,
 * with what is in them. Measurements and tests only.
 */

export interface WebFile {
  readonly fault: string
  readonly name: string
  readonly text: string
  /** With the names of the columns, if `header`. */
  readonly rows: Table
  readonly header: boolean
}

const KINDS: readonly (readonly string[])[] = [
  ['id', 'name', 'city', 'amount'],
  ['date', 'code', 'quantity', 'remark', 'active'],
  ['code', 'sorted_name', 'day', 'share'],
  ['city', 'remark', 'name'],
  ['id', 'link', 'time', 'amount', 'quantity', 'sparse'],
]
const DELIMITERS = [',', ';', '\t', ',', '|']
const LINE_ENDS = ['\n', '\r\n', '\n', '\r\n', '\n']

type Write = (
  table: Table,
  style: Style,
  i: number,
) => string | { readonly text: string; readonly rows: Table; readonly header?: boolean }

const padded = (cells: readonly string[], width: number, style: Style): string =>
  writeRow([...cells, ...Array.from({ length: width - cells.length }, () => '')], style)
const lines = (style: Style, ...each: readonly string[]): string => each.map((line) => line + style.lineEnd).join('')
const widthsOf = (table: Table): number[] =>
  table[0].map((_, i) => Math.max(...table.map((row) => Array.from(row[i]).length)))

const trailing: Write = (table, style, i) => {
  const [names, ...body] = table
  const end = style.delimiter.repeat(i < 8 ? 1 : 3)
  const dataOnly = i % 2 === 0
  return lines(style, writeRow(names, style) + (dataOnly ? '' : end), ...body.map((row) => writeRow(row, style) + end))
}

const titles: Write = (table, style, i) => {
  const width = table[0].length
  const above = [
    ['Sales by region', ''],
    ['Sales, by region and month', 'Source: the office, 2024', ''],
    [padded(['Annual report'], width, style), padded([], width, style)],
    ['# created 2024-05-01 10:00', '# by: the office'],
    ['Report:' + style.delimiter + 'Sales', 'Date:' + style.delimiter + '2024-05-01', ''],
  ][i % 5]
  return lines(style, ...above) + writeTable(table, style)
}

const rowNames: Write = (table, style, i) => {
  const [names, ...body] = table
  const quoted = { ...style, quoteAll: true }
  const rows = body.map((row, at) => [i % 2 === 0 ? String(at + 1) : `row ${at + 1}`, ...row])
  const text = lines(style, writeRow(names, quoted), ...rows.map((row) => writeRow(row, quoted)))
  return { text, rows: [['row_name', ...names], ...rows] }
}

const footers: Write = (table, style, i) => {
  const below = [
    ['', 'Source: the office'],
    ['', 'Note: figures are rounded', 'Downloaded on 2024-05-01'],
    ['Source: the office; see there'.replaceAll(style.delimiter, ' ')],
    ['', '(c) 2024'],
    ['', '', '* preliminary', '** revised'],
  ][i % 5]
  return writeTable(table, style) + lines(style, ...below)
}

const ragged: Write = (table, style, i) => {
  const [names, ...body] = table
  const rows = body.map((row, at) => (at % 7 === 3 ? [...row.slice(0, -1), ''] : row))
  // As a spreadsheet leaves out what is empty at the end.
  const text = rows.map((row) => writeRow(row.at(-1) === '' ? row.slice(0, -1) : row, style))
  const long = i % 2 === 0 ? [] : [writeRow([...body[0], 'one', 'more'], style)]
  return { text: lines(style, writeRow(names, style), ...text, ...long), rows: [names, ...rows] }
}

const delimiters: Write = (table, style, i) => {
  const quoted = { ...style, quoteAll: i >= 5 }
  const delimiter = [', ', '||', ' ; ', '::', '^', '\t', ' | ', ', ', ';;', '~'][i]
  return writeTable(table, { ...quoted, delimiter })
}

const quotes: Write = (table, style, i) => {
  const rows = table.map((row, at) =>
    at === 0 ? row : row.map((cell, j) => (j === 1 && at % 3 === 0 ? `so-called, the "${at}" of them` : cell)),
  )
  const apostrophes = { ...style, quote: "'", quoteAll: i < 4 }
  const text = [
    writeTable(rows, { ...style, escape: 'backslash' }),
    writeTable(rows, apostrophes),
    writeTable(rows, { ...style, escape: 'none' }),
    writeTable(rows, { ...style, quoteAll: true, lineEnd: '\r' }),
    writeTable(rows, { ...apostrophes, escape: 'backslash' }),
  ][i % 5]
  return { text, rows }
}

/** Cells under each other, those of numbers at the right. */
function aligned(table: Table, between: string, edge: string): string[] {
  const widths = widthsOf(table)
  const cell = (text: string, i: number): string =>
    /^[\d.]+$/.test(table[1][i])
      ? ' '.repeat(widths[i] - Array.from(text).length) + text
      : text + ' '.repeat(widths[i] - Array.from(text).length)
  return table.map((row) => (edge + row.map(cell).join(between) + edge.split('').toReversed().join('')).trimEnd())
}

const drawn: Write = (table, style, i) => {
  const [names, ...body] = aligned(table, ' | ', '| ')
  const rule = (mark: string, edge: string): string =>
    edge +
    widthsOf(table)
      .map((width) => '-'.repeat(width + 2))
      .join(mark) +
    edge
  const kinds = [
    (): string =>
      lines(
        style,
        rule('+', '+'),
        names,
        rule('+', '+'),
        ...body,
        rule('+', '+'),
        `${body.length} rows in set (0.01 sec)`,
      ),
    (): string => lines(style, names, rule('|', '|'), ...body),
    (): string => {
      const [head, ...rest] = aligned(table, ' | ', ' ')
      return lines(style, head, rule('+', ''), ...rest, `(${rest.length} rows)`, '')
    },
    (): string => lines(style, ...aligned(table, '  ', '')),
    (): string => {
      const [head, ...rest] = aligned(table, ' ', '')
      return lines(
        style,
        head,
        widthsOf(table)
          .map((width) => '-'.repeat(width))
          .join(' '),
        ...rest,
      )
    },
  ]
  return kinds[i % 5]()
}

const headers: Write = (table, style, i) => {
  const [names, ...body] = table
  const marked = body.map((row, at) => [at % 4 === 1 ? `#${at}` : String(at), ...row])
  const units = names.map((_, j) => (j === 0 ? '' : 'unit'))
  const kinds = [
    (): ReturnType<Write> => ({ text: writeTable(body, style), rows: body, header: false }),
    (): ReturnType<Write> => ({
      text: writeTable([['no', ...names], ...marked], style),
      rows: [['no', ...names], ...marked],
    }),
    (): ReturnType<Write> =>
      lines(style, writeRow(names, { ...style, delimiter: style.delimiter === ';' ? ',' : ';' })) +
      writeTable(body, style),
    (): ReturnType<Write> => lines(style, `${style.quote}${writeRow(names, style)}`) + writeTable(body, style),
    (): ReturnType<Write> => ({
      text: writeTable([names, units, ...body], style),
      rows: [names.map((name, j) => (j === 0 ? name : `${name} unit`)), ...body],
    }),
  ]
  const written = kinds[i % 5]()
  if (i % 5 !== 3 || typeof written !== 'string') return written
  return { text: written, rows: [[style.quote + names[0], ...names.slice(1)], ...body] }
}

const ends: Write = (table, style, i) => {
  const text = writeTable(table, style)
  const mixed = text
    .split(style.lineEnd)
    .map((line, at) => line + (at % 3 === 0 ? '\r\n' : '\n'))
    .join('')
    .trimEnd()
  return [
    writeTable(table, { ...style, lineEnd: '\r' }),
    mixed,
    `\ufeff${text}`,
    `sep=${style.delimiter}${style.lineEnd}${text}`,
    text.replaceAll(style.lineEnd, style.lineEnd + style.lineEnd),
  ][i % 5]
}

const FAULTS: Readonly<Record<string, Write>> = {
  'trailing delimiters': trailing,
  'titles above': titles,
  'row names': rowNames,
  'notes below': footers,
  'ragged rows': ragged,
  delimiters,
  quotes,
  'drawn, fixed width': drawn,
  headers,
  'line ends, marks': ends,
}

/** A hundred files; others from another seed. */
export function* webFiles(from = 0): Generator<WebFile> {
  for (const [fault, write] of Object.entries(FAULTS)) {
    for (let i = 0; i < 10; i++) {
      const seed = i + fault.length * 31 + from * 1009
      const rows = 6 + Math.floor(random(seed)() * 60)
      const table = makeTable(KINDS[(i + fault.length + from) % KINDS.length], rows, seed)
      const style = {
        ...USUAL,
        delimiter: DELIMITERS[(i * 3 + fault.length + from) % 5],
        lineEnd: LINE_ENDS[(i + from) % 5],
      }
      const written = write(table, style, i)
      const {
        text,
        rows: meant,
        header = true,
      } = typeof written === 'string' ? { text: written, rows: table } : written
      yield { fault, name: `${fault} ${i}`, text, rows: meant, header }
    }
  }
}
