import { expect, test, type Locator, type Page } from './test.ts'
import { axeOn } from './accessible.ts'
import { SLOW } from './sql.ts'

const tryIt = (page: Page): Locator => page.getByRole('region', { name: 'Try it' })
const answer = (page: Page): Locator => page.getByRole('region', { name: 'Answer', exact: true })

async function open(page: Page, operation: string): Promise<void> {
  await page.goto(`/reference?operation=${operation}`)
  await expect(tryIt(page)).toBeVisible()
}

async function run(page: Page, status: RegExp): Promise<void> {
  await tryIt(page).getByRole('button', { name: 'Run', exact: true }).click()
  await expect(answer(page)).toContainText(status, SLOW)
}

test('an operation is read, copied as code, and run', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/reference')
  await page
    .getByRole('navigation', { name: 'Operations' })
    .getByRole('link', { name: /Run SQL/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Run SQL' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Body' }).fill('{"sql": "SELECT 6 * 7 AS answer"}')
  await run(page, /200 OK/)
  await expect(answer(page).getByText('"answer": 42')).toBeVisible()
  await answer(page)
    .getByRole('tab', { name: /Headers/ })
    .click()
  await expect(answer(page).getByText(/x-ratelimit-remaining/i)).toBeVisible()

  await page.getByRole('tab', { name: 'Python' }).click()
  await page.getByRole('button', { name: 'Copy the Python code' }).click()
  const read = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(read).toContain('os.environ["ROWHOUSE_API_KEY"]')
  const code = await read()
  expect(code).toContain('SELECT 6 * 7 AS answer')
  expect(code).not.toContain('sk_live_')
})

test('an error is shown as it came', async ({ page }) => {
  await open(page, 'query')
  await page.getByRole('textbox', { name: 'Body' }).fill('{"sql": "SELEC 1"}')
  await run(page, /400 INVALID_REQUEST/)
  await page.getByRole('textbox', { name: 'Body' }).fill('{')
  await expect(tryIt(page).getByRole('button', { name: 'Run', exact: true })).toBeDisabled()
  await expect(tryIt(page).getByText(/The body isn’t JSON/)).toBeVisible()
})

test('an operation that isn’t there is said to be none; the page is called by the one that is', async ({ page }) => {
  await page.goto('/reference?operation=dropEverything')
  await expect(page.getByText('This service has no operation “dropEverything”.')).toBeVisible(SLOW)
  const operations = page.getByRole('navigation', { name: 'Operations' })
  await operations.getByRole('link', { name: 'DELETE Delete a dataset' }).click()
  await expect(page).toHaveTitle('Delete a dataset · API reference · Rowhouse')
  await expect(page.getByText('This service has no operation')).toHaveCount(0)
  const screens = page.getByRole('navigation', { name: 'Screens' })
  await expect(screens.getByRole('link', { name: 'Settings' })).toHaveAttribute('aria-current', 'page')
})

test('what deletes asks first', async ({ page }) => {
  await open(page, 'deleteDataset')
  await expect(tryIt(page).getByText('Fill in “datasetId” first.')).toBeVisible()
  await page.getByLabel('datasetId').fill('01KG9Z3M5T8V2C4N6P7Q8R9SXA')
  await tryIt(page).getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(answer(page)).toBeHidden()
  await tryIt(page).getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(answer(page).getByText(/404 NOT_FOUND/)).toBeVisible()
})

test('a file is published step by step', async ({ page }) => {
  await open(page, 'signUploads')
  const body = page.getByRole('textbox', { name: 'Body' })
  const request: { workspace_id: string } = JSON.parse(await body.inputValue())
  const file = { filename: 'people.csv', content_type: 'text/csv' }
  await body.fill(JSON.stringify({ workspace_id: request.workspace_id, files: [file] }))
  await run(page, /200 OK/)
  await page.getByLabel('Upload people.csv').setInputFiles(PEOPLE)
  await expect(page.getByText('Uploaded people.csv')).toBeVisible()
  await page.getByRole('button', { name: /Go on: Create a dataset/ }).click()
  await expect(page.getByRole('heading', { name: 'Create a dataset' })).toBeVisible()
  await run(page, /201 OK/)
  await expect(answer(page).getByText('"rows_ingested": 2')).toBeVisible()
})

test('a file is converted step by step', async ({ page }) => {
  await open(page, 'conversionUrls')
  await run(page, /200 OK/)
  await page.getByLabel('Upload the source').setInputFiles(PEOPLE)
  await page.getByRole('button', { name: /Go on: Convert a file/ }).click()
  // The step before also has a button to run it.
  await expect(page.getByRole('heading', { name: 'Convert a file' })).toBeVisible()
  await run(page, /200 OK/)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the result' }).click()
  expect((await download).suggestedFilename()).toBe('orders.parquet')
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing is in the way of assistive technology (${colorScheme})`, async ({ page }) => {
    test.slow()
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await open(page, 'createDataset')
    for (const status of ['400', '429']) await page.getByText(status, { exact: true }).click()
    const { violations } = await axeOn(page).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
    await page.goto('/reference')
    await expect(page.getByRole('heading', { name: 'Authentication' })).toBeVisible()
    expect((await axeOn(page).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  })
}

test('a phone has a select instead of the list', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/reference')
  await page.getByLabel('Operation', { exact: true }).selectOption({ label: 'List formats (GET)' })
  await page.getByRole('button', { name: 'Try it' }).click()
  await run(page, /200 OK/)
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
})

const PEOPLE = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('id,name\n1,Ada\n2,Grace\n') }
