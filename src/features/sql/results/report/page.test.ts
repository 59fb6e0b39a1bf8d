import { describe, expect, test } from 'vitest'
import type { ResultSet } from '../../../../engine/client.ts'
import { escaped, MOST_ROWS, reportPage, type ReportedRun } from './page.ts'

const { signal } = new AbortController()
const EVIL = `<script>alert("x")</script>'&amp;`

function setOf(
  rows: number,
  text: (row: number) => string | null,
  status: ResultSet['status'] = 'complete',
): ResultSet {
  return { columns: [{ name: EVIL, type: 'VARCHAR' }], rowCount: rows, status, text } as unknown as ResultSet
}

const runOf = (over: Partial<ReportedRun> = {}): Omit<ReportedRun, 'result'> => ({
  statement: `SELECT '${EVIL}'`,
  parameters: { name: { type: 'VARCHAR', text: EVIL } },
  startedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  summary: null,
  ...over,
})

const page = (set: ResultSet, run = runOf()) =>
  reportPage({ title: EVIL, description: EVIL, run: { ...run, result: set }, chart: null, signal })

describe('a report', () => {
  test('has names, values, title and statement as text, never as markup', async () => {
    const html = await page(setOf(2, (row) => (row === 0 ? EVIL : null)))
    expect(html).not.toContain('<script')
    expect(html.split(escaped(EVIL))).toHaveLength(8)
    expect(html).toContain('<td><i>NULL</i></td>')
    expect(html).toContain('<time datetime="2026-01-02T03:04:05.000Z">')
    expect(html).not.toMatch(/ (?:src|href)=|@import|url\(/)
  })

  test('says how many of the rows it has', async () => {
    expect(await page(setOf(3, () => 'a'))).not.toContain('class="note"')
    const long = await page(setOf(MOST_ROWS + 1, () => 'a'))
    expect(long).toContain('The table below has the first 10,000 of 10,001 rows.')
    expect(long.match(/<tr><td/g)).toHaveLength(MOST_ROWS)
    expect(
      await page(
        setOf(3, () => 'a'),
        runOf({ samples: ['Of a sample <i>.'] }),
      ),
    ).toContain('<p class="note">Of a sample &lt;i&gt;.</p>')
    const summary = { rows: 3, bytes: 1, firstMs: 1, totalMs: 1, leftOut: true, message: null }
    expect(
      await page(
        setOf(3, () => 'a'),
        runOf({ summary }),
      ),
    ).toContain('gives more rows than these')
    expect(await page(setOf(3, () => 'a', 'cancelled'))).toContain('didn’t run to its end')
  })

  test('shows control characters as symbols', () => {
    expect(escaped('a\u0000b\tc\nd\re')).toBe('a␀b\tc\nd&#13;e')
  })
})
