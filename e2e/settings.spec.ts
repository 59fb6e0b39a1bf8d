import { readFileSync, writeFileSync } from 'node:fs'
import { expectAccessible } from './accessible.ts'
import { expect, test, type Locator, type Page } from './test.ts'
import { createDataset, listDatasets } from './bench/crash.ts'
import { deadBaseUrl, FAKE, fakeService } from './fake-service.ts'
import { button, editor, openSql, rows, SLOW, tree } from './sql.ts'
import { agree, expectFocusIn } from './page.ts'
import { call, hardReload, ready } from './stand-in.ts'

async function settings(page: Page, section: string): Promise<void> {
  await page.goto(`/settings/${section}`)
  await ready(page)
}

const keyRow = (page: Page, name: string): Locator => page.getByRole('listitem', { name, exact: true })

/** The status of a request with a key. */
async function statusWith(page: Page, key: string, method: string, path: string): Promise<number> {
  const init = { method, headers: { 'X-API-Key': key, 'Content-Type': 'application/json' } }
  const { status } = await call(page, `public/v1/${path}`, method === 'GET' ? init : { ...init, body: '{}' })
  return status
}

async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New key' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const shown = page.getByRole('dialog', { name: `Your key “${name}”` })
  const key = await shown.getByLabel('API key').inputValue()
  // Neither Escape nor a click outside closes it, since it's shown only once.
  await expectFocusIn(shown)
  await page.keyboard.press('Escape')
  await expect(shown.getByRole('alert')).toContainText('it isn’t shown again')
  await page.mouse.click(5, 5)
  await expect(shown.getByLabel('API key')).toHaveValue(key)
  await shown.getByRole('button', { name: 'I’ve copied it' }).click()
  await expect(shown).toHaveCount(0)
  return key
}

test('a key is made, shown once, works as far as it may, is rotated and revoked', async ({ page }) => {
  await settings(page, 'keys')
  const key = await createKey(page, 'Nightly import')
  expect(key).toMatch(/^sk_live_[A-Za-z0-9_-]{43}$/)
  await page.reload()
  await ready(page)
  const row = keyRow(page, 'Nightly import')
  await expect(row).toContainText('Reads all datasets')
  await expect(row).toContainText(`sk_live_…${key.slice(-4)}`)
  await expect(row).toContainText('Never used')
  await expect(page.getByText(key)).toHaveCount(0)

  expect(await statusWith(page, key, 'GET', 'convert/formats')).toBe(200)
  expect(await statusWith(page, key, 'POST', 'datasets')).toBe(403)

  await row.getByRole('button', { name: 'Rotate Nightly import' }).click()
  const rotating = page.getByRole('dialog', { name: 'Rotate “Nightly import”' })
  await rotating.getByLabel('The old key goes on working for').selectOption('One day')
  await rotating.getByRole('button', { name: 'Rotate key' }).click()
  const shown = page.getByRole('dialog', { name: 'Your key “Nightly import”' })
  const second = await shown.getByLabel('API key').inputValue()
  await shown.getByRole('button', { name: 'I’ve copied it' }).click()
  expect(second).not.toBe(key)
  expect(await statusWith(page, key, 'GET', 'convert/formats')).toBe(200)
  expect(await statusWith(page, second, 'GET', 'convert/formats')).toBe(200)
  await expect(page.getByText('Expires soon')).toBeVisible()

  const newer = keyRow(page, 'Nightly import').filter({ hasText: `sk_live_…${second.slice(-4)}` })
  await newer.getByRole('button', { name: 'Revoke Nightly import' }).click()
  await agree(page.getByRole('dialog'), 'Revoke key')
  await expect(newer).toBeHidden()
  expect(await statusWith(page, second, 'GET', 'convert/formats')).toBe(401)
  await page.getByLabel('Show 1 expired or revoked key').check()
  await expect(newer).toContainText('Revoked')
  await expect(newer.getByRole('button')).toHaveCount(0)
})

test('a key’s rights are chosen by dataset; without any it isn’t made', async ({ page }) => {
  await settings(page, 'keys')
  expect(await createDataset(page, 'Sales', { rows: 10 })).toBe(201)
  expect(await createDataset(page, 'Stock', { rows: 10 })).toBe(201)
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New key' })
  const rights = (name: string): Locator => dialog.getByRole('group', { name, exact: true })
  await rights('All datasets').getByLabel('Read').uncheck()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await expect(dialog.getByRole('alert')).toHaveCount(2)
  await dialog.getByLabel('Name').fill('Sales only')
  await rights('Sales').getByLabel('Read').check()
  await rights('Sales').getByLabel('Write').check()
  await expect(dialog).toContainText('The key reads and writes “Sales”.')
  await dialog.getByLabel('Expires').selectOption('At the end of a day…')
  await dialog.getByLabel('Last day').fill('2020-01-01')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Choose today or a later day.')
  await dialog.getByLabel('Expires').selectOption('Never')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const shown = page.getByRole('dialog', { name: 'Your key “Sales only”' })
  const key = await shown.getByLabel('API key').inputValue()
  await shown.getByRole('button', { name: 'I’ve copied it' }).click()
  await expect(keyRow(page, 'Sales only')).toContainText('Reads and writes “Sales”')
  const { workspaces } = JSON.parse((await call(page, 'console/v1/workspaces')).text).data as {
    workspaces: { id: string }[]
  }
  const listed = await call(page, `public/v1/workspaces/${workspaces[0]?.id}/datasets`, {
    headers: { 'X-API-Key': key },
  })
  expect(listed.text).toContain('Sales')
  expect(listed.text).not.toContain('Stock')
})

test('revoking the app’s own key warns, and the app goes on', async ({ page }) => {
  await settings(page, 'keys')
  const own = page.getByRole('listitem').filter({ hasText: 'This app' })
  const end = own.getByRole('code')
  const before = await end.innerText()
  await own.getByRole('button', { name: /^Revoke/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('It’s the key that this app uses')
  await agree(dialog, 'Revoke key')
  await expect(end).toBeVisible()
  await expect(end).not.toHaveText(before)
  expect(await createDataset(page, 'Afterwards', { rows: 5 })).toBe(201)
})

async function fillService(page: Page, values: { baseUrl: string; key?: string; workspaceId?: string }): Promise<void> {
  await page.getByRole('radio', { name: 'A service on the network' }).check()
  await page.getByRole('textbox', { name: 'Base URL' }).fill(values.baseUrl)
  await page.getByLabel('API key', { exact: true }).fill(values.key ?? FAKE.key)
  await page.getByRole('textbox', { name: 'Workspace id' }).fill(values.workspaceId ?? FAKE.workspaceId)
  await page.getByLabel('Name in SQL').fill(FAKE.slug)
}

async function testConnection(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Test connection' }).click()
  const report = page.getByRole('region', { name: 'Test result' })
  await expect(report).toHaveAttribute('aria-busy', 'false', { timeout: 60_000 })
  return report
}

test('the test of a connection says what doesn’t work', async ({ page }) => {
  await settings(page, 'connection')
  await page.getByRole('radio', { name: 'A service on the network' }).check()
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByRole('alert')).toHaveCount(3)

  await fillService(page, { baseUrl: await deadBaseUrl() })
  await expect(await testConnection(page)).toContainText('No answer from 127.0.0.1')

  const closed = await fakeService({ cors: false })
  await page.getByRole('textbox', { name: 'Base URL' }).fill(closed.baseUrl)
  await expect(await testConnection(page)).toContainText('doesn’t let pages of http://localhost')
  await closed.close()

  const service = await fakeService({ writes: false })
  await page.getByRole('textbox', { name: 'Base URL' }).fill(service.baseUrl)
  await page.getByLabel('API key', { exact: true }).fill('sk_live_wrong')
  await expect(await testConnection(page)).toContainText('The key isn’t accepted')
  await page.getByLabel('API key', { exact: true }).fill(FAKE.key)
  await page.getByRole('textbox', { name: 'Workspace id' }).fill('00000000-0000-4000-8000-000000000000')
  await expect(await testConnection(page)).toContainText('no such workspace')
  await page.getByRole('textbox', { name: 'Workspace id' }).fill(FAKE.workspaceId)
  const report = await testConnection(page)
  await expect(report).toContainText('It works, with one limit.')
  await expect(report).toContainText('May not write')
  await expect(report).toContainText('750 of 1,000 requests left')
  await service.close()
})

test('a connection that nobody tested is tested before it’s made', async ({ page }) => {
  const service = await fakeService()
  await settings(page, 'connection')
  await fillService(page, { baseUrl: service.baseUrl, key: 'sk_live_wrong' })
  const connect = page.getByRole('button', { name: 'Connect', exact: true })
  await connect.click()
  await expect(page.getByText('The key isn’t accepted')).toBeVisible({ timeout: 30_000 })
  const dialog = page.getByRole('dialog')
  await expect(dialog).toHaveCount(0)
  // A second press connects anyway, after a warning.
  await connect.click()
  await expect(dialog).toContainText('You can connect anyway')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await fillService(page, { baseUrl: service.baseUrl })
  await connect.click()
  await expect(dialog).toContainText('it leaves this machine', { timeout: 30_000 })
  await expect(dialog).not.toContainText('anyway')
  await service.close()
})

test('a service of another origin is connected to, after a reload too, and left again', async ({ page, context }) => {
  const service = await fakeService()
  await settings(page, 'connection')
  await fillService(page, { baseUrl: service.baseUrl })
  await expect(await testConnection(page)).toContainText('Everything works.')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Connect to 127\.0\.0\.1/ })
  await expect(dialog).toContainText('it leaves this machine')
  const tested = service.seen.length
  await Promise.all([page.waitForEvent('load'), dialog.getByRole('button', { name: 'Connect and reload' }).click()])

  for (const again of [false, true]) {
    if (again) await page.reload()
    await expect(page.getByRole('region', { name: 'Connected to' })).toContainText(service.baseUrl)
    await expect(page.locator('html')).not.toHaveAttribute('data-service')
    await page.getByRole('link', { name: 'Usage' }).click()
    await expect(page.getByRole('meter', { name: /Requests/ })).toHaveAttribute('value', '250')
    expect(service.seen.slice(tested)).toContain(`GET /public/v1/workspaces/${FAKE.workspaceId}/datasets`)
    await page.getByRole('link', { name: 'API keys' }).click()
    await expect(page.getByRole('button', { name: 'New key' })).toBeDisabled()
    await expect(page.getByText('manages its keys on its own pages')).toBeVisible()
    await page.getByRole('link', { name: 'Backup' }).click()
    await expect(page.getByRole('button', { name: 'Download backup' })).toBeDisabled()
    await page.getByRole('link', { name: 'Connection' }).click()
  }

  // Loaded without the service worker, a page has the build's own policy, and has to get the wider one back by itself.
  await hardReload(context, page)
  await page.getByRole('link', { name: 'Usage' }).click()
  await expect(page.getByRole('meter', { name: /Requests/ })).toHaveAttribute('value', '250')
  await page.getByRole('link', { name: 'Connection' }).click()
  await expect(page.getByText(/This page can’t reach/)).toHaveCount(0)

  await page.getByRole('radio', { name: 'This browser' }).check()
  await page.getByRole('button', { name: 'Connect to this browser' }).click()
  const back = page.getByRole('dialog').getByRole('button', { name: 'Connect and reload' })
  await Promise.all([page.waitForEvent('load'), back.click()])
  await ready(page)
  await expect(page.getByRole('region', { name: 'Connected to' })).toContainText('This browser')
  await service.close()
})

test('workspaces: made, opened, changed, deleted by name', async ({ page }) => {
  await settings(page, 'workspaces')
  await expect(page.getByRole('button', { name: 'Delete My workspace' })).toBeDisabled()
  await page.getByRole('button', { name: 'New workspace' }).click()
  const creating = page.getByRole('dialog', { name: 'New workspace' })
  await creating.getByRole('button', { name: 'Create workspace' }).click()
  await expect(creating.getByRole('alert')).toBeVisible()
  await creating.getByLabel('Name', { exact: true }).fill('Ähre & Korn')
  await creating.getByRole('radio', { name: 'Pro' }).check()
  await creating.getByRole('button', { name: 'Create workspace' }).click()
  const row = page.getByRole('listitem', { name: 'Ähre & Korn' })
  await expect(row).toContainText('Pro: 1,000 requests an hour')
  await row.getByRole('button', { name: 'Switch to Ähre & Korn' }).click()
  await expect(row).toContainText('Open')

  await row.getByRole('button', { name: 'Edit Ähre & Korn' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit “Ähre & Korn”' })
  await editing.getByLabel('Name in SQL').fill('my_workspace')
  await editing.getByRole('button', { name: 'Save' }).click()
  await expect(editing.getByRole('alert')).toHaveText('Another workspace has it.')
  await editing.getByLabel('Name in SQL').fill('grain')
  await editing.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('In SQL: grain')
  await page.getByRole('link', { name: 'Connection' }).click()
  await expect(page.getByText('grain.dataset.table')).toBeVisible()

  await page.getByRole('link', { name: 'Workspaces' }).click()
  await row.getByRole('button', { name: 'Delete Ähre & Korn' }).click()
  const deleting = page.getByRole('dialog', { name: 'Delete “Ähre & Korn”?' })
  const confirm = deleting.getByRole('button', { name: 'Delete workspace' })
  await expect(confirm).toBeDisabled()
  await deleting.getByLabel(/^Type/).fill('Ähre & Korn')
  await agree(deleting, 'Delete workspace')
  await expect(row).toBeHidden()
  await expect(page.getByRole('listitem', { name: 'My workspace' })).toContainText('Open')
})

test('usage: gauges from what the service answers, and what is really kept', async ({ page }) => {
  // Browsers also count temporary data of a site.
  await page.addInitScript(() => {
    navigator.storage.estimate = () => Promise.resolve({ usage: 5e9, quota: 9e9 })
  })
  await settings(page, 'usage')
  const limits = page.getByRole('region', { name: 'Rate limits by key' })
  // Unused limits are folded.
  await expect(limits.getByRole('meter')).toHaveCount(1)
  await expect(limits.getByRole('meter')).toHaveAttribute('aria-valuetext', /^[1-9]\d* of 10,000 used$/)
  await limits.getByText(/^Not used now: POST/).click()
  await expect(limits.getByRole('meter')).toHaveCount(10)
  await expect(page.getByRole('region', { name: 'This app’s key' }).getByRole('meter')).toHaveAttribute('max', '10000')
  const kept = page.getByRole('meter', { name: 'Used on this machine' })
  await expect(kept).toBeVisible()
  const { value, max } = await kept.evaluate((meter: HTMLMeterElement) => ({ value: meter.value, max: meter.max }))
  expect(value).toBeLessThan(1e9)
  expect(max - value).toBe(4e9)
  await expect(limits).toContainText(/Starts over in .+, at \d\d:00:00/)
})

test('a backup brings everything back; a damaged one changes nothing', async ({ page }, info) => {
  await settings(page, 'backup')
  expect(await createDataset(page, 'Sales', { rows: 3_000 })).toBe(201)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download backup' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^rowhouse-backup-\d{4}-\d\d-\d\d-\d{4}\.zip$/)
  const path = info.outputPath('backup.zip')
  await file.saveAs(path)
  expect(await createDataset(page, 'Later', { rows: 10 })).toBe(201)

  const bytes = readFileSync(path)
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  const damaged = info.outputPath('damaged.zip')
  writeFileSync(damaged, bytes)
  await page.getByLabel('Backup file').setInputFiles(damaged)
  await expect(page.getByRole('alert')).toContainText('damaged')
  expect(await listDatasets(page)).toHaveLength(2)

  await page.getByLabel('Backup file').setInputFiles(path)
  const dialog = page.getByRole('dialog', { name: 'Restore this backup?' })
  await expect(dialog).toContainText('1 workspace, 1 dataset with 2 tables')
  await dialog.getByRole('button', { name: 'Replace everything' }).click()
  await expect(dialog).toBeHidden({ timeout: 60_000 })
  expect(await listDatasets(page)).toEqual(['Sales'])
})

test('a backup is restored in another browser, whose app then makes itself a key', async ({ page, browser }, info) => {
  await settings(page, 'backup')
  expect(await createDataset(page, 'Moved', { rows: 100 })).toBe(201)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download backup' }).click()
  const path = info.outputPath('backup.zip')
  await (await download).saveAs(path)
  const other = await (await browser.newContext()).newPage()
  await settings(other, 'backup')
  await other.getByLabel('Backup file').setInputFiles(path)
  const dialog = other.getByRole('dialog', { name: 'Restore this backup?' })
  await dialog.getByRole('button', { name: 'Replace everything' }).click()
  await expect(dialog).toBeHidden({ timeout: 60_000 })
  await expect.poll(() => listDatasets(other).catch(() => [])).toEqual(['Moved'])
  await other.context().close()
})

test('what SQL keeps goes along with a backup, and goes when everything is erased', async ({ page, browser }, info) => {
  // Slow because of two browsers, each with an engine.
  test.slow()
  await openSql(page)
  const csv = { name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from('code,n\n007,1\n010,2\n') }
  await page.getByLabel('Files to query', { exact: true }).setInputFiles(csv)
  await expect(tree(page).getByRole('treeitem', { name: /codes, 2 rows/ })).toBeVisible(SLOW)
  await rows(page, 'SELECT code FROM local.codes ORDER BY n', '2 rows')
  await button(page, 'Save the query').click()
  const saving = page.getByRole('dialog')
  await saving.getByRole('textbox').fill('Kept codes')
  await saving.getByRole('button', { name: 'Save', exact: true }).click()
  await settings(page, 'backup')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download backup' }).click()
  const path = info.outputPath('backup.zip')
  await (await download).saveAs(path)

  const other = await (await browser.newContext()).newPage()
  await openSql(other)
  await other.getByLabel('Files to query', { exact: true }).setInputFiles({ ...csv, buffer: Buffer.from('code\nx\n') })
  await expect(tree(other).getByRole('treeitem', { name: /codes, 1 row/ })).toBeVisible(SLOW)
  await settings(other, 'backup')
  await other.getByLabel('Backup file').setInputFiles(path)
  const dialog = other.getByRole('dialog', { name: 'Restore this backup?' })
  await expect(dialog.getByRole('listitem').filter({ hasText: '1 saved query' })).toBeVisible()
  await expect(dialog.getByRole('listitem').filter({ hasText: /^1 local table \(/ })).toBeVisible()
  await dialog.getByRole('button', { name: 'Replace everything' }).click()
  await expect(dialog).toBeHidden({ timeout: 60_000 })
  await expect(other.getByText('Local table “codes” is called “codes_2” now')).toBeVisible()

  await openSql(other)
  await expect(tree(other).getByRole('treeitem', { name: /codes, 1 row/ })).toBeVisible(SLOW)
  await rows(other, 'SELECT code FROM local.codes_2 ORDER BY n', '2 rows')
  await other.getByRole('tab', { name: 'Saved', exact: true }).click()
  const saved = other.getByRole('list', { name: 'Saved queries' })
  await expect(saved.getByRole('button', { name: /^Kept codes/ })).toBeVisible()

  // Meanwhile this page's engine has the table open.
  await other.getByRole('link', { name: 'Settings' }).first().click()
  await other.getByRole('link', { name: /Backup/ }).click()
  await other.getByRole('button', { name: 'Erase everything…' }).click()
  const erasing = other.getByRole('dialog', { name: 'Erase everything?' })
  await erasing.getByLabel('Type “erase” to confirm').fill('erase')
  await Promise.all([other.waitForEvent('load'), erasing.getByRole('button', { name: 'Erase everything' }).click()])
  const folders = await other.evaluate(async () => {
    const names: string[] = []
    for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name)
    return names
  })
  expect(folders).not.toContain('local-tables')
  await openSql(other)
  await expect(editor(other)).not.toContainText('codes')
  await expect(tree(other).getByRole('treeitem', { name: /codes/ })).toHaveCount(0)
  await other.context().close()
})

test('erasing takes everything, in all tabs', async ({ page, context }) => {
  await settings(page, 'backup')
  expect(await createDataset(page, 'Gone', { rows: 10 })).toBe(201)
  const other = await context.newPage()
  await settings(other, 'keys')
  await createKey(other, 'Gone too')
  await page.getByRole('button', { name: 'Erase everything…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase everything?' })
  await dialog.getByLabel('Type “erase” to confirm').fill('erase')
  const erase = dialog.getByRole('button', { name: 'Erase everything' })
  await Promise.all([page.waitForEvent('load'), other.waitForEvent('load'), erase.click()])
  await ready(page)
  await ready(other)
  expect(await listDatasets(page)).toEqual([])
  await expect(other.getByRole('listitem').filter({ hasText: 'This app' })).toBeVisible()
  await expect(keyRow(other, 'Gone too')).toHaveCount(0)
})

test('the keyboard alone makes a key', async ({ page }) => {
  await settings(page, 'keys')
  await page.getByRole('button', { name: 'New key' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New key' })
  await expectFocusIn(dialog)
  await dialog.getByLabel('Name').focus()
  await page.keyboard.type('By hand')
  await page.keyboard.press('Enter')
  const shown = page.getByRole('dialog', { name: 'Your key “By hand”' })
  await expectFocusIn(shown)
  await shown.getByRole('button', { name: 'I’ve copied it' }).focus()
  await page.keyboard.press('Enter')
  await expect(shown).toBeHidden()
  await expect(keyRow(page, 'By hand')).toBeVisible()
  await expect(page.getByRole('button', { name: 'New key' })).toBeFocused()
})

test('axe finds nothing serious, in both themes and sizes', async ({ page }) => {
  test.slow()
  const marks = { connection: 'Connected to', keys: 'New key', usage: 'Rate limits by key', about: 'In this version' }
  for (const section of ['connection', 'keys', 'usage', 'workspaces', 'backup', 'appearance', 'about']) {
    await settings(page, section)
    const mark = marks[section as keyof typeof marks]
    if (mark) await expect(page.getByText(mark).first()).toBeVisible()
    await expectAccessible(page, section)
  }
  await page.goto('/settings/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  await expect(page.getByRole('dialog', { name: 'New key' })).toBeVisible()
  await expectAccessible(page, 'the dialog')
})
