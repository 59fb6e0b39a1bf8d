import type { BatchBuffers, ColumnBuffers } from '../../arrow/buffer-types.ts'

/* What a worker sends of a result while its statement runs. Both threads read it. */

/** A column's Arrow buffers, without its type. */
export type ResultBuffers = ColumnBuffers

/**
 * A batch of rows as `toBuffers` of `arrow/buffers.ts` makes it, its buffers transferred. Each column is of the type that
 * `transferType(column.type)` gives; the page derives the same.
 *
 * The sender puts small batches together: each buffer costs the page about 200 bytes beside its own, so that batches
 * of DuckDB's 2,048 rows would take half again as much as narrow rows do. The first batch goes at once, later ones
 * from about 30,000 rows or 8 MB on.
 */
export type ResultMessage = BatchBuffers
