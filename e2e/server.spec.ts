import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from './test.ts'
import { create, textFile } from './datasets.ts'
import { connect, fillService, root, serve, type Server, type Told } from './server.ts'
import { column, openSql, rows, write } from './sql.ts'

/* A real server: `npm run serve`, and the page served by it and connected to it. */

let data: string
let server: Server
let told: Told

test.beforeAll(async ({ baseURL }) => {
  test.setTimeout(300_000)
  data = mkdtempSync(path.join(tmpdir(), 'rowhouse-e2e-'))
  server = await serve(data, ...(baseURL ? ['--allow-origin', baseURL] : []))
  told = server.told
})

test.afterAll(async () => {
  await server.stop()
  rmSync(data, { recursive: true, force: true })
})

test('a page connects to the server that serves it, publishes to it and queries it', async ({ page }) => {
  await page.goto(`${told.url}/settings/connection`)
  await fillService(page, told)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByText('May create, change and delete datasets.')).toBeVisible()
  await expect(page.getByText('Files go to, and come from, the service itself.')).toBeVisible()
  await connect(page)

  await page.goto(`${told.url}/datasets`)
  await create(page, 'People', textFile('people.csv', 'id,name\n1,Ann\n2,Bob\n3,Cid\n'))
  const listed = await fetch(`${told.url}/public/v1/workspaces/${told.workspace_id}/datasets`, {
    headers: { 'X-API-Key': told.key },
  })
  expect(await listed.json()).toMatchObject({ data: { datasets: [{ name: 'People' }] } })

  await openSql(page, `${told.url}/sql`)
  await rows(page, 'FROM my_workspace.people.people ORDER BY id', '3 rows')
  expect(await column(page, 1, 3)).toEqual(['Ann', 'Bob', 'Cid'])
  // The engine in the page has none of the server's tables. Once it runs, it checks what is typed.
  await write(page, 'SELECT nme FROM my_workspace.people.people; FROM local.nothing')
  await expect(page.getByRole('button', { name: 'There is no table local.nothing.' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'There is no table my_workspace' })).toBeHidden()
})

// Once on the server's own page, and once on a page with another origin that the server allows.
test('with the operator’s token a page makes, uses and revokes keys of the server', async ({ page, baseURL }) => {
  const ask = (key: string): Promise<number> =>
    fetch(`${told.url}/public/v1/workspaces/${told.workspace_id}/datasets`, { headers: { 'X-API-Key': key } }).then(
      ({ status }) => status,
    )
  for (const origin of [told.url, baseURL ?? '']) {
    await page.goto(`${origin}/settings/connection`)
    await fillService(page, told, `${told.console_token.slice(0, -4)}oops`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('The operator’s token isn’t accepted.')
    await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeDisabled()
    await page.getByLabel('Operator’s token').fill(told.console_token)
    await connect(page)

    const name = `Nightly import from ${new URL(origin).port}`
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = await page.getByRole('textbox', { name: 'API key' }).inputValue()
    await page.getByRole('button', { name: 'I’ve copied it' }).click()
    expect(await ask(key)).toBe(200)
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByLabel('Key', { exact: true }).selectOption({ label: name })
    await expect(page.getByRole('meter', { name: 'This hour' }).first()).toHaveAttribute('value', '1')
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('button', { name: `Revoke ${name}` }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await expect.poll(() => ask(key)).toBe(401)
    await expect(page.getByRole('listitem', { name })).toHaveCount(0)

    // The token belongs to the connection, and was only sent to the console.
    expect(page.url() + server.logs()).not.toContain(told.console_token)
    await page.getByRole('link', { name: 'Connection' }).click()
    await page.getByRole('radio', { name: 'This browser' }).check()
    await page.getByRole('button', { name: 'Connect to this browser' }).click()
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Connect and reload' }).click()])
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain('rhc_')
  }
})

test('a server that npm runs stops with npm', async () => {
  const own = mkdtempSync(path.join(tmpdir(), 'rowhouse-e2e-'))
  const npm = spawn('npm', ['run', '--silent', 'serve', '--', '--port', '0', '--data', own, '--json'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const line = await new Promise<string>((resolve) => {
    npm.stdout.setEncoding('utf8').once('data', resolve)
  })
  const { url } = JSON.parse(line) as Told
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  npm.kill('SIGTERM')
  const isGone = (): Promise<boolean> =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    )
  await expect.poll(isGone, { timeout: 30_000 }).toBe(true)
  // It releases its folder by then, or a moment later.
  rmSync(own, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
})
