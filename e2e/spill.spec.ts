import { nativeRows } from './native.ts'
import { button, column, openSql, result, rows, run, SLOW, status } from './sql.ts'
import { expect, test, type Page } from './test.ts'

/** 2.5 GB of rows, where DuckDB has 2 GB of memory. */
const WIDE = 'SELECT hash(i) k, repeat(i::VARCHAR, 700) t FROM range(600000) r(i)'
const whole = (source: string): string =>
  `SELECT count(*)::VARCHAR || ' ' || bit_xor(hash(k, t))::VARCHAR AS n, sum(CASE WHEN k < p THEN 1 ELSE 0 END)::VARCHAR AS wrong
    FROM (SELECT k, t, lag(k) OVER () p FROM (${source}))`
const SORTED = whole(`${WIDE} ORDER BY k`)
/** Enough for a machine that does other things, too. */
const LONG = { timeout: 150_000 }

/** Bytes that statements have written to disk. */
const onDisk = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const root = await navigator.storage.getDirectory()
    // The engine creates it when it starts.
    const folder = await root.getDirectoryHandle('spill').catch(() => null)
    if (!folder) return 0
    let bytes = 0
    for await (const file of folder.values()) if (file.kind === 'file') bytes += (await file.getFile()).size
    return bytes
  })

test('a sort larger than memory goes through the disk, which is given back, also when it’s cancelled', async ({
  page,
}) => {
  test.setTimeout(400_000)
  await openSql(page)
  await run(page, SORTED)
  await expect.poll(() => onDisk(page), LONG).toBeGreaterThan(2 ** 20)
  await button(page, 'Cancel').click()
  await expect(status(page)).toContainText('Cancelled')
  await rows(page, 'SELECT 1 AS one', '1 row')
  await expect.poll(() => onDisk(page), SLOW).toBe(0)

  await run(page, SORTED)
  await expect(status(page)).toContainText('1 row', LONG)
  await expect(
    result(page).getByText(/^What didn’t fit in memory was on the disk meanwhile: [\d.]+ MB\.$/),
  ).toBeVisible()
  const [[expected]] = await nativeRows(
    `SELECT count(*)::VARCHAR || ' ' || bit_xor(hash(k, t))::VARCHAR FROM (${WIDE})`,
  )
  expect(await column(page, 0, 1)).toEqual([expected])
  expect(await column(page, 1, 1)).toEqual(['0'])
  expect(await onDisk(page)).toBe(0)
})
