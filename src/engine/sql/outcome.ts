import type { RecordBatch } from 'apache-arrow'
import { VARCHAR } from '../../tables/types.ts'
import { batchFromColumns } from '../arrow/batch.ts'
import { varcharColumn } from '../columns/builder.ts'
import { textRows } from './text-rows.ts'
import type { TextRows } from './explain/show.ts'
import type { Rows } from './row-reader.ts'
import type { KeptChange, MadeBy } from './session-types.ts'

/** The outcome of a statement. It must be used at once, since nothing has run until then. */
export type Outcome =
  | (Rows & Made)
  /** Changes the session's objects or persistent tables. */
  | { readonly kind: 'change'; apply(): Promise<Said> }

export interface Said extends Made {
  readonly message: string
}

/** What a statement has created. */
interface Made {
  readonly kept?: readonly KeptChange[]
  readonly made?: readonly MadeBy[]
}

/** The number of rows that a change reports. */
export function countOf(batches: readonly RecordBatch[]): number {
  return batches.flatMap(textRows).reduce((sum, [count]) => sum + (Number(count) || 0), 0)
}

/** An outcome with rows that are already known. */
export function known({ columns, rows }: TextRows): Outcome {
  const read = async function* (): AsyncGenerator<RecordBatch, void, undefined> {
    const data = columns.map((_, column) => varcharColumn(rows.map((row) => row[column])))
    yield await Promise.resolve(batchFromColumns(data, rows.length))
  }
  return { kind: 'rows', columns, types: columns.map(() => VARCHAR), read }
}
