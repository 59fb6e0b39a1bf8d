import type { RecordBatch } from 'apache-arrow'
import type { WriteOptions } from '../../tables/plan.ts'
import type { Column } from '../../tables/types.ts'
import type { FormatWriter, WriteResult } from '../formats/types.ts'
import { MemorySink } from '../../lib/sink.ts'
import { QUIET } from './quiet.ts'

export interface Written {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly result: WriteResult
}

/** Writes batches with one writer to a file in memory. Tests only. */
export async function writeWhole(
  writer: FormatWriter,
  options: WriteOptions,
  columns: readonly Column[],
  batches: readonly RecordBatch[],
): Promise<Written> {
  const sink = new MemorySink()
  const table = writer.open(sink, options, QUIET)
  await table.begin({ name: 'table', columns })
  for (const batch of batches) await table.write(batch)
  const result = await table.finish()
  return { bytes: new Uint8Array(await sink.file('table').arrayBuffer()), result }
}
