import { useCallback, useEffect, useRef, useState } from 'react'
import type { ConvertProgress, ConvertResult, EngineClient, ResultSet } from '../../../engine/client.ts'
import { isAbort } from '../../../lib/abort.ts'
import type { IncomingTable } from '../../../session/handover.ts'
import { planFrom, type WriteOptions } from '../../../tables/plan.ts'
import { announce } from '../../../ui/announce.ts'
import type { ExportFormat } from './model/export-formats.ts'
import { fileStem } from './model/export-formats.ts'

export type ExportState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly progress: ConvertProgress | null }
  | { readonly kind: 'done'; readonly result: ConvertResult }
  | { readonly kind: 'failed'; readonly error: unknown }

/** Writes a whole result to a file, as conversions do. What it made is removed when the caller is gone. */
export function useExport(set: ResultSet, engine: EngineClient, title: string) {
  const [state, setState] = useState<ExportState>({ kind: 'idle' })
  const running = useRef<AbortController | null>(null)
  const made = useRef<readonly { readonly id: string }[]>([])
  const forget = useCallback(async () => {
    const outputs = made.current
    made.current = []
    for (const { id } of outputs) await engine.outputs.remove(id)
  }, [engine])
  useEffect(
    () => () => {
      running.current?.abort()
      void forget()
    },
    [forget],
  )
  const start = useCallback(
    async (format: ExportFormat, options: WriteOptions): Promise<void> => {
      running.current?.abort()
      const abort = new AbortController()
      running.current = abort
      setState({ kind: 'running', progress: null })
      try {
        await forget()
        const file = await set.file(`${fileStem(title)}.arrow`)
        abort.signal.throwIfAborted()
        const { inspection } = await engine.inspect(file, {}, { signal: abort.signal })
        const result = await engine.convert(
          file,
          { jobId: crypto.randomUUID(), plan: planFrom(inspection), target: format.target, options },
          { signal: abort.signal, onProgress: (progress) => setState({ kind: 'running', progress }) },
        )
        made.current = result.outputs
        setState({ kind: 'done', result })
        announce('The file is ready')
      } catch (error) {
        if (running.current !== abort) return
        setState(isAbort(error) ? { kind: 'idle' } : { kind: 'failed', error })
      }
    },
    [set, engine, title, forget],
  )
  return { state, start, cancel: () => running.current?.abort() }
}

/** A whole result as a table to be: its types are the plan's, whatever a service would make of the file itself. */
export async function incomingTable(set: ResultSet, engine: EngineClient, title: string): Promise<IncomingTable> {
  const file = await set.file(`${fileStem(title)}.arrow`)
  const { inspection } = await engine.inspect(file, {})
  return { file, plan: planFrom(inspection), inspection, changed: true }
}
