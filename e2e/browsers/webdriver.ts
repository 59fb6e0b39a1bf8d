import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import type { Driver } from './driver.ts'

/** The key that identifies elements in WebDriver. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const KEYS: Readonly<Record<string, string>> = { Control: '\uE009', Shift: '\uE008', Enter: '\uE007', Escape: '\uE00C' }

/** WebKitGTK, driven by WebDriver on a virtual screen. */
export async function launchWebKit(driverPath: string): Promise<Driver> {
  const port = await freePort()
  const args = ['-a', '-s', '-screen 0 1440x1000x24', driverPath, `--port=${port}`]
  const child = spawn('xvfb-run', args, { stdio: 'ignore', detached: true })
  const stop = (): void => {
    // The virtual screen and the browser are in its process group.
    if (child.pid !== undefined) process.kill(-child.pid)
  }
  try {
    const call = await connect(`http://127.0.0.1:${port}`)
    const find = async (selector: string): Promise<string> => {
      const found = (await call('POST', '/element', { using: 'css selector', value: selector })) as Record<
        string,
        string
      >
      return `/element/${found[ELEMENT] ?? ''}`
    }
    const keys = (actions: readonly { readonly type: string; readonly value: string }[]): Promise<unknown> =>
      call('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
    const { browserName, browserVersion } = call.capabilities
    await call('POST', '/window/rect', { width: 1440, height: 900 })
    await call('POST', '/timeouts', { script: 120_000, pageLoad: 60_000 })
    return {
      name: `${browserName} ${browserVersion}`,
      open: async (url) => void (await call('POST', '/url', { url })),
      evaluate: (work, ...given) =>
        call('POST', '/execute/sync', { script: `return (${String(work)})(...arguments)`, args: given }) as never,
      click: async (selector) => void (await call('POST', `${await find(selector)}/click`, {})),
      setFiles: async (selector, paths) =>
        void (await call('POST', `${await find(selector)}/value`, { text: paths.join('\n') })),
      type: async (text) =>
        void (await keys(
          Array.from(text).flatMap((value) => [
            { type: 'keyDown', value },
            { type: 'keyUp', value },
          ]),
        )),
      press: async (pressed) => {
        const values = pressed.split('+').map((key) => KEYS[key] ?? key)
        const down = values.map((value) => ({ type: 'keyDown', value }))
        const up = values.toReversed().map((value) => ({ type: 'keyUp', value }))
        await keys([...down, ...up])
      },
      screenshot: async (path) => writeFile(path, Buffer.from((await call('GET', '/screenshot')) as string, 'base64')),
      close: async () => {
        await call('DELETE', '').catch(() => undefined)
        stop()
      },
    }
  } catch (error) {
    stop()
    throw error
  }
}

interface Session {
  (method: string, path: string, body?: unknown): Promise<unknown>
  readonly capabilities: { readonly browserName: string; readonly browserVersion: string }
}

async function connect(address: string): Promise<Session> {
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(address + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) {
      const { error, message } = value as { error: string; message: string }
      throw new Error(`${method} ${path}: ${error}: ${message}`)
    }
    return value
  }
  const made = (await patiently(() => send('POST', '/session', { capabilities: {} }))) as {
    sessionId: string
    capabilities: Session['capabilities']
  }
  return Object.assign(
    (method: string, path: string, body?: unknown) => send(method, `/session/${made.sessionId}${path}`, body),
    { capabilities: made.capabilities },
  )
}

/** The driver needs a moment before it listens. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === 100 || !(error instanceof TypeError)) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
