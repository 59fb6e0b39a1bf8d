import type { EngineClient, ResultSet } from '../../../../engine/client.ts'
import type { IncomingTable } from '../../../../session/handover.ts'
import { type WriteOptions, defaultOptions } from '../../../../tables/plan.ts'
import { fileName } from '../../../../ui/save.ts'
import { formatInfo, type TargetFormat } from '../../../../contract/formats.ts'
import type { ExportSource } from '../../../shared/ExportDialog.tsx'
import { planFrom } from '../../../../tables/edits.ts'

/** A file format for results. */
export interface ExportFormat {
  readonly key: string
  readonly label: string
  readonly target: TargetFormat
  readonly options: WriteOptions
}

export const EXPORT_FORMATS: readonly [ExportFormat, ...ExportFormat[]] = [
  { key: 'csv', label: 'CSV', target: 'csv', options: defaultOptions('csv') },
  { key: 'tsv', label: 'TSV', target: 'tsv', options: defaultOptions('tsv') },
  { key: 'json', label: 'JSON', target: 'json', options: defaultOptions('json') },
  { key: 'lines', label: 'JSON lines', target: 'json', options: { kind: 'json', layout: 'lines', normalize: false } },
  { key: 'xlsx', label: 'Excel', target: 'xlsx', options: defaultOptions('xlsx') },
  { key: 'parquet', label: 'Parquet', target: 'parquet', options: defaultOptions('parquet') },
  { key: 'arrow', label: 'Arrow', target: 'arrow', options: defaultOptions('arrow') },
]

/**
 * A result as the source of an export.
 * @param partial whether rows are missing
 */
export async function exportSource(
  set: ResultSet,
  engine: EngineClient,
  { title, target, partial }: { readonly title: string; readonly target: TargetFormat; readonly partial: boolean },
  signal: AbortSignal,
): Promise<ExportSource> {
  // Text formats export times as displayed.
  const form = formatInfo(target).text ? 'text' : 'values'
  const file = await set.file(fileName(title, 'arrow', 'result'), form)
  signal.throwIfAborted()
  const { inspection } = await engine.inspect(file, {}, { signal })
  return { file, plan: planFrom(inspection), partial }
}

/**
 * A result as a table to publish. The types are given by a plan, so that they don't depend on how the service would
 * infer them.
 */
export async function incomingTable(set: ResultSet, engine: EngineClient, title: string): Promise<IncomingTable> {
  const file = await set.file(fileName(title, 'arrow', 'result'))
  const { inspection } = await engine.inspect(file, {})
  return { file, plan: planFrom(inspection), inspection, changed: true }
}
