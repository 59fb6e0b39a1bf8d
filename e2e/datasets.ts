import { expect, type Locator, type Page } from '@playwright/test'
import { fixture } from './page.ts'
import { call, newKey } from './stand-in.ts'

/* A person's actions with datasets, for specs. */

export interface TextFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

export function textFile(name: string, text: string, mimeType = 'text/csv'): TextFile {
  return { name, mimeType, buffer: Buffer.from(text) }
}

/** Opens the dialog and adds files, from `fixtures/` or with a given text; returns the dialog. */
export async function begin(page: Page, ...files: (string | TextFile)[]): Promise<Locator> {
  if (!new URL(page.url(), 'http://x').pathname.endsWith('/datasets')) await page.goto('/datasets')
  await page.getByRole('button', { name: 'New dataset' }).click()
  const dialog = page.getByRole('dialog')
  const input = dialog.getByLabel('Add files')
  for (const file of files) await input.setInputFiles(typeof file === 'string' ? fixture(file) : file)
  return dialog
}

/** Creates a dataset and waits for its page. */
export async function create(page: Page, name: string, ...files: (string | TextFile)[]): Promise<void> {
  const dialog = await begin(page, ...files)
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await dialog.getByRole('button', { name: 'Create dataset' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible({ timeout: 90_000 })
}

/** The first statement takes long, because it starts the engine. */
export const SLOW = { timeout: 90_000 }

/** A column's cells in the first rows, as shown. */
export async function cells(grid: Locator, column: number, rows: number): Promise<string[]> {
  const found: string[] = []
  for (let row = 0; row < rows; row++) {
    const cell = grid.locator(`[role=row][aria-rowindex="${row + 2}"] [role=gridcell][aria-colindex="${column + 2}"]`)
    await expect(cell).not.toBeEmpty(SLOW)
    found.push(await cell.innerText())
  }
  return found
}

/** The service's own list: the names of all datasets with their tables. */
export async function listed(page: Page): Promise<(readonly [string, readonly string[]])[]> {
  const { workspaceId, key } = await newKey(page)
  const path = `public/v1/workspaces/${workspaceId}/datasets?expand=tables`
  const { text } = await call(page, path, { headers: { 'X-API-Key': key } })
  const { data } = JSON.parse(text) as { data: { datasets: { name: string; tables: { name: string }[] }[] } }
  return data.datasets.map(({ name, tables }) => [name, tables.map((table) => table.name)] as const)
}
