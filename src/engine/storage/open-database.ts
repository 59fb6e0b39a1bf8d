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

/** Functions that DuckDB calls to access files in a browser. */
interface Runtime {
  getFileInfo(module: unknown, id: number): { readonly fileName: string } | null
  /** Returns 0 if the file can't be opened. */
  openFile: (module: unknown, id: number, flags: number) => number
}

/** The common part of both blocking builds, for browsers and for Node; the package has types only for the latter. */
interface Library {
  createDuckDB(bundles: unknown, logger: unknown, runtime: unknown): Promise<LibraryBindings>
  readonly VoidLogger: new () => unknown
  readonly BROWSER_RUNTIME: Runtime
  readonly NODE_RUNTIME?: unknown
}

// When closing a file, the library checks whether it's an instance of this class, even in browsers without it.
if (!('FileSystemSyncAccessHandle' in globalThis))
  Object.assign(globalThis, { FileSystemSyncAccessHandle: function None() {} })

/**
 * Opens a database in this worker's memory. SQL can't reach extensions or addresses, and only files registered under
 * the given folder. Uses the `eh` build, not `coi`, since threads made results and cancellation unreliable. The
 * bindings run in this thread, because this is already a worker.
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

/** Prevents DuckDB from opening temporary files other than the registered ones. */
function refuseOthers(runtime: Runtime, spill: Spill): void {
  const open = runtime.openFile
  runtime.openFile = (module, id, flags) => {
    const path = runtime.getFileInfo(module, id)?.fileName
    return path === undefined || spill.allows(path) ? open(module, id, flags) : 0
  }
}

/** Exposes the library's WebAssembly instance, which is private. */
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

/**
 * If its WebAssembly can't be loaded, the library never settles, and the rejection is unhandled. Therefore, this
 * listens for it.
 */
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
