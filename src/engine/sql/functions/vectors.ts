import { ByteWriter } from '../../../lib/bytes.ts'
import type { CApi } from './c-api.ts'

/* Values in the engine's vectors. */

/** Types that our functions have, with DuckDB's numbers for them. */
export const TYPES = {
  BIGINT: 5,
  BLOB: 18,
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
  /** A VARCHAR by another name. */
  JSON: 17,
} as const
const BOOLEAN = 1
const INTEGER = 4
const LIST = 24
export const ANY = 34

export type SqlType = keyof typeof TYPES

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

/** The value that is being made. */
export const written = new ByteWriter(64 * 1024)

/** Bytes of a value; 0 where they differ. */
export function widthOf(type: SqlType): number {
  if (TYPES[type] === TYPES.VARCHAR || type === 'BLOB') return 0
  return type === 'INTERVAL' ? 16 : type === 'DATE' ? 4 : 8
}

/** A vector that is filled with what was written for each row. */
export class Results {
  private readonly api: CApi
  private readonly vector: number
  private readonly data: number
  private readonly width: number
  private readonly isList: boolean
  private validity = 0

  /** @param width bytes of a value, or of a list's item; 0 where they differ */
  constructor(api: CApi, vector: number, width: number, isList = false) {
    this.api = api
    this.vector = vector
    this.width = width
    this.isList = isList
    this.data = api.exports.duckdb_vector_get_data(vector)
  }

  /**
   * Fills all rows.
   * @param give writes a row's value to `written`; false for NULL
   * @param options.failed is told what a row fails with; without it all of them do
   * @param options.ahead fills rows from one on, and returns the first that it leaves to `give`
   * @returns whether none failed
   */
  fill(
    rows: number,
    give: (row: number) => boolean,
    {
      failed,
      ahead,
    }: {
      readonly failed?: (error: unknown, row: number) => void
      readonly ahead?: ((row: number) => number) | null | undefined
    },
  ): boolean {
    let fits = true
    for (let row = 0; row < rows; row++) {
      if (ahead) row = ahead(row)
      if (row >= rows) break
      written.clear()
      try {
        if (!give(row)) this.setNull(row)
        else if (this.isList) this.setList(row)
        else this.set(row)
      } catch (error) {
        if (!failed) throw error
        failed(error, row)
        fits = false
      }
    }
    return fits
  }

  setNull(row: number): void {
    const { api, vector } = this
    if (this.validity === 0) {
      api.exports.duckdb_vector_ensure_validity_writable(vector)
      this.validity = api.exports.duckdb_vector_get_validity(vector)
    }
    api.ints[(this.validity >> 2) + (row >> 5)] &= ~(1 << (row & 31))
  }

  private set(row: number): void {
    const { api, vector, width } = this
    if (width > 0) api.bytes.set(written.view(), this.data + row * width)
    else {
      const text = written.view()
      const at = api.put(text)
      api.exports.orig$duckdb_vector_assign_string_element_len(vector, BigInt(row), at, BigInt(text.length))
    }
  }

  private setList(row: number): void {
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
function mistypedPath(type: number): string {
  if (type === BOOLEAN) return 'What stands after -> is a comparison, not a path'
  if (type === LIST) return 'What stands after -> is a list, not a path'
  return 'What stands after -> has to be a text, an INTEGER or a BIGINT'
}

/** The values of a vector that is flat. */
export function argumentOf(api: CApi, vector: number): TypedArgument {
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
  if (type !== TYPES.VARCHAR && type !== TYPES.BLOB) {
    return {
      read,
      text: (row) => {
        if (isNull(row)) return null
        throw new Error(mistypedPath(type))
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
