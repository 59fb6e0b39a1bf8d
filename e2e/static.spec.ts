import { expect, test } from '@playwright/test'
import { fileHost } from './host.ts'
import { fixture } from './page.ts'

test('the build runs from any static host, under a sub-path, deep links too', async ({ page }) => {
  const host = await fileHost('/tools/rowhouse/')
  try {
    for (const address of ['/tools/rowhouse/', '/tools/rowhouse/convert/', '/tools/rowhouse/convert']) {
      await page.goto(host.origin + address)
      await expect(page).toHaveURL(/\/tools\/rowhouse\/convert/)
      await page.getByLabel('Add files').setInputFiles(fixture('customers.csv'))
      const file = page.getByRole('region', { name: 'customers.csv', exact: true })
      await file.getByRole('combobox', { name: 'Convert to' }).selectOption('Parquet')
      await file.getByRole('button', { name: 'Convert', exact: true }).click()
      await expect(file.getByRole('region', { name: 'Receipt' })).toBeVisible({ timeout: 30_000 })
      await file.getByRole('button', { name: 'Remove' }).first().click()
    }
  } finally {
    host.close()
  }
})
