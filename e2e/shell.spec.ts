import { fileURLToPath } from 'node:url'
import { expect, test } from './test.ts'
import { drop, expectFocusIn, fixture, region } from './page.ts'
import { expectAccessible } from './accessible.ts'

const customers = fileURLToPath(new URL('./fixtures/customers.csv', import.meta.url))
const ragged = fileURLToPath(new URL('./fixtures/ragged.csv', import.meta.url))

test('axe finds nothing serious, in both themes and sizes', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByLabel('Add files')).toBeAttached()
  await expectAccessible(page, 'nothing there')
  await page.getByLabel('Add files').setInputFiles([customers, ragged])
  const file = page.getByRole('region', { name: 'customers.csv', exact: true })
  await expect(file.getByRole('table', { name: 'Preview' })).toBeVisible()
  await expectAccessible(page, 'previews')
  await file.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(file.getByRole('region', { name: 'Receipt' })).toBeVisible()
  await expectAccessible(page, 'a receipt')
})

test('the keyboard alone converts a file', async ({ page }) => {
  await page.goto('/convert')
  await expect(page.getByLabel('Add files')).toBeAttached()
  const chooser = page.waitForEvent('filechooser')
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press('Tab')
    const label = await page.evaluate(() => {
      const element = document.activeElement
      return element instanceof HTMLInputElement
        ? (element.labels?.[0]?.textContent ?? element.ariaLabel)
        : element?.textContent
    })
    if (label?.includes('Add files')) break
  }
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(customers)
  const file = page.getByRole('region', { name: 'customers.csv', exact: true })
  await expect(file.getByRole('table', { name: 'Preview' })).toBeVisible()
  await file.getByRole('combobox', { name: 'Convert to' }).focus()
  await page.keyboard.press('P')
  await expect(file.getByRole('combobox', { name: 'Convert to' })).toHaveValue(/parquet/i)
  await file.getByRole('button', { name: 'Convert', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(file.getByRole('region', { name: 'Receipt' })).toBeVisible()
})

test('the palette opens with the keyboard and goes where it’s told', async ({ page }) => {
  await page.goto('/convert')
  await expect(page.getByLabel('Add files')).toBeAttached()
  await page.keyboard.press('Control+k')
  await expectFocusIn(page.getByRole('dialog'))
  await page.keyboard.type('dark')
  await expect(page.getByRole('option', { name: 'Theme: dark', selected: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('the palette begins a dataset, a query and a conversion from any screen', async ({ page }) => {
  const choose = async (words: string, option: string): Promise<void> => {
    await page.keyboard.press('Control+k')
    await expectFocusIn(page.getByRole('dialog'))
    await page.keyboard.type(words)
    await expect(page.getByRole('option', { name: option, selected: true })).toBeVisible()
    await page.keyboard.press('Enter')
  }
  await page.goto('/settings/about')
  await expect(page.getByRole('heading', { name: 'Help' })).toBeVisible()
  const chooser = page.waitForEvent('filechooser')
  await choose('add files', 'Add files…')
  await (await chooser).setFiles(customers)
  await expect(region(page, 'customers.csv')).toBeVisible()
  await choose('new dataset', 'New dataset')
  await expect(page.getByRole('dialog', { name: 'New dataset' })).toBeVisible()
  await page.keyboard.press('Escape')
  await choose('new query', 'New query')
  await expect(page.getByRole('tab', { name: 'Query 1' })).toBeVisible()
})

test('the keyboard goes on from the page when what had the focus is gone', async ({ page }) => {
  const focused = () => page.evaluate(() => document.activeElement?.closest('main') !== null)
  await page.goto('/convert')
  await expect(page.getByLabel('Add files')).toBeAttached()
  await page.keyboard.press('Control+k')
  await expectFocusIn(page.getByRole('dialog'))
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(focused).toBe(true)
  const sample = page.getByRole('button', { name: 'Try with a sample' })
  await sample.focus()
  await page.keyboard.press('Control+k')
  await expectFocusIn(page.getByRole('dialog'))
  await page.keyboard.press('Escape')
  await expect(sample).toBeFocused()
  await sample.press('Enter')
  await expect(page.locator('section[data-stage]')).toHaveCount(1)
  await expect.poll(focused).toBe(true)
  await page.getByLabel('Add files').setInputFiles(fixture('customers.csv'))
  await expect(page.locator('section[data-stage]')).toHaveCount(2)
  await page.locator('section[data-stage]').first().getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(region(page, 'customers.csv').getByRole('link', { name: 'customers.csv' })).toBeFocused()
})

test('an address that isn’t there says so', async ({ page }) => {
  await page.goto('/no/such/place')
  await expect(page.getByRole('heading', { name: /nobody lives/i })).toBeVisible()
  await expect(page).toHaveTitle('No such page · Rowhouse')
  await page.goto('/settings/nowhere')
  await expect(page.getByRole('heading', { name: 'There’s no such page in Settings' })).toBeVisible()
  await expect(page).toHaveTitle('No such page · Rowhouse')
})

test('files dropped anywhere on the window are added', async ({ page }) => {
  await page.goto('/convert')
  await drop(page, 'dropped.csv')
  await expect(page.getByRole('region', { name: 'dropped.csv', exact: true })).toBeVisible()
})

test('on a phone the section that is open is in view among the others', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/settings/about')
  await expect(page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Help' })).toBeInViewport({
    ratio: 1,
  })
})

test.describe('on a device that isn’t set to save data', () => {
  test.use({ savesData: false })

  test('the engine starts when the pointer or the focus stays on SQL', async ({ page }) => {
    for (const near of ['hover', 'focus'] as const) {
      await page.goto('/settings')
      const link = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'SQL' })
      await expect(link).toBeVisible()
      await page.waitForLoadState('networkidle')
      const before = page.workers().length
      await link[near]()
      await expect.poll(() => page.workers().length, { timeout: 30_000 }).toBeGreaterThan(before)
      expect(new URL(page.url()).pathname).toBe('/settings')
    }
  })
})

test.describe('before the service worker has the app', () => {
  // On a busy machine it may have a part before the page asks for it.
  test.use({ serviceWorkers: 'block' })

  test('parts of the app that can’t be loaded are said to be missing', async ({ page }) => {
    // The first script, or one that it needs, fails: there's no service worker yet that would have cached them.
    const first = '**/assets/ui-*.js'
    await page.route(first, (route) => route.abort())
    await page.goto('/convert')
    const alert = page.getByRole('alert')
    await expect(alert).toHaveText('Rowhouse couldn’t be loaded. Connect to the network, then reload the page.')
    await page.unroute(first)
    await page.route('**/assets/WorkspaceMenu-*.js', (route) => route.abort())
    await page.reload()
    await expect(alert.getByRole('heading', { name: 'A part of Rowhouse couldn’t be loaded' })).toBeVisible()
    await expect(alert.getByRole('button', { name: 'Reload the page' })).toBeVisible()
  })
})
