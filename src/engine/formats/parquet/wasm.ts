import { asError } from '../../../lib/errors.ts'
import type * as Parquet from 'parquet-wasm/esm'
import { EngineError } from '../../errors.ts'
import { bytesOfAsset, inNode } from '../../io/node-files.ts'
import { countMemory } from '../../io/wasm-memory.ts'
import wasmUrl from 'parquet-wasm/esm/parquet_wasm_bg.wasm?url'

export type ParquetLibrary = typeof Parquet

let library: Promise<ParquetLibrary> | undefined
/**
 * Whether the library has crashed in this worker. Its heap is then in an unknown state and can't be replaced, so the
 * worker must be.
 */
let poisoned = false

/** Loads the library on first use. */
export function loadParquet(): Promise<ParquetLibrary> {
  library ??= load().catch((error: unknown) => {
    library = undefined
    throw error
  })
  return library
}

async function load(): Promise<ParquetLibrary> {
  const module = await import('parquet-wasm/esm')
  const { memory } = await module.default({ module_or_path: inNode() ? await bytesOfAsset(wasmUrl) : wasmUrl })
  countMemory(memory)
  if (inNode()) listen = (await import('./wasm-in-node.ts')).listenInNode
  return module
}

/** For tests, which accept a possibly damaged heap to avoid starting a process for each file. */
export function forgetPoison(): void {
  poisoned = false
  stopWatching()
}

const DAMAGED = 'Fetch or export the file again: this copy is damaged.'

/**
 * Waits for the library. On unexpected input, its Rust code aborts: the promise then never settles, and the abort
 * surfaces as an uncaught error of the worker. So whichever comes first counts.
 * @param place where in the file, for people
 * @throws {EngineError} `corrupt-file`, `out-of-memory`, `file-changed`
 */
export async function guarded<T>(place: string, work: () => Promise<T> | T): Promise<T> {
  if (poisoned) {
    throw new EngineError('worker-lost', 'The Parquet library crashed earlier on a damaged file.', {
      remedy: 'Try again.',
    })
  }
  const crash = (watch ??= watchForCrash())
  crash.waiting++
  try {
    return await Promise.race([crash.promise, Promise.resolve().then(work)])
  } catch (error) {
    throw fromLibrary(error, place)
  } finally {
    crash.waiting--
    // After a crash, more errors may follow, which are ignored.
    if (watch?.waiting === 0 && !poisoned) stopWatching()
  }
}

/** Frees an object of the library. After a crash, that fails, which is ignored. */
export function release(held: { free(): void }): void {
  try {
    held.free()
  } catch {
    poisoned = true
  }
}

/** Makes a synchronous call of the library. */
export function guardedSync<T>(place: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw fromLibrary(error, place)
  }
}

function fromLibrary(error: unknown, place: string): unknown {
  if (error instanceof EngineError || (error instanceof DOMException && error.name === 'AbortError')) return error
  const message = asError(error).message
  if (error instanceof WebAssembly.RuntimeError) poisoned = true
  if (error instanceof RangeError || /out of memory|memory access|allocation|capacity overflow/i.test(message)) {
    poisoned = true
    return new EngineError('out-of-memory', 'The Parquet file needs more memory than there is.', {
      place,
      remedy: 'Close other tabs, or leave out the largest columns.',
      cause: error,
    })
  }
  if (
    /NotReadable|NotFound|could not be (read|found)/i.test(`${error instanceof Error ? error.name : ''} ${message}`)
  ) {
    return new EngineError('file-changed', 'The file changed on the disk, or went away, after it was added.', {
      remedy: 'Remove it and add it again.',
      cause: error,
    })
  }
  return new EngineError('corrupt-file', 'The Parquet file is damaged: its data can’t be decoded.', {
    place,
    remedy: DAMAGED,
    cause: error,
  })
}

/** All pending calls of the library, which a crash affects together. */
interface Watch {
  /** Rejects when the library crashes. */
  readonly promise: Promise<never>
  readonly fail: (error: unknown) => void
  readonly stopListening: () => void
  /** Number of pending calls. */
  waiting: number
}

let watch: Watch | undefined

function watchForCrash(): Watch {
  let fail: (error: unknown) => void = () => undefined
  const promise = new Promise<never>((_, reject) => {
    fail = reject
  })
  promise.catch(() => undefined)
  return { promise, fail, stopListening: listen(crashed), waiting: 0 }
}

function stopWatching(): void {
  watch?.stopListening()
  watch = undefined
}

/** @returns whether it was a crash of the library */
function crashed(error: unknown): boolean {
  if (!(error instanceof WebAssembly.RuntimeError)) return false
  poisoned = true
  watch?.fail(error)
  return true
}

/** Listens for crashes, and returns a function that stops it. */
let listen = (isCrash: (error: unknown) => boolean): (() => void) => {
  const onError = (event: ErrorEvent): void => {
    if (isCrash(event.error as unknown)) event.preventDefault()
  }
  const onRejection = (event: PromiseRejectionEvent): void => {
    if (isCrash(event.reason as unknown)) event.preventDefault()
  }
  globalThis.addEventListener('error', onError)
  globalThis.addEventListener('unhandledrejection', onRejection)
  return () => {
    globalThis.removeEventListener('error', onError)
    globalThis.removeEventListener('unhandledrejection', onRejection)
  }
}
