import { USUAL, writeCell, writeRow, writeTable, type Style, type Table } from './sources.ts'

/*
 * One table, damaged in each of the ways that "Pollock: A Data Loading Benchmark" (Vitagliano et al., VLDB 2023) found
 * in the web's files. The damages and their weights are the paper's; tables and code are ours. Measurements and tests
 * only.
 */

export interface Polluted {
  readonly name: string
  readonly text: string
  /** What a reader should return: whether there's a header, and the rows. */
  readonly header: boolean
  readonly rows: Table
  /** Number of files in the survey, of 3,712, with this damage. */
  readonly weight: number
}

const SEPARATOR_WEIGHT = 0.367_751
const QUOTE_WEIGHT = 0.009_259
const ROW_DELIMITER_WEIGHT = 0.142_857

/** All polluted versions of a table whose first row is a header. */
export function* pollutions(table: Table, own: Partial<Style>): Generator<Polluted> {
  const style = { ...USUAL, ...own }
  const whole = writeTable(table, style)
  const as = (name: string, weight: number, text: string, rows = table, header = true): Polluted => ({
    name,
    weight,
    text,
    rows,
    header,
  })
  const [names, ...body] = table
  const { lineEnd } = style
  yield as('source', 1, whole)
  yield as('no trailing newline', 184, whole.slice(0, -lineEnd.length))
  yield as('two trailing newlines', 5, whole + lineEnd)
  yield as('no header', 470, writeTable(body, style), body, false)
  for (const times of [2, 3]) {
    const joined = names.map((name) => Array.from({ length: times }, () => name).join(' '))
    yield as(
      `header ${times} times`,
      47,
      writeRow(names, style) + lineEnd + (times > 2 ? writeRow(names, style) + lineEnd : '') + whole,
      [joined, ...body],
    )
  }
  const blanks = names.map(() => '')
  yield as('preamble', 282, writeTable([blanks.with(0, 'PREAMBLE'), blanks], style) + whole)
  for (const [name, other] of secondTables(table)) {
    yield as(`second table, ${name} columns`, 62.666_667, whole + writeTable(other, style))
  }
  yield as('header only', 3, writeTable([names], style), [names])
  yield as('one row', 4, writeTable(table.slice(0, 2), style), table.slice(0, 2))
  yield as('line ends LF', 1691, writeTable(table, { ...style, lineEnd: '\n' }))
  yield as('line ends CR', 7, writeTable(table, { ...style, lineEnd: '\r' }))
  for (const [name, delimiter, weight] of [
    ['tab', '\t', 4],
    ['semicolon', ';', 834],
    ['space', ' ', 4],
    ['comma and space', ', ', 101],
  ] as const) {
    // Only the delimiters change: what was quoted is quoted.
    const text = table.map((row) => row.map((cell) => writeCell(cell, style)).join(delimiter) + lineEnd).join('')
    yield as(`delimiter ${name}`, weight, text)
  }
  yield as(
    'quote apostrophe',
    11,
    table.map((row) => row.map((cell) => apostrophes(cell, style)).join(style.delimiter) + lineEnd).join(''),
  )
  yield as('escape backslash', 1, writeTable(table, { ...style, escape: 'backslash' }))
  yield as('no escape', 7, writeTable(table, { ...style, escape: 'none' }))
  yield* rowPollutions(table, style, as)
}

function apostrophes(cell: string, style: Style): string {
  const written = writeCell(cell, style)
  return written.startsWith(style.quote) ? `'${cell.replaceAll("'", "''")}'` : written
}

function* secondTables(table: Table): Generator<[string, Table]> {
  yield ['as many', table]
  yield ['more', table.map((row, i) => [...row, i === 0 ? 'col1' : row[row.length - 1]])]
  yield ['fewer', table.map((row) => row.slice(0, -1))]
}

type As = (name: string, weight: number, text: string, rows?: Table) => Polluted

/** One row or one cell damaged, each in turn. */
function* rowPollutions(table: Table, style: Style, as: As): Generator<Polluted> {
  const { delimiter, quote, lineEnd } = style
  const lines = table.map((row) => writeRow(row, style))
  const damaged = (at: number, line: string): string =>
    lines
      .with(at, line)
      .map((each) => each + lineEnd)
      .join('')
  for (const [i, row] of table.entries()) {
    const cells = row.map((cell) => writeCell(cell, style))
    for (const [j, cell] of row.entries()) {
      const [before, after] = [cells.slice(0, j), cells.slice(j)]
      yield as('separator more', SEPARATOR_WEIGHT, damaged(i, [...before, '', ...after].join(delimiter)))
      if (j > 0) {
        const merged = [...cells.slice(0, j - 1), cells[j - 1] + cells[j], ...cells.slice(j + 1)]
        yield as('separator less', SEPARATOR_WEIGHT, damaged(i, merged.join(delimiter)))
      }
      // Within its quotes where it has some; it isn't escaped.
      const quoted = cells[j].startsWith(quote)
      const extra = quoted ? quote + quote + cells[j].slice(1) : quote + cell
      const rows = table.with(i, row.with(j, quote + cell))
      yield as('quote more', QUOTE_WEIGHT, damaged(i, cells.with(j, extra).join(delimiter)), rows)
    }
    yield as('row with spaces', ROW_DELIMITER_WEIGHT, damaged(i, cells.join(' ')))
  }
}
