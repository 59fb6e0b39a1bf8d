import type { RecordBatch } from 'apache-arrow'
import { VARCHAR } from '../../tables/types.ts'
import { batchFromColumns } from '../arrow/batch.ts'
import { makeColumnBuilder } from '../columns/builder.ts'
import { textRows } from './text-rows.ts'
import type { TextRows } from './explain/show.ts'
import type { Rows } from './row-reader.ts'
import type { KeptChange, MadeBy } from './session-types.ts'

const encoder = new TextEncoder()

/** What a statement gives when it runs. To be used at once: until then nothing has run. */
export type Outcome =
  | (Rows & Made)
  /** What the session has made is changed, or what stays. */
  | { readonly kind: 'change'; apply(): Promise<Said> }

export interface Said extends Made {
  readonly message: string
}

/** What a statement made. */
interface Made {
  readonly kept?: readonly KeptChange[]
  readonly made?: readonly MadeBy[]
}

/** What a change says of how many rows it was about: a number, or that it was done. */
export function countOf(batches: readonly RecordBatch[]): number {
  return batches.flatMap(textRows).reduce((sum, [count]) => sum + (Number(count) || 0), 0)
}

/** Rows that are there already. */
export function known({ columns, rows }: TextRows): Outcome {
  const read = async function* (): AsyncGenerator<RecordBatch, void, undefined> {
    const data = columns.map((_, column) => {
      const builder = makeColumnBuilder(VARCHAR)
      for (const row of rows) {
        const bytes = encoder.encode(row[column])
        builder.appendText(bytes, 0, bytes.length)
      }
      return builder.finish()
    })
    yield await Promise.resolve(batchFromColumns(data, rows.length))
  }
  return { kind: 'rows', columns, types: columns.map(() => VARCHAR), read }
}
