import type { WebAssemblyParts } from '../../storage/database.ts'

/* C++ functions, under the names that the compiler gave them. */
const GET_DATABASE = '_ZN6duckdb16DatabaseInstance11GetDatabaseERNS_13ClientContextE'
const MAKE_LOADER =
  '_ZN6duckdb15ExtensionLoaderC1ERNS_16DatabaseInstanceERKNSt3__212basic_stringIcNS3_11char_traitsIcEENS3_9allocatorIcEEEE'
export const REGISTER_FUNCTION = '_ZN6duckdb15ExtensionLoader16RegisterFunctionENS_14ScalarFunctionE'
export const REGISTER_CAST =
  'orig$_ZN6duckdb15ExtensionLoader20RegisterCastFunctionERKNS_11LogicalTypeES3_PFNS_13BoundCastInfoERNS_13BindCastInputES3_S3_Ex'
export const MAKE_COLLATION =
  '_ZN6duckdb19CreateCollationInfoC1ENSt3__212basic_stringIcNS1_11char_traitsIcEENS1_9allocatorIcEEEENS_14ScalarFunctionEbb'
export const REGISTER_COLLATION = '_ZN6duckdb15ExtensionLoader17RegisterCollationERNS_19CreateCollationInfoE'
const TYPE_NAME = '_ZNK6duckdb11LogicalType8ToStringEv'
const TRY_CAST =
  'orig$_ZN6duckdb16VectorOperations7TryCastERNS_13ClientContextERNS_6VectorES4_yPNSt3__212basic_stringIcNS5_11char_traitsIcEENS5_9allocatorIcEEEEbb'
const THROW = '_ZNSt3__221__throw_runtime_errorEPKc'
const FLATTEN = 'orig$_ZN6duckdb6Vector7FlattenEy'
export const READ_TIMESTAMP =
  'orig$_ZN6duckdb9Timestamp21TryConvertTimestampTZEPKcyRNS_11timestamp_tEbRbRNS_8string_tENS_12optional_ptrIiLb1EEE'
export const READ_TIME = 'orig$_ZN6duckdb4Time16TryConvertTimeTZEPKcyRyRNS_10dtime_tz_tERbbNS_12optional_ptrIiLb1EEE'

/**
 * The exports of DuckDB's WebAssembly that are called here: its C API (https://duckdb.org/docs/stable/clients/c/api), in
 * which handles and vectors are addresses, and some of its C++ functions, under the names that its compiler gave them.
 * `orig$` stands before those with numbers of 64 bits, which the library has a second form of. The build keeps
 * exactly the exports that are named in this file: see `../../storage/wasm-plugin.ts`.
 */
interface Exports {
  duckdb_create_logical_type(type: number): number
  duckdb_create_list_type(item: number): number
  duckdb_logical_type_set_alias(type: number, alias: number): void
  /** Makes a type known by its alias. @param info nothing: 0 */
  duckdb_register_logical_type(connection: number, type: number, info: number): number
  duckdb_destroy_logical_type(slot: number): void
  duckdb_create_decimal_type(width: number, scale: number): number
  duckdb_create_map_type(key: number, value: number): number
  orig$duckdb_create_struct_type(types: number, names: number, fields: bigint): number
  orig$duckdb_create_vector(type: number, rows: bigint): number
  duckdb_destroy_vector(slot: number): void
  duckdb_free(at: number): void
  duckdb_vector_get_column_type(vector: number): number
  duckdb_get_type_id(type: number): number

  duckdb_create_scalar_function(): number
  duckdb_scalar_function_set_name(created: number, name: number): void
  duckdb_scalar_function_set_varargs(created: number, type: number): void
  duckdb_scalar_function_add_parameter(created: number, type: number): void
  duckdb_scalar_function_set_return_type(created: number, type: number): void
  duckdb_scalar_function_set_special_handling(created: number): void
  duckdb_scalar_function_set_extra_info(created: number, info: number, destroy: number): void
  duckdb_scalar_function_get_extra_info(call: number): number
  duckdb_scalar_function_set_function(created: number, callback: number): void
  duckdb_scalar_function_set_error(call: number, message: number): void
  duckdb_scalar_function_set_bind(created: number, callback: number): void
  duckdb_scalar_function_bind_get_extra_info(binding: number): number
  orig$duckdb_scalar_function_bind_get_argument(binding: number, index: bigint): number
  duckdb_scalar_function_get_client_context(binding: number, context: number): void
  duckdb_expression_is_foldable(expression: number): number
  /** @returns an error, or 0 */
  duckdb_expression_fold(context: number, expression: number, value: number): number
  duckdb_get_varchar(value: number): number

  duckdb_create_cast_function(): number
  duckdb_cast_function_set_source_type(created: number, type: number): void
  duckdb_cast_function_set_target_type(created: number, type: number): void
  orig$duckdb_cast_function_set_implicit_cast_cost(created: number, cost: bigint): void
  duckdb_cast_function_set_extra_info(created: number, info: number, destroy: number): void
  duckdb_cast_function_get_extra_info(call: number): number
  duckdb_cast_function_set_function(created: number, callback: number): void
  duckdb_cast_function_set_error(call: number, message: number): void
  orig$duckdb_cast_function_set_row_error(call: number, message: number, row: bigint, output: number): void
  duckdb_register_cast_function(connection: number, created: number): number

  orig$duckdb_data_chunk_get_size(chunk: number): bigint
  orig$duckdb_data_chunk_get_column_count(chunk: number): bigint
  orig$duckdb_data_chunk_get_vector(chunk: number, column: bigint): number
  duckdb_vector_get_data(vector: number): number
  duckdb_vector_get_validity(vector: number): number
  /** Gives a vector the values of another one of the same physical type, without copying them. */
  duckdb_vector_reference_vector(to: number, from: number): void
  duckdb_vector_ensure_validity_writable(vector: number): void
  orig$duckdb_vector_assign_string_element_len(vector: number, row: bigint, text: number, length: bigint): void
  duckdb_list_vector_get_child(vector: number): number
  orig$duckdb_list_vector_get_size(vector: number): bigint
  orig$duckdb_list_vector_set_size(vector: number, size: bigint): number
  orig$duckdb_list_vector_reserve(vector: number, size: bigint): number

  /** `DatabaseInstance::GetDatabase(ClientContext &)` */
  [GET_DATABASE](context: number): number
  /** `ExtensionLoader::ExtensionLoader(DatabaseInstance &, const string &)` */
  [MAKE_LOADER](loader: number, database: number, name: number): number
  /** `ExtensionLoader::RegisterFunction(ScalarFunction)`: takes the place of one with the same parameters, as the C API doesn't. */
  [REGISTER_FUNCTION](loader: number, created: number): void
  /**
   * `ExtensionLoader::RegisterCastFunction(const LogicalType &, const LogicalType &, bind_cast_function_t, int64_t)`: types
   * may have ANY in them, which the C API doesn't take.
   */
  [REGISTER_CAST](loader: number, from: number, to: number, bind: number, cost: bigint): void
  /** `CreateCollationInfo::CreateCollationInfo(string, ScalarFunction, bool combinable, bool not_required_for_equality)` */
  [MAKE_COLLATION](info: number, name: number, called: number, combinable: number, notForEquality: number): void
  /** `ExtensionLoader::RegisterCollation(CreateCollationInfo &)` */
  [REGISTER_COLLATION](loader: number, info: number): void
  /** `string LogicalType::ToString() const` */
  [TYPE_NAME](text: number, type: number): void
  /** `VectorOperations::TryCast(ClientContext &, Vector &, Vector &, idx_t, string *, bool strict, bool nullify_parent)` */
  [TRY_CAST](
    context: number,
    from: number,
    to: number,
    rows: bigint,
    message: number,
    strict: number,
    nullify: number,
  ): number
  /** `std::__throw_runtime_error(const char *)`: what is thrown in JavaScript the engine couldn't catch. */
  [THROW](message: number): never
  /** `Vector::Flatten(idx_t)` */
  [FLATTEN](vector: number, rows: bigint): void
  /** `Timestamp::TryConvertTimestampTZ(const char *, idx_t, timestamp_t &, bool, bool &, string_t &, optional_ptr<int32_t>)` */
  [READ_TIMESTAMP](
    text: number,
    length: bigint,
    time: number,
    useOffset: number,
    hasOffset: number,
    zone: number,
    nanoseconds: number,
  ): number
  /** `Time::TryConvertTimeTZ(const char *, idx_t, idx_t &, dtime_tz_t &, bool &, bool, optional_ptr<int32_t>)` */
  [READ_TIME](
    text: number,
    length: bigint,
    position: number,
    time: number,
    hasOffset: number,
    strict: number,
    nanoseconds: number,
  ): number
  /** Writes how many percent of its statement a connection has worked off, as a double: -1 where it doesn’t know. */
  duckdb_query_progress(progress: number, connection: number): void
  malloc(bytes: number): number
}

/** Bytes of a `duckdb_query_progress_type`: a double and two counts. */
const PROGRESS_SIZE = 24

/** Bytes of `CastParameters` before the address of the text that an error goes to, and the most that it has. */
const MESSAGE = 8
export const PARAMETERS_SIZE = 64

/** Bytes of a `WebDB::Connection` before DuckDB's own connection, and the most that an `ExtensionLoader` has. */
const BEFORE_CONNECTION = 8
const LOADER_SIZE = 256
/** The most bytes that a `CreateCollationInfo` has. */
export const COLLATION_SIZE = 1024

/** Of a `std::string` that is elsewhere: its address, its length, and its room with this. */
const LONG = 1 << 31

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** DuckDB's C API, called in the WebAssembly of one database. */
export class CApi {
  readonly exports: Exports
  readonly memory: WebAssembly.Memory
  private readonly table: WebAssembly.Table
  private words = new Int32Array()
  private octets = new Uint8Array()
  private scratch = 0
  private scratchSize = 0
  private slot = 0
  private name = 0
  private progressAt = 0

  constructor({ instance, memory, table }: WebAssemblyParts) {
    this.exports = instance.exports as unknown as Exports
    this.memory = memory
    this.table = table
  }

  /** The engine's memory, as 32-bit words: until something is allocated in it, which may detach it. */
  get ints(): Int32Array {
    // What is detached has no length. To ask the memory for its buffer takes longer than the rest of a short call.
    if (this.words.length === 0) this.words = new Int32Array(this.memory.buffer)
    return this.words
  }

  /** The same as bytes. */
  get bytes(): Uint8Array {
    if (this.octets.length === 0) this.octets = new Uint8Array(this.memory.buffer)
    return this.octets
  }

  /** Memory that is never given back. @returns its address; it's filled with zeros */
  room(size: number): number {
    const at = this.exports.malloc(size)
    if (at === 0) throw new Error('Out of memory: the engine has no room for a value.')
    this.bytes.fill(0, at, at + size)
    return at
  }

  /** Copies bytes into the engine's memory. @returns their address: valid until the next call */
  put(bytes: Uint8Array): number {
    if (bytes.length >= this.scratchSize) {
      // What was there is too small for ever: sizes double, so that less is lost than is used.
      this.scratchSize = Math.max(bytes.length * 2, 4096)
      this.scratch = this.room(this.scratchSize)
    }
    this.bytes.set(bytes, this.scratch)
    return this.scratch
  }

  /** As `put`, of a text with the zero after it that C wants. */
  text(value: string): number {
    return this.put(encoder.encode(`${value}\0`))
  }

  /** The C API's number for a vector's type. */
  typeOf(vector: number): number {
    if (this.slot === 0) this.slot = this.room(8)
    const type = this.exports.duckdb_vector_get_column_type(vector)
    const number = this.exports.duckdb_get_type_id(type)
    this.ints[this.slot >> 2] = type
    this.exports.duckdb_destroy_logical_type(this.slot)
    return number
  }

  /** The name of a vector's type. */
  typeName(vector: number): string {
    const { exports } = this
    if (this.slot === 0) this.slot = this.room(8)
    const type = exports.duckdb_vector_get_column_type(vector)
    if (this.name === 0) this.name = this.room(12)
    exports[TYPE_NAME](this.name, type)
    this.ints[this.slot >> 2] = type
    exports.duckdb_destroy_logical_type(this.slot)
    const { bytes, ints, name } = this
    const isLong = (ints[(name + 8) >> 2] & LONG) !== 0
    const at = isLong ? ints[name >> 2] : name
    const text = decoder.decode(bytes.slice(at, at + (isLong ? ints[(name + 4) >> 2] : bytes[name + 11])))
    if (isLong) exports.duckdb_free(at)
    return text
  }

  /** A `std::string`, which is never freed: short ones are there themselves, and the last byte is their length. */
  string(value: string): number {
    const at = this.room(12)
    const letters = encoder.encode(value)
    if (letters.length < 12) {
      this.bytes.set(letters, at)
      this.bytes[at + 11] = letters.length
    } else {
      const text = this.room(letters.length + 1)
      this.bytes.set(letters, text)
      this.ints.set([text, letters.length, (letters.length + 1) | LONG], at >> 2)
    }
    return at
  }

  /** Makes a vector of texts, or of values of another type, for as long as `use` takes. */
  withVector<T>(type: number, rows: number, use: (vector: number) => T): T {
    const slot = this.room(8)
    const vector = this.exports.orig$duckdb_create_vector(type, BigInt(rows))
    this.ints[slot >> 2] = vector
    try {
      return use(vector)
    } finally {
      this.exports.duckdb_destroy_vector(slot)
      this.exports.duckdb_free(slot)
    }
  }

  /** Whether a cast gives NULL for what doesn't fit. */
  tries(parameters: number): boolean {
    return this.ints[(parameters + MESSAGE) >> 2] !== 0
  }

  /** Ends the statement from within a cast, as the engine's own casts do. */
  fail(message: string): never {
    const error = { exception_type: 'Conversion', exception_message: message }
    return this.exports[THROW](this.text(JSON.stringify(error)))
  }

  /** Gives each row of a vector a place of its own. */
  flatten(vector: number, rows: number): void {
    this.exports[FLATTEN](vector, BigInt(rows))
  }

  /**
   * Casts as the engine casts.
   * @param connection by whose settings
   * @param parameters of the cast that this is a part of, which say where an error goes
   * @returns 1 where all could be cast, else 0
   */
  cast(connection: number, from: number, to: number, rows: number, parameters: number): number {
    const context = this.ints[connection >> 2]
    const message = this.ints[(parameters + MESSAGE) >> 2]
    return this.exports[TRY_CAST](context, from, to, BigInt(rows), message, 0, 0)
  }

  /** The text that an argument is while a function is bound; null where it's none, or not known before the rows are. */
  constantText(binding: number, index: number): string | null {
    const { exports } = this
    if (this.slot === 0) this.slot = this.room(8)
    const expression = exports.orig$duckdb_scalar_function_bind_get_argument(binding, BigInt(index))
    if (exports.duckdb_expression_is_foldable(expression) === 0) return null
    exports.duckdb_scalar_function_get_client_context(binding, this.slot)
    const context = this.ints[this.slot >> 2]
    if (exports.duckdb_expression_fold(context, expression, this.slot) !== 0) return null
    const value = this.ints[this.slot >> 2]
    const text = value === 0 ? 0 : exports.duckdb_get_varchar(value)
    if (text === 0) return null
    const { bytes } = this
    return decoder.decode(bytes.subarray(text, bytes.indexOf(0, text)))
  }

  /** @returns the number by which the engine calls a function of ours. */
  callback(code: SignatureCode, call: (...args: never[]) => unknown): number {
    const module = new WebAssembly.Module(trampoline(code))
    const { f } = new WebAssembly.Instance(module, { e: { f: call } }).exports
    const at = this.table.grow(1)
    this.table.set(at, f)
    return at
  }

  /** The C API's connection that is a connection of the library's. */
  connection(id: number): number {
    return id + BEFORE_CONNECTION
  }

  /** The share of its statement that a connection has worked off, from 0 to 1; null where the engine doesn’t know. */
  progress(id: number): number | null {
    if (this.progressAt === 0) this.progressAt = this.room(PROGRESS_SIZE)
    this.exports.duckdb_query_progress(this.progressAt, this.connection(id))
    const percent = new DataView(this.memory.buffer).getFloat64(this.progressAt, true)
    // Of rows that no table has, as those of `range()`, it says 0 all the time.
    return percent > 0 ? Math.min(1, percent / 100) : null
  }

  /** What registers functions with a connection's database. */
  loader(id: number): number {
    const context = this.ints[this.connection(id) >> 2]
    const database = this.exports[GET_DATABASE](context)
    const loader = this.room(LOADER_SIZE)
    // Zeros are an empty string.
    this.exports[MAKE_LOADER](loader, database, this.room(16))
    return loader
  }
}

/** Types of a callback's parameters and result: while a function or a cast is bound, of a function and of casts. */
type SignatureCode = 'bind' | 'function' | 'cast' | 'cast bind' | 'vector cast'
const I32 = 0x7f
const I64 = 0x7e
const SIGNATURES: Readonly<Record<SignatureCode, readonly number[]>> = {
  bind: [1, 0x60, 1, I32, 0],
  function: [1, 0x60, 3, I32, I32, I32, 0],
  cast: [1, 0x60, 4, I32, I64, I32, I32, 1, I32],
  'cast bind': [1, 0x60, 4, I32, I32, I32, I32, 0],
  'vector cast': [1, 0x60, 4, I32, I32, I64, I32, 1, I32],
}

/** A WebAssembly module that exports what it imports: only its own functions can be called through a table. */
function trampoline(code: SignatureCode): Uint8Array<ArrayBuffer> {
  const type = SIGNATURES[code]
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
  const imported = [2, 7, 1, 1, 0x65, 1, 0x66, 0, 0]
  const exported = [7, 5, 1, 1, 0x66, 0, 0]
  return new Uint8Array([...header, 1, type.length, ...type, ...imported, ...exported])
}
