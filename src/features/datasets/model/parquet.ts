import { MAX_FILE_BYTES } from '../../../contract/limits.ts'
import type { EngineClient } from '../../../engine/client.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { defaultOptions, type ImportPlan, type RejectedRow } from '../../../tables/plan.ts'

/** Rows that don't fit. */
export interface Held {
  readonly count: number
  readonly first: readonly RejectedRow[]
}

interface Made {
  /** Null if it exceeds the limit and only its size was requested. */
  readonly body: Blob | null
  readonly bytes: number
  readonly rejected: Held
}

/**
 * A table as Parquet in memory, verified against what was read.
 * @throws {EngineError} and {RangeError} if it exceeds the service's limit, unless `measure` is set
 */
export async function toParquet(
  { engine, newId }: { readonly engine: Pick<EngineClient, 'convert' | 'outputs'>; readonly newId: () => string },
  { file, plan }: { readonly file: File; readonly plan: ImportPlan },
  signal: AbortSignal,
  onProgress: (share: number | null) => void,
  measure = false,
): Promise<Made> {
  const request = { jobId: newId(), plan, target: 'parquet', options: defaultOptions('parquet') } as const
  const result = await engine.convert(file, request, {
    signal,
    onProgress: ({ phase, bytes, totalBytes }) => {
      const share = totalBytes > 0 ? bytes / totalBytes : 0
      onProgress(phase === 'convert' ? share * 0.7 : 0.7 + share * 0.3)
    },
  })
  const [output] = result.outputs
  try {
    const rejected = { count: result.rejectedCount, first: result.rejected }
    if (!output) return { body: null, bytes: 0, rejected }
    if (output.size > MAX_FILE_BYTES) {
      if (measure) return { body: null, bytes: output.size, rejected }
      throw new RangeError(`as Parquet it’s ${formatBytes(output.size)}, and the service takes 50 MB`)
    }
    // Copied, because the output has no record, so that another tab may sweep it.
    const made = await engine.outputs.file(output)
    return { body: new Blob([await made.arrayBuffer()], { type: output.mimeType }), bytes: output.size, rejected }
  } finally {
    for (const { id } of [...result.outputs, ...(result.rejectedFile ? [result.rejectedFile] : [])]) {
      await engine.outputs.remove(id)
    }
  }
}
