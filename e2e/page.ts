import { fileURLToPath } from 'node:url'
import { expect, test, type Download, type Locator, type Page } from '@playwright/test'

/* A person's actions on the page, for all specs. */

export const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url))

/** Opens the page and adds files from `fixtures/`; returns the first one's region. */
export async function add(page: Page, ...names: string[]): Promise<Locator> {
  await page.goto('/convert')
  await page.getByLabel('Add files').setInputFiles(names.map((name) => fixture(name)))
  return region(page, names[0] ?? '')
}

export function region(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true })
}

export async function convertTo(file: Locator, target: string, timeout = 60_000): Promise<void> {
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
 * Confirms a dialog, and waits until it has closed: only then is its change done, and until then everything behind it
 * is hidden from roles.
 */
export async function agree(dialog: Locator, action: string): Promise<void> {
  await dialog.getByRole('button', { name: action, exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** Drops a file on the page, after the page has accepted the drag, as with a mouse. */
export async function drop(page: Page, name: string, text = 'id,name\n1,Ann\n'): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const data = new DataTransfer()
      data.items.add(new File([content], fileName, { type: 'text/csv' }))
      return data
    },
    [name, text] as const,
  )
  await expect(async () => {
    await page.dispatchEvent('body', 'dragenter', { dataTransfer })
    await expect(page.locator('[aria-hidden][data-over=true]')).toBeAttached({ timeout: 500 })
  }).toPass()
  for (const type of ['dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer })
}

/** What Convert has stored for the next visit about its files, or about opening them again, each as JSON. */
export function kept(page: Page, store: 'jobs' | 'sources'): Promise<string[]> {
  return page.evaluate(async (name) => {
    const answer = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('unreadable')))
      })
    const database = await answer(indexedDB.open('rowhouse-convert'))
    const records: unknown[] = await answer(database.transaction(name).objectStore(name).getAll())
    database.close()
    return records.map((record) => JSON.stringify(record))
  }, store)
}

/**
 * Repeats something up to five times, until it once stays within the limit, since the machine may be busy with
 * something else.
 * @param limit in milliseconds
 * @param work does it, and receives the number of earlier attempts; returns a function that waits for the effect, and
 * only that is timed
 */
export async function expectWithin(
  limit: number,
  work: (before: number) => Promise<() => Promise<void>>,
): Promise<void> {
  const took: number[] = []
  while (took.length < 5 && !took.some((each) => each <= limit)) {
    const wait = await work(took.length)
    const begun = performance.now()
    await wait()
    took.push(performance.now() - begun)
  }
  expect(Math.min(...took), `the shortest of ${took.join(', ')} ms`).toBeLessThanOrEqual(limit)
}

/** Waits until a dialog has the focus, a moment after it becomes visible. Keys pressed before would go elsewhere. */
export async function expectFocusIn(dialog: Locator): Promise<void> {
  await expect(dialog.and(dialog.page().locator(':focus-within'))).toBeVisible()
}
