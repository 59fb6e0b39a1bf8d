import { asError } from '../../lib/errors.ts'
import duckdb, { type Connection, type DataChunk, type FunctionInfo, type Vector } from '@duckdb/node-bindings'
import { JSON_FUNCTIONS } from '../../engine/sql/functions/json/functions.ts'
import { ENGINE_NAME } from '../../engine/sql/functions/own-names.ts'
import type { ScalarFunction } from '../../engine/sql/functions/scalar-functions.ts'
import type { Argument } from '../../engine/sql/functions/vectors.ts'
import { ZONE_TEXTS } from '../../engine/sql/functions/zones/functions.ts'
import { ByteWriter } from '../../lib/bytes.ts'
import { textAt } from './vectors.ts'

/* Our SQL functions, called by DuckDB. */

const { Type } = duckdb
const encoder = new TextEncoder()
const written = new ByteWriter(64 * 1024)

/** Functions that the service's statements call. DuckDB has its own under the public names; macros select ours. */
const FUNCTIONS: readonly ScalarFunction[] = [...JSON_FUNCTIONS, ...ZONE_TEXTS, ENGINE_NAME].filter(({ name }) =>
  name.startsWith('__'),
)

/** Registers our functions for all statements of a connection's database. */
export function registerFunctions(connection: Connection): void {
  for (const each of FUNCTIONS) {
    const made = duckdb.create_scalar_function()
    duckdb.scalar_function_set_name(made, each.name)
    duckdb.scalar_function_set_varargs(made, duckdb.create_logical_type(Type.ANY))
    const returns = duckdb.create_logical_type(Type.VARCHAR)
    if (each.returns) duckdb.logical_type_set_alias(returns, each.returns)
    duckdb.scalar_function_set_return_type(made, returns)
    // They also handle NULL arguments.
    duckdb.scalar_function_set_special_handling(made)
    duckdb.scalar_function_set_function(made, (info, input, output) => callFunction(each, info, input, output))
    duckdb.register_scalar_function(connection, made)
    duckdb.destroy_scalar_function_sync(made)
  }
}

function callFunction(called: ScalarFunction, info: FunctionInfo, input: DataChunk, output: Vector): void {
  try {
    const rows = duckdb.data_chunk_get_size(input)
    const columns = duckdb.data_chunk_get_column_count(input)
    const args = Array.from({ length: columns }, (_, i) => argumentOf(duckdb.data_chunk_get_vector(input, i), rows))
    const valid = new Uint8Array(Math.ceil(rows / 64) * 8)
    for (let row = 0; row < rows; row++) {
      written.clear()
      if (!(called.call ?? sameText)(args, row, written)) continue
      valid[row >> 3] = (valid[row >> 3] ?? 0) | (1 << (row & 7))
      duckdb.vector_assign_string_element_len(output, row, written.view())
    }
    duckdb.vector_ensure_validity_writable(output)
    duckdb.copy_data_to_vector_validity(output, 0, valid.buffer, 0, valid.byteLength)
  } catch (error) {
    duckdb.scalar_function_set_error(info, asError(error).message)
  }
}

const sameText: NonNullable<ScalarFunction['call']> = ([argument], row, out) => {
  const given = argument.text(row)
  if (given) out.append(given)
  return given !== null
}

function argumentOf(vector: Vector, rows: number): Argument {
  const type = duckdb.get_type_id(duckdb.vector_get_column_type(vector))
  const validity = duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8) as Uint8Array | null
  const isNull = (row: number): boolean => validity !== null && !duckdb.validity_row_is_valid(validity, row)
  if (type === Type.INTEGER) {
    const bytes = duckdb.vector_get_data(vector, rows * 4)
    const values = new Int32Array(bytes.buffer, bytes.byteOffset, rows)
    return { text: (row) => (isNull(row) ? null : encoder.encode(`$[${values[row] ?? 0}]`)) }
  }
  if (type !== Type.VARCHAR && type !== Type.BLOB) throw new Error(`Unsupported UDF argument type ${type}`)
  const data = duckdb.vector_get_data(vector, rows * 16)
  return { text: (row) => (isNull(row) ? null : textAt(data, row)) }
}
