import { expect, test, type Page } from './test.ts'
import { expectAccessible } from './accessible.ts'
import { drop, expectFocusIn, expectWithin } from './page.ts'
import { remoteService, type RemoteService } from './remote-service.ts'
import { call, post, ready } from './stand-in.ts'

/** Creates a workspace of the stand-in through its console. */
async function makeWorkspace(page: Page, name: string): Promise<void> {
  const answer = await call(page, 'console/v1/workspaces', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  expect(answer.status, answer.text).toBe(201)
}

const rail = (page: Page) => page.getByRole('banner')

test.describe('workspaces', () => {
  test('are switched in the rail, and the one that was open is open after a reload', async ({ page }) => {
    await page.goto('/datasets')
    await ready(page)
    await makeWorkspace(page, 'Finance')
    await rail(page).getByRole('button', { name: 'Workspace My workspace, in this browser' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Finance' }).click()
    await page.keyboard.press('Escape')
    await expect(rail(page).getByRole('button', { name: 'Workspace Finance, in this browser' })).toBeVisible()
    await page.reload()
    await expect(rail(page).getByRole('button', { name: 'Workspace Finance, in this browser' })).toBeVisible()
  })

  test('are switched from the palette by keyboard alone', async ({ page }) => {
    await page.goto('/settings/appearance')
    await ready(page)
    await makeWorkspace(page, 'Finance')
    await page.keyboard.press('Control+k')
    await expect(page.getByPlaceholder('What do you want to do?')).toBeFocused()
    await page.keyboard.type('switch to fin')
    await expect(page.getByRole('option', { name: 'Switch to Finance' })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(rail(page).getByRole('button', { name: 'Workspace Finance, in this browser' })).toBeVisible()
  })

  test('each have a key of the app’s own, which is made again when it’s revoked', async ({ page }) => {
    await page.goto('/datasets')
    await ready(page)
    await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
    await page.evaluate(async () => {
      const kept = JSON.parse(localStorage.getItem('rowhouse-session') ?? '{}')
      const [{ id }] = Object.values<{ id: string }>(kept.keys) as [{ id: string }]
      await fetch(`/console/v1/api-keys/${id}`, { method: 'DELETE' })
    })
    await page.reload()
    await ready(page)
    await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })

  test('that another tab makes are in the menu within a second', async ({ page, context }) => {
    await page.goto('/datasets')
    await ready(page)
    const other = await context.newPage()
    await other.goto('/settings/appearance')
    await ready(other)
    await rail(page)
      .getByRole('button', { name: /^Workspace / })
      .click()
    await expect(page.getByRole('dialog').getByRole('button', { name: 'My workspace' })).toBeVisible()
    await expectWithin(1000, async (before) => {
      await makeWorkspace(other, `Finance ${before}`)
      return () => expect(page.getByRole('dialog').getByRole('button', { name: `Finance ${before}` })).toBeVisible()
    })
  })
})

test.describe('dropping files', () => {
  test('on Convert converts them', async ({ page }) => {
    await page.goto('/convert')
    await drop(page, 'people.csv')
    await expect(page.getByRole('region', { name: 'people.csv' })).toBeVisible()
  })

  test('on another screen asks what for; Enter converts', async ({ page }) => {
    await page.goto('/settings/appearance')
    await ready(page)
    await drop(page, 'people.csv')
    const dialog = page.getByRole('dialog', { name: 'What to do with “people.csv”?' })
    await expect(dialog.getByRole('button', { name: 'Convert' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/convert$/)
    await expect(page.getByRole('region', { name: 'people.csv' })).toBeVisible()
  })

  test('on Datasets begins a new one', async ({ page }) => {
    await page.goto('/datasets')
    await ready(page)
    await drop(page, 'people.csv')
    const dialog = page.getByRole('dialog', { name: 'What to do with “people.csv”?' })
    await expect(dialog.getByRole('button', { name: 'Add to a dataset' })).toBeFocused()
    await dialog.getByRole('button', { name: 'Add to a dataset' }).click()
    const made = page.getByRole('dialog', { name: 'New dataset' })
    await expect(made.getByText('people.csv').first()).toBeVisible()
    await expect(made.getByRole('button', { name: 'Create dataset' })).toBeEnabled()
  })

  test('on the dialog of a new dataset adds to it', async ({ page }) => {
    await page.goto('/datasets?new')
    await ready(page)
    const made = page.getByRole('dialog', { name: 'New dataset' })
    await expect(made).toBeVisible()
    await drop(page, 'people.csv')
    await expect(made.getByText('people.csv').first()).toBeVisible()
    await drop(page, 'orders.csv')
    await expect(made.getByText('orders.csv').first()).toBeVisible()
    await expect(made.getByText('people.csv').first()).toBeVisible()
  })

  test('can be left', async ({ page }) => {
    await page.goto('/datasets')
    await ready(page)
    await drop(page, 'people.csv')
    await expectFocusIn(page.getByRole('dialog'))
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).toHaveURL(/\/datasets$/)
  })
})

test.describe('a service on the network', () => {
  let service: RemoteService
  test.beforeEach(async () => {
    service = await remoteService((source) => {
      const [, ...lines] = source.trim().split('\n')
      return JSON.stringify(lines.map((line) => ({ id: Number(line.split(',')[0]), name: line.split(',')[1] })))
    })
  })
  test.afterEach(() => service.close())

  async function connect(page: Page): Promise<void> {
    await page.goto('/settings/connection')
    await ready(page)
    await page.getByRole('radio', { name: 'A service on the network' }).check()
    await page.getByLabel('Base URL', { exact: true }).fill(service.baseUrl)
    await page.getByLabel('API key', { exact: true }).fill(service.key)
    await page.getByLabel('Workspace id', { exact: true }).fill(service.workspaceId)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const loaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Connect and reload' }).click()
    await loaded
    await expect(rail(page).getByRole('button', { name: `on ${new URL(service.baseUrl).host}` })).toBeVisible()
  }

  test('is used, after a reload too, and the stand-in isn’t loaded', async ({ page }) => {
    await connect(page)
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    await page.goto('/datasets')
    await expect(page.getByRole('link', { name: 'Team sales' })).toBeVisible()
    expect(service.requests).toContain(`GET /public/v1/workspaces/${service.workspaceId}/datasets`)
    await expect(page.locator('html[data-service]')).toHaveCount(0)
    expect(loaded.filter((path) => /\/assets\/(start|worker)-/.test(path))).toEqual([])
    // The answer comes from the host of the files, which has no console.
    const own = await page.evaluate(async () => (await fetch('/console/v1/workspaces')).headers.get('Content-Type'))
    expect(own ?? '').not.toContain('json')
  })

  test('is left again, for what is in this browser', async ({ page }) => {
    await connect(page)
    await page.goto('/settings/connection')
    await page.getByRole('radio', { name: 'This browser' }).check()
    await page.getByRole('button', { name: 'Connect to this browser' }).click()
    const loaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Connect and reload' }).click()
    await loaded
    await ready(page)
    await expect(rail(page).getByRole('button', { name: 'Workspace My workspace, in this browser' })).toBeVisible()
  })

  test('converts, and what comes back is compared with what was sent', async ({ page }) => {
    await connect(page)
    await page.goto('/convert')
    await page.getByLabel('Add files').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('id,name\n1,Ann\n2,Bob\n'),
    })
    const file = page.getByRole('region', { name: 'people.csv', exact: true })
    await file.getByRole('combobox', { name: 'Convert to' }).selectOption('json')
    await file.getByRole('combobox', { name: 'Where' }).selectOption('service')
    await file.getByRole('button', { name: 'Convert', exact: true }).click()
    const receipt = file.getByRole('region', { name: 'Receipt' })
    await expect(receipt).toContainText('every value is the same')
    await expect(receipt).toContainText(new URL(service.baseUrl).host)
    expect(service.requests).toEqual(
      expect.arrayContaining([
        'POST /public/v1/convert/upload-urls',
        'PUT /files/source.csv',
        'POST /public/v1/convert',
        'GET /files/out.json',
      ]),
    )
  })

  test('that changes a value is found out', async ({ page }) => {
    service.close()
    service = await remoteService(() => '[{"id":1,"name":"Ann"},{"id":2,"name":"Rob"}]')
    await connect(page)
    await page.goto('/convert')
    await page.getByLabel('Add files').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('id,name\n1,Ann\n2,Bob\n'),
    })
    const file = page.getByRole('region', { name: 'people.csv', exact: true })
    await file.getByRole('combobox', { name: 'Convert to' }).selectOption('json')
    await file.getByRole('combobox', { name: 'Where' }).selectOption('service')
    await file.getByRole('button', { name: 'Convert', exact: true }).click()
    await expect(file.getByRole('alert')).toContainText('The file that came back isn’t what was sent.')
    await expect(file.getByRole('button', { name: 'Download' })).toHaveCount(0)
  })

  test('that is away leaves Convert working', async ({ page }) => {
    await connect(page)
    service.close()
    await page.goto('/datasets')
    await expect(page.getByRole('alert')).toContainText('the service doesn’t answer')
    await page.goto('/convert')
    await page.getByRole('button', { name: 'Try with a sample' }).click()
    const file = page.getByRole('region', { name: /sample|orders/i }).first()
    await file.getByRole('button', { name: 'Convert', exact: true }).click()
    await expect(file.getByRole('region', { name: 'Receipt' })).toBeVisible()
  })
})

test('axe finds nothing serious in the menu of workspaces and where files are dropped', async ({ page }) => {
  await page.goto('/settings/appearance')
  await ready(page)
  await rail(page)
    .getByRole('button', { name: /^Workspace / })
    .click()
  await expectFocusIn(page.getByRole('dialog'))
  await expectAccessible(page, 'the menu')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await drop(page, 'people.csv')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Convert' })).toBeVisible()
  await expectAccessible(page, 'a dropped file')
})

test('the stand-in answers the page’s own requests soon after it’s opened, and another tab sees its datasets', async ({
  page,
  context,
}) => {
  await page.goto('/datasets')
  await ready(page)
  const other = await context.newPage()
  await other.goto('/convert')
  await ready(other)
  const kept = await other.evaluate(() => JSON.parse(localStorage.getItem('rowhouse-session') ?? '{}'))
  const key = kept.keys[kept.workspaceId].key as string
  const signed = await call(other, 'public/v1/storage/signed-urls', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify({ workspace_id: kept.workspaceId, files: [{ filename: 'a.csv', content_type: 'text/csv' }] }),
  })
  const [{ signed_url: url }] = (JSON.parse(signed.text) as { urls: [{ signed_url: string }] }).urls
  await call(other, url, { method: 'PUT', headers: { 'Content-Type': 'text/csv' }, body: 'id\n1\n' })
  await expectWithin(1000, async (before) => {
    const name = `From the other tab ${before}`
    const tables = [{ table_name: 'a', signed_url: url }]
    await post(other, key, 'datasets', { workspace_id: kept.workspaceId, dataset_name: name, tables })
    return () => expect(page.getByRole('link', { name })).toBeVisible()
  })
})
