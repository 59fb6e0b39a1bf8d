import type { FormatId } from '../../contract/formats.ts'
import { defaultOptions, planFrom, type ImportPlan, type WriteOptions } from '../../tables/plan.ts'
import { convertFile } from '../convert/convert.ts'
import { inspectFile } from '../convert/inspect.ts'
import { MemoryOutputs } from '../storage/output.ts'
import type { ConvertResult, InspectRequest, InspectResult } from '../convert/protocol.ts'

/* The engine without its worker. Tests only. */

const QUIET = { signal: new AbortController().signal, progress: () => undefined }

export function inspect(file: File, request: InspectRequest = {}): Promise<InspectResult> {
  return inspectFile(file, request, QUIET)
}

export interface Converted {
  readonly result: ConvertResult
  /** In the order of `result.outputs`. */
  readonly files: readonly File[]
  readonly rejectedFile: File | null
}

/** Converts as a person would who accepts the plan; or with a plan of one's own. */
export async function convert(
  file: File,
  target: FormatId,
  options: WriteOptions = defaultOptions(target),
  change: (plan: ImportPlan) => ImportPlan = (plan) => plan,
  request: InspectRequest = {},
): Promise<Converted> {
  const storage = new MemoryOutputs()
  const { inspection } = await inspect(file, request)
  const plan = change(planFrom(inspection))
  const result = await convertFile(file, { jobId: 'job', plan, target, options }, { ...QUIET, storage })
  const fileOf = (id: string, name: string): File => {
    const kept = storage.files.get(id)
    if (!kept) throw new Error(`no output ${id}`)
    return new File([kept], name)
  }
  return {
    result,
    files: result.outputs.map(({ id, name }) => fileOf(id, name)),
    rejectedFile: result.rejectedFile && fileOf(result.rejectedFile.id, result.rejectedFile.name),
  }
}
