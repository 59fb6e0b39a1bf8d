import { expect, type Locator, type Page } from '@playwright/test'
import { accountOf, dataset, newKey, open as openService, send, type Account } from './api.ts'

/* A person's actions on the SQL screen, for specs. */

/** The first statement starts the engine. */
export const SLOW = { timeout: 90_000 }

export const editor = (page: Page): Locator => page.getByRole('textbox', { name: 'SQL', exact: true })
export const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Result' })
export const result = (page: Page): Locator => page.getByRole('region', { name: 'Result of the query' })
export const status = (page: Page): Locator => result(page).getByRole('status').first()
export const problem = (page: Page): Locator => result(page).getByRole('alert')
export const tree = (page: Page): Locator => page.getByRole('tree', { name: 'Tables' })
export const tabs = (page: Page): Locator =>
  page.getByRole('tablist', { name: 'Queries', exact: true }).getByRole('tab')
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })

export async function openSql(page: Page, path = '/sql'): Promise<void> {
  await page.goto(path)
  await expect(editor(page)).toBeVisible(SLOW)
}

/** Replaces the editor's text. */
export async function write(page: Page, text: string): Promise<void> {
  await editor(page).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}

/** Writes a text and runs the statement under the cursor with the keyboard. */
export async function run(page: Page, text: string): Promise<void> {
  await write(page, text)
  await page.keyboard.press('Control+Enter')
}

/** Runs a text and waits for its rows. */
export async function rows(page: Page, text: string, words: string): Promise<void> {
  await run(page, text)
  await expect(status(page)).toContainText(words, SLOW)
}

/** Runs a text and returns its error. */
export async function refusal(page: Page, text: string): Promise<string> {
  await run(page, text)
  await expect(status(page)).toContainText('Failed', SLOW)
  return problem(page).innerText()
}

/** A column's cells in the first rows, as shown. */
export async function column(page: Page, index: number, count: number): Promise<string[]> {
  const found: string[] = []
  for (let row = 0; row < count; row++) {
    const place = `[role=row][aria-rowindex="${row + 2}"] [role=gridcell][aria-colindex="${index + 2}"]`
    found.push(await grid(page).locator(place).innerText(SLOW))
  }
  return found
}

/**
 * The whole result by way of the clipboard, which has exact values, whatever the grid shows. Needs permission for the
 * clipboard.
 */
export async function copied(page: Page): Promise<string[][]> {
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await grid(page).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+c')
  const read = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(read).not.toBe('')
  const text = (await read()).replace(/\r?\n$/, '')
  return text.split(/\r?\n/).map((line) => line.split('\t'))
}

/**
 * Creates a dataset `people` with the table `t` (three rows) in the current workspace; returns the table's name in SQL.
 */
export async function people(page: Page): Promise<string> {
  await openService(page)
  const { data } = await send(page, 'GET', '/console/v1/workspaces')
  const [workspace] = data['workspaces'] as [Account['workspace']]
  const key = await newKey(page, workspace.id, ['datasets:*:read', 'datasets:*:write'])
  await dataset(accountOf(page, { workspace, key }), 'people')
  return `${workspace.slug}.people.t`
}
