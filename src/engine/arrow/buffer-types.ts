/* Rows in the form sent between threads. Has no imports, since the page uses it, too. */

export type TypedArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array

/** A column's buffers without its type, which both threads know. */
export interface ColumnBuffers {
  readonly length: number
  readonly offset: number
  readonly nullCount: number
  readonly nulls: Uint8Array | undefined
  readonly offsets: Int32Array | undefined
  readonly values: TypedArray | undefined
  readonly children: readonly ColumnBuffers[]
}

export interface BatchBuffers {
  readonly rows: number
  readonly columns: readonly ColumnBuffers[]
}
