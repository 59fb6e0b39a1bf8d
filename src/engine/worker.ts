import { serve } from './channel/serve.ts'

declare const self: DedicatedWorkerGlobalScope

/** Second threads run the same script, since the build would duplicate everything that another script imports. */
const startWorker = (name: string): Worker => new Worker(self.location.href, { type: 'module', name })

serve(self, {
  convert: async () => (await import('./convert/role.ts')).openConvert(startWorker),
  writer: async (kernel: WebAssembly.Module) => {
    const { openWriterThread } = await import('./convert/writer-thread/role.ts')
    return openWriterThread({ kernel })
  },
  query: async () => (await import('./sql/roles.ts')).openQuery(),
  session: async () => {
    const { openSession } = await import('./sql/roles.ts')
    return openSession(async (...given) => (await import('./convert/stored/table-file.ts')).openTableFile(...given))
  },
})
