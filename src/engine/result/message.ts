/* What a worker sends of a result while its statement runs. Without imports: both threads read it. */

type Buffer =
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

/** A column's Arrow buffers, without its type. */
export interface ResultBuffers {
  readonly length: number
  readonly offset: number
  readonly nullCount: number
  readonly nulls: Uint8Array | undefined
  readonly offsets: Int32Array | undefined
  readonly values: Buffer | undefined
  readonly children: readonly ResultBuffers[]
}

/**
 * A batch of rows as `toWire` of `stage/wire.ts` makes it, its buffers transferred. Each column is of the type that
 * `carrierOf(column.type)` gives; the page derives the same.
 *
 * The sender puts small batches together: each buffer costs the page about 200 bytes beside its own, so that batches
 * of DuckDB's 2,048 rows would take half again as much as narrow rows do. The first batch goes at once, later ones
 * from about 30,000 rows or 8 MB on.
 */
export interface ResultMessage {
  readonly rows: number
  readonly columns: readonly ResultBuffers[]
}
