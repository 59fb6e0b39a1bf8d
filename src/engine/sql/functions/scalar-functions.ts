import { ByteWriter } from '../../../lib/bytes.ts'
import type { Bindings, Connection } from '../../storage/database.ts'
import { CApi, REGISTER_FUNCTION } from './c-api.ts'

/** One argument of a call, for all rows of a chunk. */
export interface Argument {
  /** A text's bytes in UTF-8, in the engine's memory: valid until the function returns. Null for NULL. */
  text(row: number): Uint8Array | null
}

/** An argument of any type, by the bytes that the engine has of it. */
export interface TypedArgument extends Argument {
  /**
   * Copies a value of a fixed size, in words of 32 bits, the lowest first.
   * @returns false for NULL
   */
  read(row: number, into: Int32Array): boolean
}

/** Types that our functions have, with DuckDB's numbers for them. */
const TYPES = {
  BIGINT: 5,
  DATE: 13,
  DOUBLE: 11,
  INTERVAL: 15,
  TIME: 14,
  TIMESTAMP: 12,
  TIMESTAMP_MS: 21,
  TIMESTAMP_NS: 22,
  TIMESTAMP_S: 20,
  TIMESTAMPTZ: 31,
  TIMETZ: 30,
  VARCHAR: 17,
} as const
const BOOLEAN = 1
const INTEGER = 4
const BLOB = 18
const LIST = 24
const ANY = 34

export type SqlType = keyof typeof TYPES

/** What makes one value of another, for each row of a chunk. */
interface Conversion {
  /**
   * Appends the result for one row, as the engine has it: a text's bytes, or a number's, the lowest first. A list is its
   * items one after another.
   * @param isDouble as `TypedFunction.doubles` said
   * @returns false for NULL
   * @throws {Error} its message is what the statement fails with
   */
  call(args: readonly TypedArgument[], row: number, out: ByteWriter, isDouble: boolean): boolean
}

/** A function of ours that SQL can call with texts. Macros around it give it other types. */
export interface ScalarFunction {
  readonly name: string
  /** As `Conversion.call`; a text. */
  call(args: readonly Argument[], row: number, out: ByteWriter): boolean
}

/** A function of ours with types: it takes the place of one of the engine's with the same parameters. */
export interface TypedFunction extends Conversion {
  readonly name: string
  readonly parameters: readonly SqlType[]
  readonly returns: SqlType | 'TIMESTAMPTZ[]'
  /**
   * Whether it gives a DOUBLE in the place of a BIGINT, by its first argument: null where that isn't known before the
   * rows are. `call` learns it from `isDouble`.
   */
  readonly doubles?: (text: string | null) => boolean
}

/** A cast of ours, which takes the place of the engine's own: also where no statement writes it. */
export interface Cast extends Conversion {
  readonly from: SqlType
  readonly to: SqlType
  /** How unwilling the engine is to cast by itself; below 0: only where it's written. */
  readonly cost: number
}

const written = new ByteWriter(64 * 1024)

/** Makes functions and casts known to every statement of a database. */
export class Registry {
  readonly api: CApi
  private readonly connection: number
  private readonly loader: number
  private readonly functions: { readonly called: Conversion; readonly width: number; readonly isList: boolean }[] = []
  private readonly doubles = new Map<number, (text: string | null) => boolean>()
  private readonly casts: { readonly cast: Conversion; readonly width: number }[] = []
  private readonly callFunction: number
  private readonly callCast: number
  private readonly callBind: number
  private readonly returnType: number

  constructor({ wasm }: Bindings, { id }: Connection) {
    if (!wasm) throw new Error('the functions of ours need DuckDB’s WebAssembly')
    this.api = new CApi(wasm)
    this.connection = this.api.connection(id)
    this.loader = this.api.loader(id)
    this.callFunction = this.api.callback('function', (call: number, chunk: number, output: number) =>
      this.runFunction(call, chunk, output),
    )
    this.callBind = this.api.callback('bind', (binding: number) => this.bind(binding))
    this.returnType = this.findReturnType()
    this.callCast = this.api.callback('cast', (call: number, rows: bigint, input: number, output: number) =>
      this.runCast(call, Number(rows), input, output),
    )
  }

  /** What's called with any number of values. */
  add(called: ScalarFunction): void {
    this.register(called.name, called, 'VARCHAR', (created, type) =>
      this.api.exports.duckdb_scalar_function_set_varargs(created, type(ANY)),
    )
  }

  addTyped(called: TypedFunction): void {
    const { name, parameters, returns, doubles } = called
    this.register(name, called, returns, (created, type) => {
      for (const each of parameters) this.api.exports.duckdb_scalar_function_add_parameter(created, type(TYPES[each]))
      if (!doubles) return
      this.doubles.set(this.functions.length, doubles)
      this.api.exports.duckdb_scalar_function_set_bind(created, this.callBind)
    })
  }

  addCast(cast: Cast): void {
    const { exports } = this.api
    const created = exports.duckdb_create_cast_function()
    exports.duckdb_cast_function_set_source_type(created, this.type(TYPES[cast.from]))
    exports.duckdb_cast_function_set_target_type(created, this.type(TYPES[cast.to]))
    exports.orig$duckdb_cast_function_set_implicit_cast_cost(created, BigInt(cast.cost))
    exports.duckdb_cast_function_set_extra_info(created, this.casts.length, 0)
    exports.duckdb_cast_function_set_function(created, this.callCast)
    this.casts.push({ cast, width: widthOf(cast.to) })
    if (exports.duckdb_register_cast_function(this.connection, created) !== 0)
      throw new Error(`the engine doesn’t take a cast of ${cast.from} to ${cast.to}`)
  }

  private register(
    name: string,
    called: Conversion,
    returns: TypedFunction['returns'],
    give: (created: number, type: (of: number) => number) => void,
  ): void {
    const { exports } = this.api
    const created = exports.duckdb_create_scalar_function()
    exports.duckdb_scalar_function_set_name(created, this.api.text(name))
    give(created, (of) => this.type(of))
    const isList = returns === 'TIMESTAMPTZ[]'
    const type = isList ? exports.duckdb_create_list_type(this.type(TYPES.TIMESTAMPTZ)) : this.type(TYPES[returns])
    exports.duckdb_scalar_function_set_return_type(created, type)
    // They are asked about NULLs, too.
    exports.duckdb_scalar_function_set_special_handling(created)
    exports.duckdb_scalar_function_set_extra_info(created, this.functions.length, 0)
    exports.duckdb_scalar_function_set_function(created, this.callFunction)
    this.functions.push({ called, width: isList ? 8 : widthOf(returns), isList })
    exports[REGISTER_FUNCTION](this.loader, created)
  }

  /** Where a function has the type that it returns: there two differ that return different ones. */
  private findReturnType(): number {
    const { api } = this
    const made = [TYPES.BIGINT, TYPES.DOUBLE].map((of) => {
      const created = api.exports.duckdb_create_scalar_function()
      api.exports.duckdb_scalar_function_set_return_type(created, this.type(of))
      return { created, type: this.typeCode(of) }
    })
    const has = (at: number): boolean => made.every(({ created, type }) => this.codeAt(created + at) === type)
    const at = Array.from({ length: 64 }, (_, i) => i * 4).find(has)
    if (at === undefined)
      throw new Error('the engine keeps a function’s type in another way than the one that is known')
    return at
  }

  /** What the engine tells a type without parameters by. */
  private typeCode(of: number): number {
    return this.codeAt(this.type(of))
  }

  private codeAt(at: number): number {
    return this.api.bytes[at] | (this.api.bytes[at + 1] << 8)
  }

  /** Makes a function that is being bound one that gives a DOUBLE, where it's asked for such a part. */
  private bind(binding: number): void {
    const { api } = this
    const doubles = this.doubles.get(api.exports.duckdb_scalar_function_bind_get_extra_info(binding))
    if (!doubles?.(api.constantText(binding, 0))) return
    // What is being bound: a context, and after it the function.
    const at = api.ints[(binding >> 2) + 1] + this.returnType
    const code = this.typeCode(TYPES.DOUBLE)
    api.bytes.set([code & 0xff, code >> 8], at)
  }

  private readonly types = new Map<number, number>()

  private type(of: number): number {
    const type = this.types.get(of) ?? this.api.exports.duckdb_create_logical_type(of)
    this.types.set(of, type)
    return type
  }

  private runFunction(call: number, chunk: number, output: number): void {
    const { api } = this
    const { exports } = api
    try {
      const { called, width, isList } = this.functions[exports.duckdb_scalar_function_get_extra_info(call)]
      const rows = Number(exports.orig$duckdb_data_chunk_get_size(chunk))
      const count = Number(exports.orig$duckdb_data_chunk_get_column_count(chunk))
      const args = Array.from({ length: count }, (_, i) =>
        argumentOf(api, exports.orig$duckdb_data_chunk_get_vector(chunk, BigInt(i))),
      )
      const results = new Results(api, output, width)
      const isDouble = api.typeOf(output) === TYPES.DOUBLE
      for (let row = 0; row < rows; row++) {
        written.clear()
        if (!called.call(args, row, written, isDouble)) results.setNull(row)
        else if (isList) results.setList(row)
        else results.set(row)
      }
    } catch (error) {
      exports.duckdb_scalar_function_set_error(call, api.text(messageOf(error)))
    }
  }

  /** @returns whether all values could be cast */
  private runCast(call: number, rows: number, input: number, output: number): number {
    const { api } = this
    const { exports } = api
    let succeeds = 1
    try {
      const { cast, width } = this.casts[exports.duckdb_cast_function_get_extra_info(call)]
      const args = [argumentOf(api, input)]
      const results = new Results(api, output, width)
      for (let row = 0; row < rows; row++) {
        written.clear()
        try {
          if (cast.call(args, row, written, false)) results.set(row)
          else results.setNull(row)
        } catch (error) {
          succeeds = 0
          exports.orig$duckdb_cast_function_set_row_error(call, api.text(messageOf(error)), BigInt(row), output)
        }
      }
    } catch (error) {
      succeeds = 0
      exports.duckdb_cast_function_set_error(call, api.text(messageOf(error)))
    }
    return succeeds
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Bytes of a value; 0 where they differ. */
function widthOf(type: SqlType): number {
  if (type === 'VARCHAR') return 0
  return type === 'INTERVAL' ? 16 : type === 'DATE' ? 4 : 8
}

/** A vector that is filled with what was written for each row. */
class Results {
  private readonly api: CApi
  private readonly vector: number
  private readonly data: number
  private readonly width: number
  private validity = 0

  constructor(api: CApi, vector: number, width: number) {
    this.api = api
    this.vector = vector
    this.width = width
    this.data = api.exports.duckdb_vector_get_data(vector)
  }

  setNull(row: number): void {
    const { api, vector } = this
    if (this.validity === 0) {
      api.exports.duckdb_vector_ensure_validity_writable(vector)
      this.validity = api.exports.duckdb_vector_get_validity(vector)
    }
    api.ints[(this.validity >> 2) + (row >> 5)] &= ~(1 << (row & 31))
  }

  set(row: number): void {
    const { api, vector, width } = this
    if (width > 0) api.bytes.set(written.view(), this.data + row * width)
    else {
      const text = written.view()
      const at = api.put(text)
      api.exports.orig$duckdb_vector_assign_string_element_len(vector, BigInt(row), at, BigInt(text.length))
    }
  }

  setList(row: number): void {
    const { api, vector, width } = this
    const { exports } = api
    const items = written.view()
    const before = exports.orig$duckdb_list_vector_get_size(vector)
    const size = before + BigInt(items.length / width)
    if (exports.orig$duckdb_list_vector_reserve(vector, size) !== 0)
      throw new Error('Out of memory: the list is too long.')
    exports.orig$duckdb_list_vector_set_size(vector, size)
    const child = exports.duckdb_vector_get_data(exports.duckdb_list_vector_get_child(vector))
    api.bytes.set(items, child + Number(before) * width)
    // An entry: where it begins, and how long it is, in 64 bits each.
    const entry = (this.data + row * 16) >> 2
    api.ints.set([Number(before), 0, items.length / width, 0], entry)
  }
}

const encoder = new TextEncoder()

/** What is wrong with the type of a path. Comparisons bind more than the arrows do. */
function noPath(type: number): string {
  if (type === BOOLEAN) return 'What stands after -> is a comparison, not a path'
  if (type === LIST) return 'What stands after -> is a list, not a path'
  return 'What stands after -> has to be a text, an INTEGER or a BIGINT'
}

function argumentOf(api: CApi, vector: number): TypedArgument {
  const { exports } = api
  const type = api.typeOf(vector)
  const data = exports.duckdb_vector_get_data(vector)
  const validity = exports.duckdb_vector_get_validity(vector)
  const isNull = (row: number): boolean =>
    validity !== 0 && (api.ints[(validity >> 2) + (row >> 5)] & (1 << (row & 31))) === 0
  const read = (row: number, into: Int32Array): boolean => {
    if (isNull(row)) return false
    const { ints } = api
    const words = type === TYPES.INTERVAL ? 4 : type === TYPES.DATE || type === INTEGER ? 1 : 2
    const at = (data >> 2) + row * words
    for (let i = 0; i < words; i++) into[i] = ints[at + i]
    return true
  }
  if (type === INTEGER)
    return { read, text: (row) => (isNull(row) ? null : encoder.encode(`$[${api.ints[(data >> 2) + row]}]`)) }
  if (type === TYPES.BIGINT) {
    const words = new Int32Array(2)
    const value = new BigInt64Array(words.buffer)
    return { read, text: (row) => (read(row, words) ? encoder.encode(`$[${value[0]}]`) : null) }
  }
  if (type !== TYPES.VARCHAR && type !== BLOB) {
    return {
      read,
      text: (row) => {
        if (isNull(row)) return null
        throw new Error(noPath(type))
      },
    }
  }
  return {
    read,
    text: (row) => {
      if (isNull(row)) return null
      // A text of at most 12 bytes is there itself; of others, their address.
      const at = data + row * 16
      const { ints, bytes } = api
      const length = ints[at >> 2]
      const start = length <= 12 ? at + 4 : ints[(at + 8) >> 2]
      return bytes.subarray(start, start + length)
    },
  }
}
