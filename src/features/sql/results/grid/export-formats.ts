import type { TargetFormat } from '../../../../contract/formats.ts'
import { defaultOptions, type WriteOptions } from '../../../../tables/plan.ts'

/** A kind of file that a result can be. */
export interface ExportFormat {
  readonly key: string
  readonly label: string
  readonly target: TargetFormat
  readonly options: WriteOptions
}

export const EXPORT_FORMATS: readonly ExportFormat[] = [
  { key: 'csv', label: 'CSV', target: 'csv', options: defaultOptions('csv') },
  { key: 'tsv', label: 'TSV', target: 'tsv', options: defaultOptions('tsv') },
  { key: 'json', label: 'JSON', target: 'json', options: defaultOptions('json') },
  { key: 'lines', label: 'JSON lines', target: 'json', options: { kind: 'json', layout: 'lines', normalize: false } },
  { key: 'xlsx', label: 'Excel', target: 'xlsx', options: defaultOptions('xlsx') },
  { key: 'parquet', label: 'Parquet', target: 'parquet', options: defaultOptions('parquet') },
  { key: 'arrow', label: 'Arrow', target: 'arrow', options: defaultOptions('arrow') },
]

// oxlint-disable-next-line no-control-regex -- control characters are what it takes out
const REFUSED = /[\u0000-\u001f\u007f-\u009f/\\:*?"<>|]/g

/** A name that every file system takes. */
export const fileStem = (title: string): string => title.replaceAll(REFUSED, '_').trim().slice(0, 120) || 'result'
