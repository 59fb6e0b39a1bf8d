import type { ResultSet } from '../../../../engine/client.ts'
import { isNumeric } from '../../../../tables/types.ts'
import { formatCount, plural } from '../../../../ui/format.ts'
import type { HeldRun } from '../types.ts'
import { STYLE } from './style.ts'
import { Yielder } from '../../../../lib/yielding.ts'

/** Limits of what a browser can still scroll: rows, and total cells. */
export const MOST_ROWS = 10_000
const MOST_CELLS = 200_000
/** Milliseconds of work before yielding. */
const SLICE = 8

export type ReportedRun = Pick<HeldRun, 'statement' | 'parameters' | 'startedAt' | 'summary' | 'samples' | 'result'>

interface ReportOptions {
  readonly title: string
  /** Empty for none. */
  readonly description: string
  readonly run: ReportedRun
  /** Chart as SVG. */
  readonly chart: string | null
  readonly signal: AbortSignal
}

/**
 * A result as a self-contained HTML page: statement, time, chart and first rows.
 * @throws the signal's reason
 */
export async function reportPage({ title, description, run, chart, signal }: ReportOptions): Promise<string> {
  const { result: set } = run
  const rows = Math.min(set.rowCount, MOST_ROWS, Math.floor(MOST_CELLS / Math.max(1, set.columns.length)))
  const name = escaped(title)
  const head = set.columns.map(
    (column) =>
      `<th scope="col"${sideOf(column.type)}>${nameOf(column.name)}<small>${escaped(column.type)}</small></th>`,
  )
  const body = await bodyOf(set, rows, signal)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${name}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${name}</h1>
${description === '' ? '' : `<p class="about">${escaped(description)}</p>\n`}<p>${escaped(plural(set.rowCount, 'row'))}, ${escaped(plural(set.columns.length, 'column'))} · ${timeOf(run.startedAt)}</p>
${notesOf(run, set, rows)
  .map((note) => `<p class="note">${escaped(note)}</p>\n`)
  .join('')}</header>
${chart === null ? '' : `<figure>${chart.replace(/^<\?xml[^>]*\?>\s*/, '')}</figure>\n`}<section>
<h2>Statement</h2>
<pre><code>${escaped(run.statement)}</code></pre>
${parametersOf(run)}</section>
<section>
<h2>Rows</h2>
<table>
<thead><tr>${head.join('')}</tr></thead>
<tbody>
${body}</tbody>
</table>
</section>
</body>
</html>
`
}

/** Notes about rows that the page lacks. */
function notesOf({ summary, samples = [] }: ReportedRun, set: ResultSet, rows: number): string[] {
  const notes = [...samples]
  if (summary?.leftOut) notes.push('The statement gives more rows than these: the rest was left out when it ran.')
  else if (set.status !== 'complete') notes.push('The statement didn’t run to its end: these are the rows that came.')
  if (rows < set.rowCount) {
    notes.push(`The table below has the first ${formatCount(rows)} of ${plural(set.rowCount, 'row')}.`)
  }
  return notes
}

async function bodyOf(set: ResultSet, rows: number, signal: AbortSignal): Promise<string> {
  const yielder = new Yielder(signal, SLICE)
  const lines: string[] = []
  const sides = set.columns.map(({ type }) => sideOf(type))
  for (let row = 0; row < rows; row++) {
    if (yielder.due) await yielder.yield()
    const cells = sides.map((side, column) => cellOf(set.text(row, column), side))
    lines.push(`<tr>${cells.join('')}</tr>\n`)
  }
  signal.throwIfAborted()
  return lines.join('')
}

const sideOf = (type: string): string => (isNumeric(type) ? ' class="n"' : '')

const cellOf = (text: string | null, side: string): string =>
  text === null ? `<td${side}><i>NULL</i></td>` : `<td${side} dir="auto">${escaped(text)}</td>`

const nameOf = (name: string): string => (name === '' ? '<i>no name</i>' : escaped(name))

function timeOf(time: number): string {
  const date = new Date(time)
  const words = date.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'long' })
  return `<time datetime="${date.toISOString()}">${escaped(words)}</time>`
}

function parametersOf({ parameters = {} }: ReportedRun): string {
  const all = Object.entries(parameters)
  if (all.length === 0) return ''
  const items = all.map(
    ([name, { text }]) => `<dt>$${escaped(name)}</dt><dd>${text === null ? '<i>NULL</i>' : escaped(text)}</dd>`,
  )
  return `<dl>${items.join('')}</dl>\n`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML. Control characters, which HTML doesn't allow, become Unicode control pictures. */
export function escaped(text: string): string {
  return (
    text
      .replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)
      .replaceAll('\r', '&#13;')
      // oxlint-disable-next-line no-control-regex -- they're what HTML can't hold
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, (sign) =>
        String.fromCharCode(0x2400 + sign.charCodeAt(0)),
      )
  )
}
