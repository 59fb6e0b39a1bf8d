import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test, type Page } from './test.ts'
import { create, textFile } from './datasets.ts'
import { connect, fillService, root, serve, type Server } from './server.ts'
import { column, openSql, rows } from './sql.ts'
import { newKey, ready } from './stand-in.ts'

/* Moves a backup from a browser to a server, and from the server to another browser. */

const CSV =
  'id,name,amount,day\n9007199254740993,“ä” 😀,1.10,2024-02-29\n-1,007,-0.05,0001-01-01\n5,NULL,12345678901234.00,\n'

/** Reads the same everywhere: each column's cells as text, and the types. */
async function read(page: Page, address?: string): Promise<string[][]> {
  await openSql(page, address)
  const texts = "CAST(COLUMNS(*) AS VARCHAR), concat_ws(', ', typeof(id), typeof(name), typeof(amount), typeof(day))"
  await rows(page, `SELECT ${texts} FROM my_workspace.moved.moved ORDER BY id`, '3 rows')
  const columns: string[][] = []
  for (const index of [0, 1, 2, 3, 4]) columns.push(await column(page, index, 3))
  return columns
}

test('a backup goes from a browser to a server, and from the server to another browser', async ({
  page,
  browser,
}, info) => {
  // Slow because of three places, each with an engine of its own.
  test.slow()
  const [fromBrowser, fromServer, data] = ['from-browser.zip', 'from-server.zip', 'data'].map((name) =>
    info.outputPath(name),
  )
  const rowhouse = (command: string, file: string) =>
    promisify(execFile)(process.execPath, ['.ci/rowhouse.mjs', command, file, '--data', data], { cwd: root })

  await create(page, 'Moved', textFile('moved.csv', CSV))
  const before = await read(page)
  expect(before[0]).toEqual(['-1', '5', '9007199254740993'])
  const { workspaceId, key } = await newKey(page)
  await page.goto('/settings/backup')
  await ready(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download backup' }).click()
  await (await download).saveAs(fromBrowser)

  expect((await rowhouse('restore', fromBrowser)).stdout).toContain('1 dataset with 1 table')
  let server: Server | null = await serve(data)
  try {
    const { url } = server.told
    await page.goto(`${url}/settings/connection`)
    await fillService(page, { url, key, workspace_id: workspaceId })
    await connect(page)
    expect(await read(page, `${url}/sql`)).toEqual(before)
    await server.stop()
    server = null
  } finally {
    await server?.stop()
  }

  await rowhouse('backup', fromServer)
  const context = await browser.newContext()
  const other = await context.newPage()
  await other.goto('/settings/backup')
  await ready(other)
  await other.getByLabel('Backup file').setInputFiles(fromServer)
  const dialog = other.getByRole('dialog', { name: 'Restore this backup?' })
  await dialog.getByRole('button', { name: 'Replace everything' }).click()
  await expect(dialog).toBeHidden({ timeout: 60_000 })
  expect(await read(other)).toEqual(before)
  await context.close()
})
