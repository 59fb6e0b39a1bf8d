import type { EngineClient, ResultSet } from '../../../../engine/client.ts'
import type { IncomingTable } from '../../../../session/handover.ts'
import { planFrom, type WriteOptions, defaultOptions } from '../../../../tables/plan.ts'
import { fileName } from '../../../../ui/save.ts'
import { formatInfo, type TargetFormat } from '../../../../contract/formats.ts'
import type { ExportSource } from '../../../shared/ExportDialog.tsx'

/** A kind of file that a result can be. */
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
 * A whole result as what exports are made of.
 * @param partial whether rows were left out of it
 */
export async function exportSource(
  set: ResultSet,
  engine: EngineClient,
  { title, target, partial }: { readonly title: string; readonly target: TargetFormat; readonly partial: boolean },
  signal: AbortSignal,
): Promise<ExportSource> {
  // In a format of texts a time is one, as it's shown.
  const form = formatInfo(target).text ? 'text' : 'values'
  const file = await set.file(fileName(title, 'arrow', 'result'), form)
  signal.throwIfAborted()
  const { inspection } = await engine.inspect(file, {}, { signal })
  return { file, plan: planFrom(inspection), partial }
}

/** A whole result as a table to be: its types are the plan's, whatever a service would make of the file itself. */
export async function incomingTable(set: ResultSet, engine: EngineClient, title: string): Promise<IncomingTable> {
  const file = await set.file(fileName(title, 'arrow', 'result'))
  const { inspection } = await engine.inspect(file, {})
  return { file, plan: planFrom(inspection), inspection, changed: true }
}
