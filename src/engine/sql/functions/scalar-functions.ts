import { TimestampMicrosecond, Utf8, type DataType } from 'apache-arrow'
import { ByteWriter } from '../../../lib/bytes.ts'
import type { Bindings, Connection } from '../../storage/database.ts'

/** One argument of a call, for all rows of a chunk. */
export interface Argument {
  /** A text's bytes in UTF-8, in the engine's memory: valid until the function returns. Null for NULL. */
  text(row: number): Uint8Array | null
}

/** A function of ours that SQL can call: text in. Macros around it give it other types. */
export interface ScalarFunction {
  readonly name: string
  /** A text if there's none. A timestamp is 8 bytes, as the engine has it. */
  readonly returns?: 'timestamp'
  /**
   * Appends the result for one row. Nothing is to be appended for NULL.
   * @returns false for NULL
   * @throws {Error} its message is what the statement fails with
   */
  call(args: readonly Argument[], row: number, out: ByteWriter): boolean
}

/** The parts of DuckDB-WASM's module that are used here: its memory. */
interface Memory {
  readonly HEAPU8: Uint8Array
  readonly HEAP32: Int32Array
  readonly HEAPF64: Float64Array
  readonly _malloc: (bytes: number) => number
  readonly _free: (address: number) => void
}

/** What the library tells of an argument; the numbers are places in the call's list of addresses. */
interface Described {
  readonly physicalType: string
  readonly validityBuffer: number
  readonly dataBuffer?: number
  readonly lengthBuffer?: number
}

interface Runtime {
  readonly _udfFunctions: ReadonlyMap<number, { readonly func: unknown }>
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()
const NOTHING = new Uint8Array(8)

/** Rows of a chunk: DuckDB's vector size. */
const ROWS = 2048

const TYPES: Readonly<Record<'text' | 'timestamp', DataType>> = {
  text: new Utf8(),
  timestamp: new TimestampMicrosecond(),
}
const WIDTH = 8

/** A function as the library keeps it. */
interface Bridged {
  (...args: Parameters<ScalarFunction['call']>): boolean
  isFixed?: boolean
}

/** Functions by the modules that call them, and the numbers that these know them by. */
const known = new WeakMap<Memory, Map<number, Bridged>>()

/** Makes functions known to every statement of a database. */
export function registerFunctions(bindings: Bindings, { id }: Connection, functions: readonly ScalarFunction[]): void {
  const { mod } = bindings as unknown as { readonly mod: Memory }
  const own = known.get(mod) ?? new Map<number, Bridged>()
  known.set(mod, own)
  keepBridge()
  for (const each of functions) {
    const call: Bridged = (...args) => each.call(...args)
    call.isFixed = each.returns !== undefined
    bindings.createScalarFunction(id, each.name, TYPES[each.returns ?? 'text'], call as (...args: unknown[]) => void)
    const { _udfFunctions: made } = runtime()
    for (const [number, { func }] of made) if (func === call) own.set(number, call)
  }
}

let kept = false

/**
 * Puts `callFunction` in the library's place, for every database of this thread: each that's opened brings the library's
 * own again, for all.
 */
function keepBridge(): void {
  if (kept) return
  kept = true
  const bridge = { get: () => callFunction, set: () => undefined, configurable: true, enumerable: true }
  let current = Object.defineProperty(runtime(), 'callScalarUDF', bridge)
  Object.defineProperty(globalThis, 'DUCKDB_RUNTIME', {
    get: () => current,
    set: (next: Runtime) => {
      current = Object.defineProperty(next, 'callScalarUDF', bridge)
    },
    configurable: true,
    enumerable: true,
  })
}

const runtime = (): Runtime => (globalThis as unknown as { DUCKDB_RUNTIME: Runtime }).DUCKDB_RUNTIME

/** Buffers for results that are kept from call to call: the engine copies what they hold, and doesn't free them. */
interface Results {
  readonly addresses: number
  readonly lengths: number
  text: number
  capacity: number
}
const buffers = new WeakMap<Memory, Results>()
const written = new ByteWriter(64 * 1024)

/**
 * Calls a function for the rows of a chunk, in place of the library's own, which gives the offsets of texts where the
 * engine takes addresses (so that texts come out as zeros), and holds views of memory across allocations, which may move
 * it. See `CallScalarUDFFunction` in https://github.com/duckdb/duckdb-wasm/blob/main/lib/src/webdb.cc.
 */
function callFunction(
  this: unknown,
  memory: Memory,
  response: number,
  id: number,
  described: number,
  describedSize: number,
  addresses: number,
): void {
  try {
    const call = known.get(memory)?.get(id)
    if (!call) throw new Error(`the engine calls function ${id}, which there isn’t`)
    const { rows, args } = JSON.parse(decoder.decode(memory.HEAPU8.slice(described, described + describedSize))) as {
      rows: number
      args: readonly Described[]
    }
    const ends = new Float64Array(rows)
    const valid = new Uint8Array(rows)
    // Nothing is allocated in the engine's memory until all arguments have been read.
    const read = args.map((each) => argumentOf(memory, each, addresses))
    written.clear()
    for (let row = 0; row < rows; row++) {
      valid[row] = call(read, row, written) ? 1 : 0
      if (call.isFixed && valid[row] === 0) written.append(NOTHING)
      ends[row] = written.length
    }
    if (call.isFixed) succeedFixed(memory, response, valid)
    else succeed(memory, response, rows, ends, valid)
  } catch (error) {
    fail(memory, response, error instanceof Error ? error.message : String(error))
  }
}

function argumentOf(memory: Memory, { physicalType, ...described }: Described, addresses: number): Argument {
  const addressOf = (index: number | undefined): number => memory.HEAPF64[(addresses >> 3) + (index ?? 0)]
  const validity = addressOf(described.validityBuffer)
  const data = addressOf(described.dataBuffer)
  const lengths = addressOf(described.lengthBuffer)
  const { HEAPU8, HEAP32, HEAPF64 } = memory
  const isNull = (row: number): boolean => HEAPU8[validity + row] === 0
  if (physicalType === 'INT32')
    return { text: (row) => (isNull(row) ? null : encoder.encode(`$[${HEAP32[(data >> 2) + row]}]`)) }
  if (physicalType !== 'VARCHAR') throw new Error(`Unsupported UDF argument type ${physicalType}`)
  return {
    text: (row) => {
      if (isNull(row)) return null
      const start = HEAPF64[(data >> 3) + row]
      return HEAPU8.subarray(start, start + HEAPF64[(lengths >> 3) + row])
    },
  }
}

/** Hands over the results: the engine frees the list of addresses and the validity, and copies the texts. */
function succeed(memory: Memory, response: number, rows: number, ends: Float64Array, valid: Uint8Array): void {
  const { _malloc: allocate, _free: free } = memory
  const results = buffers.get(memory) ?? {
    addresses: allocate(ROWS * 8),
    lengths: allocate(ROWS * 8),
    text: 0,
    capacity: 0,
  }
  buffers.set(memory, results)
  const { length } = written
  if (length > results.capacity) {
    if (results.capacity > 0) free(results.text)
    results.capacity = length * 2
    results.text = allocate(results.capacity)
    if (results.text === 0) {
      results.capacity = 0
      throw new Error('Out of memory: the values are too long.')
    }
  }
  const validity = allocate(rows)
  const list = allocate(24)
  // Only now, since each allocation may move the memory.
  const { HEAPU8, HEAPF64 } = memory
  HEAPU8.set(written.view(), results.text)
  HEAPU8.set(valid, validity)
  for (let row = 0; row < rows; row++) {
    const start = row === 0 ? 0 : ends[row - 1]
    HEAPF64[(results.addresses >> 3) + row] = results.text + start
    HEAPF64[(results.lengths >> 3) + row] = ends[row] - start
  }
  HEAPF64.set([results.addresses, validity, results.lengths], list >> 3)
  HEAPF64.set([0, list, 0], response >> 3)
}

/** As `succeed`, for values of 8 bytes: the engine takes over their buffer, too. */
function succeedFixed(memory: Memory, response: number, valid: Uint8Array): void {
  const { _malloc: allocate } = memory
  const data = allocate(valid.length * WIDTH)
  const validity = allocate(valid.length)
  const list = allocate(24)
  const { HEAPU8, HEAPF64 } = memory
  HEAPU8.set(written.view(), data)
  HEAPU8.set(valid, validity)
  HEAPF64.set([data, validity, 0], list >> 3)
  HEAPF64.set([0, list, 0], response >> 3)
}

function fail(memory: Memory, response: number, message: string): void {
  const bytes = encoder.encode(message)
  const { _malloc: allocate } = memory
  const address = allocate(bytes.length)
  memory.HEAPU8.set(bytes, address)
  memory.HEAPF64.set([1, address, bytes.length], response >> 3)
}
