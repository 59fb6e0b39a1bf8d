import * as duckdb from '@duckdb/duckdb-wasm/blocking'
import { pathOfAsset } from '../io/node-files.ts'
import { countMemory } from '../io/wasm-memory.ts'
import { compileDuckDB } from './compiled.ts'
import type { Spill } from './spill.ts'
import { Database, type Bindings, type DatabaseOptions, type WebAssemblyParts } from './database.ts'
import wasmUrl from '@duckdb/duckdb-wasm/dist/duckdb-eh.wasm?url'

interface Imports {
  readonly env: Record<string, unknown>
}

type LibraryBindings = Omit<Bindings, 'wasm'> & {
  wasm?: WebAssemblyParts
  instantiate(): Promise<unknown>
  instantiateWasm(
    imports: Imports,
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
  if (options.spill) refuseOthers(library.BROWSER_RUNTIME, options.spill)
  await (node ? instantiateInNode(bindings) : instantiate(bindings, library.BROWSER_RUNTIME))
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
function keepParts(bindings: LibraryBindings, instance: WebAssembly.Instance, imports: Imports): void {
  const { memory, __indirect_function_table: table } = imports.env as unknown as {
    memory: WebAssembly.Memory
    __indirect_function_table: WebAssembly.Table
  }
  bindings.wasm = { instance, memory, table }
  countMemory(memory)
}

function instantiateInNode(bindings: LibraryBindings): Promise<unknown> {
  const own = bindings.instantiateWasm.bind(bindings)
  bindings.instantiateWasm = (imports, succeed) =>
    own(imports, (instance, module) => {
      keepParts(bindings, instance, imports)
      succeed(instance, module)
    })
  return bindings.instantiate()
}

/** Does what the library's own function would do, but rejects if the WebAssembly can't be loaded. */
function instantiate(bindings: LibraryBindings, runtime: Runtime): Promise<unknown> {
  Object.assign(globalThis, { DUCKDB_RUNTIME: runtime })
  const failed = new Promise<never>((_, reject) => {
    bindings.instantiateWasm = (imports, succeed) => {
      const instantiated = async (): Promise<void> => {
        const module = await compileDuckDB()
        const instance = await WebAssembly.instantiate(module, imports as unknown as WebAssembly.Imports)
        keepParts(bindings, instance, imports)
        succeed(instance, module)
      }
      instantiated().catch(reject)
      return {}
    }
  })
  return Promise.race([bindings.instantiate(), failed])
}
