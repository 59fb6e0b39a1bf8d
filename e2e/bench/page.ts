import {
  createEngineClient,
  createTableStore,
  type ConvertResult,
  type InspectResult,
} from '../../src/engine/client.ts'
import type { FormatId } from '../../src/contract/formats.ts'
import { defaultOptions, type ColumnPlan, type ImportPlan, type WriteOptions } from '../../src/tables/plan.ts'
import { combinePlan, inputTable, matchColumns, NO_CHOICES } from '../../src/tables/combine/match.ts'
import type { CombineInput } from '../../src/tables/combine/plan.ts'
import * as peers from './peers.ts'
import { planFrom } from '../../src/tables/edits.ts'

/* Runs in the browser. The script calls these functions by name, and they return plain data. */

const { csvToParquet, parquetToCsv, jsonToParquet, ndjsonToCsv, sheetjsRead, sheetjsWrite } = peers
const PEERS = { csvToParquet, parquetToCsv, jsonToParquet, ndjsonToCsv, sheetjsRead, sheetjsWrite }
export type PeerName = keyof typeof PEERS

const engine = createEngineClient()
// As the app does once its page is idle.
engine.warm()

function chosen(index: number): File {
  const input = document.querySelector<HTMLInputElement>('#files')
  const file = input?.files?.[index]
  if (!file) throw new Error(`no file number ${index}`)
  return file
}

export interface Timing {
  readonly inspect: number
  readonly convert: number
  readonly verify: number
  readonly total: number
  readonly bytes: number
}

/** A person's changes of columns, by their names in the file. */
export type Changes = Readonly<Record<string, Pick<ColumnPlan, 'type' | 'format'>>>

const changed = (plan: ImportPlan, changes: Changes): ImportPlan => ({
  ...plan,
  tables: plan.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => ({ ...column, ...changes[column.source] })),
  })),
})

/** Everything that a person waits for: detection, types over all rows, conversion, reading back and receipt. */
async function rowhouse(
  index: number,
  target: FormatId,
  options?: WriteOptions,
  changes: Changes = {},
): Promise<Timing> {
  const file = chosen(index)
  const begun = performance.now()
  const inspected: InspectResult = await engine.inspect(file, {})
  const ready = performance.now()
  const result: ConvertResult = await engine.convert(file, {
    jobId: crypto.randomUUID(),
    plan: changed(planFrom(inspected.inspection), changes),
    target,
    options: options ?? defaultOptions(target),
  })
  const done = performance.now()
  const [output] = result.outputs
  const duration = output?.receipts[0]?.duration ?? { convert: 0, verify: 0 }
  for (const { id } of result.outputs) await engine.outputs.remove(id)
  return {
    inspect: ready - begun,
    convert: duration.convert,
    verify: duration.verify,
    total: done - begun,
    bytes: output?.size ?? 0,
  }
}

/**
 * Combines all files into one table: each is inspected first, and only the combination is timed.
 * @param download whether to return the table, for comparisons
 * @param named whether the table gets a column with the file's name
 */
async function combine(target: FormatId, { download = false, named = true } = {}): Promise<Timing> {
  const files = [...(document.querySelector<HTMLInputElement>('#files')?.files ?? [])]
  const begun = performance.now()
  const inputs: CombineInput[] = []
  for (const file of files) {
    const { inspection } = await engine.inspect(file, {})
    inputs.push({ file: file.name, plan: planFrom(inspection), table: 0 })
  }
  const ready = performance.now()
  const matching = matchColumns(
    inputs.map((input, i) => inputTable(String(i), input)),
    NO_CHOICES,
  )
  const { outputs } = await engine.combine(files, {
    jobId: crypto.randomUUID(),
    name: 'combined',
    inputs: inputs.map(({ plan, table }) => ({ plan, table })),
    combine: { ...combinePlan(matching, NO_CHOICES), ...(named ? {} : { fileColumn: null }) },
    target,
    options: defaultOptions(target),
  })
  const done = performance.now()
  const [output] = outputs
  const duration = output?.receipts[0]?.duration ?? { convert: 0, verify: 0 }
  if (output && download) {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await engine.outputs.file(output))
    link.download = output.name
    link.click()
  } else for (const { id } of outputs) await engine.outputs.remove(id)
  return { inspect: ready - begun, ...duration, total: done - begun, bytes: output?.size ?? 0 }
}

/** The file as a workbook written by SheetJS, in base64, to measure reading. */
async function workbook(index: number): Promise<string> {
  const bytes = await peers.sheetjsWorkbook(chosen(index))
  const url = await new Promise<string>((resolve) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.readAsDataURL(new Blob([bytes]))
  })
  return url.slice(url.indexOf(',') + 1)
}

async function inspectOnly(index: number): Promise<number> {
  const begun = performance.now()
  await engine.inspect(chosen(index), {})
  return performance.now() - begun
}

async function peer(name: PeerName, index: number): Promise<number> {
  const file = chosen(index)
  const begun = performance.now()
  await PEERS[name](file)
  return performance.now() - begun
}

const tables = createTableStore()

/** Loads the file into a stored table, and counts its rows. */
async function ingest(index: number): Promise<number> {
  const file = chosen(index)
  const creationId = crypto.randomUUID()
  const begun = performance.now()
  const { fileId } = await tables.whileCreating(creationId, () => tables.ingest(file, { creationId, format: null }))
  const took = performance.now() - begun
  await tables.remove(fileId)
  return took
}

/** @param sample rows for the sniffer; -1 for all, null for its default */
function duckdbCsv(index: number, sample: number | null): Promise<number> {
  const worker = new Worker(new URL('./duckdb-worker.ts', import.meta.url), { type: 'module' })
  return new Promise<number>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<number>) => resolve(data))
    worker.addEventListener('error', ({ message }) => reject(new Error(message)))
    worker.postMessage({ file: chosen(index), sample })
  }).finally(() => worker.terminate())
}

const bench = { rowhouse, combine, inspectOnly, workbook, peer, ingest, duckdbCsv }
export type Bench = typeof bench

declare global {
  interface Window {
    bench: Bench
  }
}
window.bench = bench
