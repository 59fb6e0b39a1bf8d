import { expect, test } from './test.ts'
import { account, open, upload } from './api.ts'
import { fileHost } from './host.ts'
import { ready, stopServiceWorker } from './stand-in.ts'

/*
 * A browser may stop a service worker during a call: then it passes the call to the next one, and the page receives it
 * again. Parts of an engine may be loading at that moment, too.
 */

for (const part of ['ingest-', 'duckdb-eh-']) {
  test(`a table isn’t a bad one because a part of the engine couldn’t be fetched: ${part}`, async ({ page }) => {
    const host = await fileHost('/')
    try {
      host.unreachable.add(part)
      await page.goto(`${host.origin}/settings/keys`)
      await ready(page)
      const by = await account(page)
      const create = async () =>
        by.call('POST', '/public/v1/datasets', {
          workspace_id: by.workspace.id,
          dataset_name: 'Fetched',
          tables: [{ table_name: 't', signed_url: await upload(by) }],
        })
      const { status, headers, error } = await create()
      expect([status, headers['retry-after'], error?.code]).toEqual([503, '1', 'SERVICE_UNAVAILABLE'])
      host.unreachable.delete(part)
      expect((await create()).status).toBe(201)
    } finally {
      host.close()
    }
  })
}

test('a call comes again whose service worker is stopped before its answer, and is answered once', async ({
  page,
  context,
}) => {
  await page.addInitScript(watchCreations)
  await open(page)
  const by = await account(page)
  const url = await upload(by)
  for (const name of ['first', 'second', 'third']) {
    const held = page.evaluate(() => (Reflect.get(window, 'creations') as Creations).hold())
    const creating = by.call('POST', '/public/v1/datasets', {
      workspace_id: by.workspace.id,
      dataset_name: name,
      tables: [{ table_name: 't', signed_url: url }],
    })
    await held
    await stopServiceWorker(context, page)
    await expect.poll(() => page.evaluate(() => (Reflect.get(window, 'creations') as Creations).calls)).toBe(2)
    await page.evaluate(() => (Reflect.get(window, 'creations') as Creations).release())
    const { status, data, text } = await creating
    expect(status, text).toBe(201)
    const { id } = data['dataset'] as { id: string }
    const found = await by.call('GET', `/public/v1/datasets/${id}`)
    expect(found.text).toContain(`"${name}"`)
  }
})

/** The page's side of calls that create datasets. */
interface Creations {
  /** How often the service worker has passed on the last call. */
  readonly calls: number
  /** Holds the answers of calls from now on; resolves when the first one is ready. */
  hold(): Promise<void>
  /** Sends the answers that were held. */
  release(): void
}

function watchCreations(): void {
  let calls = 0
  let holds = false
  let reached = (): void => {}
  const held: (() => void)[] = []
  const creations: Creations = {
    get calls() {
      return calls
    },
    hold: () => {
      calls = 0
      holds = true
      return new Promise((resolve) => (reached = resolve))
    },
    release: () => {
      holds = false
      for (const send of held.splice(0)) send()
    },
  }
  Object.assign(window, { creations })
  navigator.serviceWorker.addEventListener(
    'message',
    ({ data }: MessageEvent<{ type?: string; payload?: unknown }>) => {
      if (data.type !== 'REQUEST' || !JSON.stringify(data.payload).includes('/public/v1/datasets"')) return
      calls++
    },
  )
  const native = Reflect.get(MessagePort.prototype, 'postMessage') as (...sent: unknown[]) => void
  MessagePort.prototype.postMessage = new Proxy(native, {
    apply: (target, port, sent: unknown[]) => {
      const [message] = sent
      const isAnswer = message === 'MOCK_RESPONSE' || (message as { type?: string } | null)?.type === 'MOCK_RESPONSE'
      const send = (): void => {
        Reflect.apply(target, port, sent)
      }
      if (!holds || !isAnswer) {
        send()
        return
      }
      held.push(send)
      reached()
    },
  })
}
