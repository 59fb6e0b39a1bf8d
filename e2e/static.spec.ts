import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
}

/** A host that serves files and nothing else, with the app in a folder of it. */
function fileHost(prefix: string): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    let file = pathname.startsWith(prefix) ? path.join(dist, pathname.slice(prefix.length)) : ''
    if (file && existsSync(file) && statSync(file).isDirectory()) file = path.join(file, 'index.html')
    if (!file || !existsSync(file)) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream' })
    createReadStream(file).pipe(response)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}

test('the build runs from any static host, under a sub-path, deep links too', async ({ page }) => {
  const server = await fileHost('/tools/rowhouse/')
  try {
    const { port } = server.address() as AddressInfo
    const origin = `http://127.0.0.1:${port}`
    for (const address of ['/tools/rowhouse/', '/tools/rowhouse/convert/', '/tools/rowhouse/convert']) {
      await page.goto(origin + address)
      await expect(page).toHaveURL(/\/tools\/rowhouse\/convert/)
      await page
        .getByLabel('Add files')
        .setInputFiles(fileURLToPath(new URL('./fixtures/customers.csv', import.meta.url)))
      const file = page.getByRole('region', { name: 'customers.csv', exact: true })
      await file.getByRole('combobox', { name: 'Convert to' }).selectOption('Parquet')
      await file.getByRole('button', { name: 'Convert', exact: true }).click()
      await expect(file.getByRole('region', { name: 'Receipt' })).toBeVisible({ timeout: 30_000 })
      await file.getByRole('button', { name: 'Remove' }).first().click()
    }
  } finally {
    server.close()
  }
})
