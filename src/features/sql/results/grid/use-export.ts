import { useCallback } from 'react'
import type { ConvertProgress, ConvertResult, EngineClient, ResultSet } from '../../../../engine/client.ts'
import type { IncomingTable } from '../../../../session/handover.ts'
import { planFrom, type WriteOptions } from '../../../../tables/plan.ts'
import { announce } from '../../../../ui/announce.ts'
import { useTask, type TaskState } from '../../../../ui/use-task.ts'
import type { ExportFormat } from './export-formats.ts'
import { fileStem } from './export-formats.ts'

export type ExportState = TaskState<ConvertProgress, ConvertResult>

/** Writes a whole result to a file, as conversions do. What it made is removed when the caller is gone. */
export function useExport(set: ResultSet, engine: EngineClient, title: string) {
  const discard = useCallback(
    async ({ outputs }: ConvertResult) => {
      for (const { id } of outputs) await engine.outputs.remove(id)
    },
    [engine],
  )
  const { state, start: begin, cancel } = useTask<ConvertProgress, ConvertResult>(discard)
  const start = useCallback(
    (format: ExportFormat, options: WriteOptions): Promise<void> =>
      begin(async (signal, onProgress) => {
        const file = await set.file(`${fileStem(title)}.arrow`)
        signal.throwIfAborted()
        const { inspection } = await engine.inspect(file, {}, { signal })
        const result = await engine.convert(
          file,
          { jobId: crypto.randomUUID(), plan: planFrom(inspection), target: format.target, options },
          { signal, onProgress },
        )
        announce('The file is ready')
        return result
      }),
    [begin, set, engine, title],
  )
  return { state, start, cancel }
}

/** A whole result as a table to be: its types are the plan's, whatever a service would make of the file itself. */
export async function incomingTable(set: ResultSet, engine: EngineClient, title: string): Promise<IncomingTable> {
  const file = await set.file(`${fileStem(title)}.arrow`)
  const { inspection } = await engine.inspect(file, {})
  return { file, plan: planFrom(inspection), inspection, changed: true }
}
