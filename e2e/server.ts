import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'

/* A server running beside the test, and the page's form to connect to it. */

export const root = fileURLToPath(new URL('..', import.meta.url))

/** What a start prints; secrets only the first time. */
export interface Told {
  readonly url: string
  readonly workspace_id: string
  readonly key: string
  readonly console_token: string
}

export interface Server {
  readonly told: Told
  /** All that it logged so far. */
  logs(): string
  /** Ends it, which has to be running until then. */
  stop(): Promise<void>
}

/** Starts what `npm run serve` starts. @param data its folder */
export async function serve(data: string, ...args: readonly string[]): Promise<Server> {
  const server = spawn(process.execPath, ['.ci/serve.mjs', '--port', '0', '--data', data, '--json', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let logs = ''
  server.stderr.setEncoding('utf8').on('data', (part: string) => (logs += part))
  const told = await new Promise<Told>((resolve, reject) => {
    let text = ''
    server.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part
      if (text.includes('\n')) resolve(JSON.parse(text) as Told)
    })
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${logs}`)))
  })
  return {
    told,
    logs: () => logs,
    async stop() {
      expect(server.exitCode, logs).toBeNull()
      const ended = new Promise((resolve) => {
        server.once('exit', resolve)
      })
      server.kill('SIGTERM')
      await ended
    },
  }
}

/** Fills in the form for a service on the network. */
export async function fillService(
  page: Page,
  { url, key, workspace_id: workspaceId }: Pick<Told, 'url' | 'key' | 'workspace_id'>,
  token = '',
): Promise<void> {
  await page.getByRole('radio', { name: 'A service on the network' }).check()
  await page.getByRole('textbox', { name: 'Base URL' }).fill(`${url}/public/v1`)
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByRole('textbox', { name: 'Workspace id' }).fill(workspaceId)
  await page.getByLabel('Name in SQL').fill('my_workspace')
  await page.getByLabel('Operator’s token').fill(token)
}

/** Connects by the form, which reloads the page. */
export async function connect(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Connect and reload' }).click()])
}
