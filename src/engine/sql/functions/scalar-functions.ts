import { asError } from '../../../lib/errors.ts'
import type { ByteWriter } from '../../../lib/bytes.ts'
import type { Bindings, Connection } from '../../storage/database.ts'
import {
  CApi,
  COLLATION_SIZE,
  MAKE_COLLATION,
  PARAMETERS_SIZE,
  REGISTER_CAST,
  REGISTER_COLLATION,
  REGISTER_FUNCTION,
} from './c-api.ts'
import {
  ANY,
  argumentOf,
  Results,
  TYPES,
  widthOf,
  written,
  type Argument,
  type SqlType,
  type TypedArgument,
} from './vectors.ts'

/** What makes one value of another, for each row of a chunk. */
interface Conversion {
  /**
   * Appends the result for one row, as the engine has it: a text's bytes, or a number's, the lowest first. A list is its
   * items one after another. Null: the result is the argument's text, under another type.
   * @param isDouble as `TypedFunction.doubles` said
   * @returns false for NULL
   * @throws {Error} its message is what the statement fails with
   */
  readonly call: ((args: readonly TypedArgument[], row: number, out: ByteWriter, isDouble: boolean) => boolean) | null
  /** Is called with all rows of a chunk before `call` is for the first of them. */
  readonly before?: (args: readonly TypedArgument[], rows: number) => void
  readonly ahead?: Ahead
  /** What a first argument of another type than a text is taken for, by the engine's text of it and its type's name. */
  readonly made?: (text: Uint8Array, type: string) => Uint8Array
}

/**
 * Fills rows of a chunk faster than `call` does.
 * @param vectors the arguments' addresses
 * @param output the result's
 * @returns null where it can't; else what fills rows from a given one on, and returns the first that it leaves to `call`
 */
export type Ahead = (
  vectors: readonly number[],
  args: readonly Argument[],
  output: number,
  rows: number,
) => ((row: number) => number) | null

/** A function of ours that SQL can call with texts. Macros around it give it other types. */
export interface ScalarFunction {
  readonly name: string
  /** What its text is; by default VARCHAR. */
  readonly returns?: 'JSON'
  /** As `Conversion.call`; a text. */
  readonly call: ((args: readonly Argument[], row: number, out: ByteWriter) => boolean) | null
  readonly before?: (args: readonly Argument[], rows: number) => void
  readonly made?: Conversion['made']
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

/** What a cast of whole vectors has to do with: its values, and the engine's casts of texts. */
interface Casting {
  readonly source: number
  readonly rows: number
  /** Whether NULL is to stand for what doesn't fit. */
  readonly tries: boolean
  /** Casts as the engine does. @returns whether all fits */
  readonly cast: (from: number, to: number) => boolean
  /**
   * Makes texts of texts. NULL stays NULL.
   * @param give writes one to `written`; false for NULL, an error where it doesn't fit
   * @returns whether all fits
   */
  readonly fill: (from: number, to: number, give: (text: Uint8Array) => boolean) => boolean
}

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
  /** Parameters of a cast that is no part of another: zeros. */
  private readonly plainCast: number
  readonly json: number

  constructor({ wasm }: Bindings, { id }: Connection) {
    if (!wasm) throw new Error('the functions of ours need DuckDB’s WebAssembly')
    this.api = new CApi(wasm)
    this.connection = this.api.connection(id)
    this.loader = this.api.loader(id)
    this.callFunction = this.api.callback('function', (call: number, chunk: number, output: number) =>
      this.runFunction(call, chunk, output),
    )
    this.json = this.makeJson()
    this.plainCast = this.api.room(PARAMETERS_SIZE)
    this.callBind = this.api.callback('bind', (binding: number) => this.bind(binding))
    this.returnType = this.findReturnType()
    this.callCast = this.api.callback('cast', (call: number, rows: bigint, input: number, output: number) =>
      this.runCast(call, Number(rows), input, output),
    )
  }

  /** Makes a collation known. @param called gives the bytes that a text is compared by */
  addCollation(name: string, called: ScalarFunction): void {
    const { api, loader } = this
    // Of a VARCHAR the engine would take the collation over from what it's made of, and compare the keys by it.
    const keyed = this.create(called.name, called, 'BLOB', (created, type) =>
      api.exports.duckdb_scalar_function_add_parameter(created, type(TYPES.VARCHAR)),
    )
    const info = api.room(COLLATION_SIZE)
    api.exports[MAKE_COLLATION](info, api.string(name), keyed, 0, 0)
    api.exports[REGISTER_COLLATION](loader, info)
  }

  /** What's called with any number of values. */
  add(called: ScalarFunction, ahead?: Ahead): void {
    this.register(called.name, ahead ? { ...called, ahead } : called, called.returns ?? 'VARCHAR', (created, type) =>
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
    exports.duckdb_cast_function_set_source_type(created, this.typeNamed(cast.from))
    exports.duckdb_cast_function_set_target_type(created, this.typeNamed(cast.to))
    exports.orig$duckdb_cast_function_set_implicit_cast_cost(created, BigInt(cast.cost))
    exports.duckdb_cast_function_set_extra_info(created, this.casts.length, 0)
    exports.duckdb_cast_function_set_function(created, this.callCast)
    this.casts.push({ cast, width: widthOf(cast.to) })
    if (exports.duckdb_register_cast_function(this.connection, created) !== 0)
      throw new Error(`the engine doesn’t take a cast of ${cast.from} to ${cast.to}`)
  }

  /**
   * Makes a cast known between types of which one may have parts of any type, where the statement writes it or puts a value
   * in a column.
   * @param from the C API's, as `to`
   * @param run whether all fits
   */
  addVectorCast(from: number, to: number, run: (casting: Casting, result: number) => boolean): void {
    const { api, loader } = this
    const called = api.callback('vector cast', (source: number, result: number, rows: bigint, parameters: number) =>
      run(this.casting(source, Number(rows), parameters), result) ? 1 : 0,
    )
    const bound = api.callback('cast bind', (info: number) => api.ints.set([called, 0, 0], info >> 2))
    api.exports[REGISTER_CAST](loader, from, to, bound, -1n)
  }

  private casting(source: number, rows: number, parameters: number): Casting {
    const { api, connection } = this
    const tries = api.tries(parameters)
    const fill: Casting['fill'] = (from, to, give) => {
      api.flatten(from, rows)
      const texts = argumentOf(api, from)
      const results = new Results(api, to, 0)
      const ofRow = (row: number): boolean => {
        const text = texts.text(row)
        return text !== null && give(text)
      }
      const failed = (error: unknown, row: number): void => {
        if (!tries) api.fail(asError(error).message)
        results.setNull(row)
      }
      return results.fill(rows, ofRow, { failed })
    }
    const cast: Casting['cast'] = (of, into) => api.cast(connection, of, into, rows, parameters) !== 0
    return { source, rows, tries, cast, fill }
  }

  private register(...described: Parameters<Registry['create']>): void {
    this.api.exports[REGISTER_FUNCTION](this.loader, this.create(...described))
  }

  private create(
    name: string,
    called: Conversion,
    returns: TypedFunction['returns'],
    give: (created: number, type: (of: number) => number) => void,
  ): number {
    const { exports } = this.api
    const created = exports.duckdb_create_scalar_function()
    exports.duckdb_scalar_function_set_name(created, this.api.text(name))
    give(created, (of) => this.type(of))
    const isList = returns === 'TIMESTAMPTZ[]'
    const type = isList ? exports.duckdb_create_list_type(this.type(TYPES.TIMESTAMPTZ)) : this.typeNamed(returns)
    exports.duckdb_scalar_function_set_return_type(created, type)
    // They are asked about NULLs, too.
    exports.duckdb_scalar_function_set_special_handling(created)
    exports.duckdb_scalar_function_set_extra_info(created, this.functions.length, 0)
    exports.duckdb_scalar_function_set_function(created, this.callFunction)
    this.functions.push({ called, width: isList ? 8 : widthOf(returns), isList })
    return created
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

  /** Makes the type JSON, which the engine knows by its alias: `j.a`, `j[0]` and `->` are of it. */
  private makeJson(): number {
    const { api } = this
    const type = api.exports.duckdb_create_logical_type(TYPES.VARCHAR)
    api.exports.duckdb_logical_type_set_alias(type, api.text('JSON'))
    if (api.exports.duckdb_register_logical_type(this.connection, type, 0) !== 0)
      throw new Error('the engine doesn’t take the type JSON')
    return type
  }

  private typeNamed(name: SqlType): number {
    return name === 'JSON' ? this.json : this.type(TYPES[name])
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
      const vectors = Array.from({ length: count }, (_, i) =>
        exports.orig$duckdb_data_chunk_get_vector(chunk, BigInt(i)),
      )
      const { call: give } = called
      if (!give) {
        exports.duckdb_vector_reference_vector(output, vectors[0])
        return
      }
      const args = vectors.map((vector) => argumentOf(api, vector))
      const isDouble = api.typeOf(output) === TYPES.DOUBLE
      const run = (given: readonly TypedArgument[]): void => {
        called.before?.(given, rows)
        const ahead = called.ahead?.(vectors, given, output, rows)
        new Results(api, output, width, isList).fill(rows, (row) => give(given, row, written, isDouble), { ahead })
      }
      const { made } = called
      if (made && api.typeOf(vectors[0]) !== TYPES.VARCHAR)
        this.withTexts(vectors[0], rows, (text) => {
          const type = api.typeName(vectors[0])
          const first = (row: number): Uint8Array | null => {
            const own = text(row)
            return own === null ? null : made(own, type)
          }
          run([{ ...args[0], text: first }, ...args.slice(1)])
        })
      else run(args)
    } catch (error) {
      exports.duckdb_scalar_function_set_error(call, api.text(asError(error).message))
    }
  }

  /** Gives the engine's texts of a vector's values. */
  private withTexts(vector: number, rows: number, use: (text: TypedArgument['text']) => void): void {
    const { api, connection } = this
    api.withVector(this.type(TYPES.VARCHAR), rows, (texts) => {
      api.cast(connection, vector, texts, rows, this.plainCast)
      api.flatten(texts, rows)
      const own = argumentOf(api, texts)
      use((row) => own.text(row))
    })
  }

  /** @returns whether all values could be cast */
  private runCast(call: number, rows: number, input: number, output: number): number {
    const { api } = this
    const { exports } = api
    try {
      const { cast, width } = this.casts[exports.duckdb_cast_function_get_extra_info(call)]
      const { call: give } = cast
      if (!give) {
        exports.duckdb_vector_reference_vector(output, input)
        return 1
      }
      const args = [argumentOf(api, input)]
      const failed = (error: unknown, row: number): void =>
        exports.orig$duckdb_cast_function_set_row_error(call, api.text(asError(error).message), BigInt(row), output)
      const fits = new Results(api, output, width).fill(rows, (row) => give(args, row, written, false), { failed })
      return fits ? 1 : 0
    } catch (error) {
      exports.duckdb_cast_function_set_error(call, api.text(asError(error).message))
      return 0
    }
  }
}
