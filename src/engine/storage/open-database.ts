import * as duckdb from '@duckdb/duckdb-wasm/blocking'
import { pathOfAsset } from '../io/node-files.ts'
import { countMemory } from '../io/wasm-memory.ts'
import type { Spill } from './spill.ts'
import { Database, type Bindings, type DatabaseOptions, type WebAssemblyParts } from './database.ts'
import wasmUrl from '@duckdb/duckdb-wasm/dist/duckdb-eh.wasm?url'

type LibraryBindings = Omit<Bindings, 'wasm'> & {
  wasm?: WebAssemblyParts
  instantiate(): Promise<unknown>
  instantiateWasm(
    imports: { readonly env: Record<string, unknown> },
    succeed: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): unknown
}

/** What DuckDB calls for files, in a browser. */
interface Runtime {
  getFileInfo(module: unknown, id: number): { readonly fileName: string } | null
  /** 0: it can't be opened. */
  openFile: (module: unknown, id: number, flags: number) => number
}

/** What both blocking builds, the browser's and Node's, have; the package types only the latter. */
interface Library {
  createDuckDB(bundles: unknown, logger: unknown, runtime: unknown): Promise<LibraryBindings>
  readonly VoidLogger: new () => unknown
  readonly BROWSER_RUNTIME: Runtime
  readonly NODE_RUNTIME?: unknown
}

// The library asks of each file that it lets go of whether it's one of these: also where the browser has none.
if (!('FileSystemSyncAccessHandle' in globalThis))
  Object.assign(globalThis, { FileSystemSyncAccessHandle: function None() {} })

/**
 * A database of its own in this worker's memory, locked down: no extension or address can be reached from SQL, and of
 * files only those that are registered under the folder given.
 *
 * The `eh` build, and not `coi`: threads made results and cancellation unreliable. The bindings run in this thread,
 * because this is already a worker.
 */
export async function openDatabase(options: DatabaseOptions = {}): Promise<Database> {
  const node = 'NODE_RUNTIME' in duckdb
  const mainModule = node ? pathOfAsset(wasmUrl) : wasmUrl
  const bundle = { mainModule, mainWorker: '' }
  const library = duckdb as unknown as Library
  const runtime = node ? library.NODE_RUNTIME : library.BROWSER_RUNTIME
  const bindings = await library.createDuckDB({ mvp: bundle, eh: bundle }, new library.VoidLogger(), runtime)
  keepParts(bindings)
  if (options.spill) refuseOthers(library.BROWSER_RUNTIME, options.spill)
  await (node ? bindings.instantiate() : instantiate(bindings))
  return Database.start(bindings, options)
}

/** DuckDB opens no file for what it has no memory for but those that are registered. */
function refuseOthers(runtime: Runtime, spill: Spill): void {
  const open = runtime.openFile
  runtime.openFile = (module, id, flags) => {
    const path = runtime.getFileInfo(module, id)?.fileName
    return path === undefined || spill.allows(path) ? open(module, id, flags) : 0
  }
}

/** Keeps what the library keeps to itself: what its WebAssembly runs in. */
function keepParts(bindings: LibraryBindings): void {
  const own = bindings.instantiateWasm.bind(bindings)
  bindings.instantiateWasm = (imports, succeed) =>
    own(imports, (instance, module) => {
      const { memory, __indirect_function_table: table } = imports.env as unknown as {
        memory: WebAssembly.Memory
        __indirect_function_table: WebAssembly.Table
      }
      bindings.wasm = { instance, memory, table }
      countMemory(memory)
      succeed(instance, module)
    })
}

/** The library waits for ever where its WebAssembly isn't got: nobody handles that rejection, so this worker says it. */
async function instantiate(bindings: { instantiate(): Promise<unknown> }): Promise<void> {
  const settled = new AbortController()
  const failed = new Promise<never>((_, reject) => {
    const fail = (event: PromiseRejectionEvent): void => {
      if (!(event.reason instanceof TypeError || event.reason instanceof WebAssembly.CompileError)) return
      event.preventDefault()
      reject(event.reason)
    }
    addEventListener('unhandledrejection', fail, { signal: settled.signal })
  })
  try {
    await Promise.race([bindings.instantiate(), failed])
  } finally {
    settled.abort()
  }
}
