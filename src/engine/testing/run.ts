import type { FormatId } from '../../contract/formats.ts'
import { defaultOptions, type ImportPlan, type Inspection, type WriteOptions } from '../../tables/plan.ts'
import {
  combinePlan,
  inputTable,
  matchColumns,
  NO_CHOICES,
  type MatchChoices,
  type Matching,
} from '../../tables/combine/match.ts'
import type { Shape, ShapeTable, Split } from '../../tables/reshape/types.ts'
import { combineFiles } from '../convert/combine.ts'
import type { ConvertContext } from '../convert/carry.ts'
import { convertFile } from '../convert/convert.ts'
import { inspectFile } from '../convert/inspect.ts'
import { MemoryOutputs } from '../storage/output.ts'
import type { ConvertResult } from '../convert/protocol.ts'
import type { InspectResult } from '../convert/inspection-types.ts'
import { secondThread } from './second-thread.ts'
import { QUIET } from './quiet.ts'
import type { InspectRequest } from '../../tables/inspect-request.ts'
import { planFrom } from '../../tables/edits.ts'

/* The engine without its worker. Tests only. */

export function inspect(file: File, request: InspectRequest = {}): Promise<InspectResult> {
  return inspectFile(file, request, QUIET)
}

export interface Converted {
  readonly result: ConvertResult
  /** In the order of `result.outputs`. */
  readonly files: readonly File[]
  readonly rejectedFile: File | null
}

/** Inspects and converts a file as if a person accepted the plan, or changed it. */
export async function convert(
  file: File,
  target: FormatId,
  options: WriteOptions = defaultOptions(target),
  change: (plan: ImportPlan) => ImportPlan = (plan) => plan,
  request: InspectRequest = {},
): Promise<Converted> {
  return convertAsInspected(file, (await inspect(file, request)).inspection, target, options, change)
}

/** Like `convert`, for a file that was already inspected. */
export async function convertAsInspected(
  file: File,
  inspection: Inspection,
  target: FormatId,
  options: WriteOptions = defaultOptions(target),
  change: (plan: ImportPlan) => ImportPlan = (plan) => plan,
): Promise<Converted> {
  const storage = new MemoryOutputs()
  const plan = change(planFrom(inspection))
  const result = await convertFile(file, { jobId: 'job', plan, target, options }, { ...QUIET, storage })
  return withFiles(result, storage)
}

/** Like `convert`, but splits each table into several files. */
export async function split(
  file: File,
  target: FormatId,
  by: Split,
  options: WriteOptions = defaultOptions(target),
  {
    signal = QUIET.signal,
    progress = QUIET.progress,
    storage = new MemoryOutputs(),
    threads = 1,
    reading = {},
  }: {
    readonly signal?: AbortSignal
    readonly progress?: ConvertContext['progress']
    readonly storage?: MemoryOutputs
    readonly threads?: 1 | 2
    readonly reading?: InspectRequest
  } = {},
): Promise<Converted & { readonly storage: MemoryOutputs }> {
  const plan = planFrom((await inspect(file, reading)).inspection)
  const helper = threads > 1 ? { startThread: () => secondThread({ storage }) } : {}
  const request = { jobId: 'job', plan, target, options, split: by }
  const result = await convertFile(file, request, { ...QUIET, signal, progress, storage, ...helper })
  return { ...withFiles(result, storage), storage }
}

/** Like `convert`, but with a statement between reading and writing. */
export async function shape(
  file: File,
  target: FormatId,
  sql: string,
  {
    tables = [],
    change = (plan) => plan,
    signal = QUIET.signal,
    split: by,
    storage = new MemoryOutputs(),
    options = defaultOptions(target),
  }: {
    readonly tables?: readonly ShapeTable[]
    readonly change?: (plan: ImportPlan) => ImportPlan
    readonly signal?: AbortSignal
    readonly split?: Split
    readonly storage?: MemoryOutputs
    readonly options?: WriteOptions
  } = {},
): Promise<Converted> {
  const plan = change(planFrom((await inspect(file)).inspection))
  const splitting = by ? { split: by } : {}
  const request = { jobId: 'job', plan, target, options, shape: { sql, tables }, ...splitting }
  return withFiles(await convertFile(file, request, { ...QUIET, signal, storage }), storage)
}

/**
 * Combines the first tables of files as if a person accepted how their columns are matched, or chose otherwise.
 * @param later the files at the time of the conversion, if they differ
 */
export async function combine(
  files: readonly File[],
  target: FormatId,
  options: WriteOptions = defaultOptions(target),
  choose: (matching: Matching) => Partial<MatchChoices> = () => ({}),
  {
    later = files,
    threads = 1,
    change = (plan) => plan,
    shape: shaped,
    split: by,
  }: {
    readonly later?: readonly File[]
    readonly threads?: 1 | 2
    readonly change?: (plan: ImportPlan) => ImportPlan
    readonly shape?: Shape
    readonly split?: Split
  } = {},
): Promise<Converted> {
  const storage = new MemoryOutputs()
  const plans = await Promise.all(files.map(async (file) => change(planFrom((await inspect(file)).inspection))))
  const tables = plans.map((plan, i) => inputTable(`${i}`, { file: files[i].name, plan, table: 0 }))
  const choices = { ...NO_CHOICES, ...choose(matchColumns(tables, NO_CHOICES)) }
  const plan = combinePlan(matchColumns(tables, choices), choices)
  const inputs = plans.map((each) => ({ plan: each, table: 0 }))
  const helper = threads > 1 ? { startThread: () => secondThread({ storage }) } : {}
  const shaping = { ...(shaped ? { shape: shaped } : {}), ...(by ? { split: by } : {}) }
  const request = { jobId: 'job', name: 'all', inputs, combine: plan, target, options, ...shaping }
  return withFiles(await combineFiles(later, request, { ...QUIET, storage, ...helper }), storage)
}

function withFiles(result: ConvertResult, storage: MemoryOutputs): Converted {
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
