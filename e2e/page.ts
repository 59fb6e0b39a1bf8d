import { fileURLToPath } from 'node:url'
import { expect, test, type Download, type Locator, type Page } from '@playwright/test'

/* What a person does on the page, for all specs. */

export const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url))

/** Opens the page and adds files of `fixtures/`; gives the first one's region. */
export async function add(page: Page, ...names: string[]): Promise<Locator> {
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(names.map((name) => fixture(name)))
  return region(page, names[0] ?? '')
}

export function region(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true })
}

export async function convertTo(file: Locator, target: string, timeout = 30_000): Promise<void> {
  await file.getByRole('combobox', { name: 'Convert to' }).selectOption(target)
  await file.getByRole('button', { name: 'Convert', exact: true }).click()
  await expect(file.getByRole('region', { name: 'Receipt' })).toBeVisible({ timeout })
}

export async function download(page: Page, button: Locator): Promise<{ name: string; path: string }> {
  const waiting = page.waitForEvent('download')
  await button.click()
  const got: Download = await waiting
  const name = got.suggestedFilename()
  const target = test.info().outputPath(name)
  await got.saveAs(target)
  return { name, path: target }
}

/**
 * Says yes to what a dialog asks, and waits until it has closed: for what it changes is done then, and as long as it's open
 * all behind it is hidden from roles, as if it were gone.
 */
export async function agree(dialog: Locator, action: string): Promise<void> {
  await dialog.getByRole('button', { name: action, exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** Waits until a dialog has the focus, which comes a moment after it is seen: keys that are pressed before go elsewhere. */
export async function expectFocusIn(dialog: Locator): Promise<void> {
  await expect(dialog.and(dialog.page().locator(':focus-within'))).toBeVisible()
}
