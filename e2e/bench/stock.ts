import { http } from 'msw/http'
import { setupWorker } from 'msw/browser'

/* Uploads with unmodified MSW: a handler in the page streams them into the same private file system. */

const worker = setupWorker(
  http.put('*/storage/*', async ({ request }) => {
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle('stock', { create: true })
    const handle = await folder.getFileHandle('object', { create: true })
    const file = await handle.createWritable()
    if (request.body) await request.body.pipeTo(file)
    else await file.close()
    return new Response()
  }),
)
await worker.start({ quiet: true, onUnhandledFrame: 'bypass' })
document.documentElement.dataset['service'] = 'ready'
