import type { Data, RecordBatch } from 'apache-arrow'
import fc from 'fast-check'
import { expect, vi } from 'vitest'
import type { RejectedRow } from '../../../tables/plan.ts'
import type { ColumnType } from '../../../tables/types.ts'
import { cellToString } from '../../arrow/text.ts'
import { toArrowType } from '../../arrow/types.ts'
import type { ReadColumn } from '../column-builder.ts'
import * as layout from '../../kernel/assembly/layout.ts'
import { ColumnInference } from '../infer/column-inference.ts'
import { CellColumns } from './cell-columns.ts'
import { kindOf } from './kinds.ts'
import { isNull } from '../../arrow/scalars.ts'

/* What was read, to be compared to the last bit, and what reads it. Tests only. */

export type Method = (...given: never[]) => unknown

/** Puts another method in the place of one, as long as something runs. */
export async function instead<T>(
  prototype: object,
  name: string,
  other: (own: Method) => Method,
  run: () => Promise<T>,
): Promise<T> {
  const own = Reflect.get(prototype, name) as Method
  Reflect.set(prototype, name, other(own))
  try {
    return await run()
  } finally {
    Reflect.set(prototype, name, own)
  }
}

/** Runs without what the kernel reads: JavaScript reads all columns. */
export const withoutColumns = <T>(run: () => Promise<T>): Promise<T> =>
  instead(CellColumns.prototype, 'read', () => noColumns as Method, run)

function noColumns(this: CellColumns): null[] {
  return Array.from({ length: Reflect.get(this, 'count') as number }, () => null)
}

/** A text by its bytes; a boolean, and what the kernel doesn't read, by its canonical text. */
export type Cell = string | number | bigint | null

export interface Found {
  /** By column, then row. */
  readonly cells: readonly Cell[][]
  readonly rejected: RejectedRow[]
  rows: number
}

/** What was read, the names told with it, and why no more could be. */
export interface Told {
  readonly found: Found
  readonly names: (readonly string[])[]
  failure: string | null
}

function makeCell(type: ColumnType, data: Data): (row: number) => Cell {
  const kind = kindOf(type)
  if (kind?.type === layout.TEXT) {
    const { valueOffsets, values } = data as { valueOffsets: Int32Array; values: Uint8Array }
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.length)
    return (row) => bytes.toString('latin1', valueOffsets[row], valueOffsets[row + 1])
  }
  if (kind?.type === layout.DECIMAL) return (row) => (data.values as Uint32Array).subarray(row * 4, row * 4 + 4).join()
  // The value itself: -0 and 0 are two.
  if (kind && kind.width > 0) return (row) => (data.values as readonly (number | bigint)[])[row]
  return (row) => cellToString(type, data, row)
}

/** Before anything is read. */
export const nothing = (columns: readonly ReadColumn[]): Found => ({
  cells: columns.map(() => []),
  rejected: [],
  rows: 0,
})

/** Adds a batch. */
export function takeBatch(found: Found, columns: readonly ReadColumn[], batch: RecordBatch): void {
  for (const [i, { type }] of columns.entries()) {
    const data = batch.data.children[i]
    if (data.type.typeId !== toArrowType(type).typeId || data.length !== batch.numRows) {
      expect([data.type, data.length]).toEqual([toArrowType(type), batch.numRows])
    }
    const cell = makeCell(type, data)
    const to = found.cells[i]
    let nulls = 0
    for (let row = 0; row < batch.numRows; row++) {
      const missing = isNull(data, row)
      if (missing) nulls++
      to.push(missing ? null : cell(row))
    }
    if (data.nullCount !== nulls) expect(data.nullCount).toBe(nulls)
  }
  found.rows += batch.numRows
}

/**
 * That values which the kernel passes over in an inspection come to what they come to when they're looked at one by one.
 * @param statsOf what an inspection finds of a text's columns
 */
export async function expectPassedAlike(
  texts: fc.Arbitrary<string>,
  statsOf: (content: string) => Promise<unknown>,
  numRuns: number,
): Promise<void> {
  const counted = vi.spyOn(ColumnInference.prototype, 'count')
  const property = fc.asyncProperty(texts, async (text) => {
    // Formats of numbers and dates are looked for in the first texts; then that is given up.
    const content = `${text}\n`.repeat(4)
    const found = await statsOf(content)
    const none = vi.spyOn(ColumnInference.prototype, 'countedKind', 'get').mockReturnValue(-1)
    expect(found).toEqual(await statsOf(content))
    none.mockRestore()
  })
  await fc.assert(property, { numRuns })
  expect(counted.mock.calls.reduce((sum, [count]) => sum + count, 0)).toBeGreaterThan(20_000)
}
