import { expect, test, type Page } from './test.ts'
import { readFileSync } from 'node:fs'
import { nativeRows, quoted } from './native.ts'
import { button, column, openSql, problem, rows, run, SLOW, status, tree } from './sql.ts'

/** The browser’s permission to read a file, which nobody here can give or take, and a drop with the file's handle. */
async function withHandles(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let asked = sessionStorage.getItem('visited') === null
    sessionStorage.setItem('visited', 'yes')
    const state = (): Promise<string> => Promise.resolve(asked ? 'granted' : 'prompt')
    const ask = (): Promise<string> => {
      asked = true
      return state()
    }
    Object.assign(FileSystemFileHandle.prototype, { queryPermission: state, requestPermission: ask })
    const getAsFileSystemHandle = async (): Promise<FileSystemFileHandle> =>
      (await navigator.storage.getDirectory()).getFileHandle('orders.parquet')
    Object.assign(DataTransferItem.prototype, { getAsFileSystemHandle })
  })
}

/** Puts bytes where the page can have a handle of them. */
async function save(page: Page, bytes: string): Promise<void> {
  await page.evaluate(async (base64) => {
    const root = await navigator.storage.getDirectory()
    const file = await (await root.getFileHandle('orders.parquet', { create: true })).createWritable()
    await file.write(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
    await file.close()
  }, bytes)
}

async function drop(page: Page): Promise<void> {
  const dataTransfer = await page.evaluateHandle(async () => {
    const handle = await (await navigator.storage.getDirectory()).getFileHandle('orders.parquet')
    const data = new DataTransfer()
    data.items.add(await handle.getFile())
    return data
  })
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer })
}

/** Files of local tables that this browser keeps. */
function copies(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle('local-tables').catch(() => null)
    let count = 0
    for await (const _ of folder?.keys() ?? []) count++
    return count
  })
}

test('a Parquet file is queried where it lies, and after a reload at a click', async ({ page }) => {
  const path = test.info().outputPath('orders.parquet')
  const select = `SELECT i AS id, i % 10 AS grade, 'customer ' || i % 7 AS customer FROM range(300000) r(i)`
  await nativeRows(`COPY (${select}) TO ${quoted(path)} (FORMAT parquet)`)
  await withHandles(page)
  await openSql(page)
  await save(page, readFileSync(path).toString('base64'))
  await drop(page)
  await expect(tree(page).getByRole('treeitem', { name: 'orders, 300,000 rows' })).toBeVisible(SLOW)
  await rows(page, 'SELECT count(*) FROM local.orders', '1 row')
  expect(await column(page, 0, 1)).toEqual(['300000'])
  await rows(
    page,
    "SELECT id, customer FROM local.orders WHERE grade = 3 AND customer = 'customer 5' LIMIT 3",
    '3 rows',
  )
  expect(await column(page, 0, 3)).toEqual(['33', '103', '173'])
  expect(await copies(page)).toBe(0)

  await page.reload()
  await expect(tree(page).getByRole('treeitem', { name: 'orders, 300,000 rows' })).toBeVisible(SLOW)
  await button(page, 'Allow reading orders.parquet').click()
  await expect(button(page, 'Allow reading orders.parquet')).toBeHidden()
  await rows(page, 'SELECT sum(id) FROM local.orders', '1 row')
  expect(await column(page, 0, 1)).toEqual(['44999850000'])

  await save(page, btoa('something else'))
  await run(page, 'SELECT sum(grade) FROM local.orders')
  await expect(status(page)).toContainText('Failed', SLOW)
  await expect(problem(page)).toContainText('“orders.parquet” has changed on your disk')
})
