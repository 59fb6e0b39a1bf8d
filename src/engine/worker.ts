import { serve } from './channel/serve.ts'
import { compileDuckDB } from './storage/compiled.ts'

declare const self: DedicatedWorkerGlobalScope

/** Second threads run the same script, since the build would duplicate everything that another script imports. */
const startWorker = (name: string): Worker => new Worker(self.location.href, { type: 'module', name })

/** Begins to compile DuckDB. If that fails, so does opening it. */
const compile = (): void => void compileDuckDB().catch(() => undefined)

serve(self, {
  convert: async () => (await import('./convert/role.ts')).openConvert(startWorker),
  writer: async (kernel: WebAssembly.Module) => {
    const { openWriterThread } = await import('./convert/writer-thread/role.ts')
    return openWriterThread({ kernel })
  },
  query: async () => {
    compile()
    return (await import('./sql/roles.ts')).openQuery()
  },
  session: async () => {
    compile()
    const { openSession } = await import('./sql/roles.ts')
    return openSession(async (...given) => (await import('./convert/stored/table-file.ts')).openTableFile(...given))
  },
})
