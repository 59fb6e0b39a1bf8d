import type { CsvSettings, InspectedColumn, InspectedTable, Inspection } from './plan.ts'

/* Small inspections for tests. */

export function column(source: string, type = 'VARCHAR', more: Partial<InspectedColumn> = {}): InspectedColumn {
  return { index: 0, source, name: source, type, reason: 'because', flags: [], nulls: 0, ...more }
}

export function table(columns: readonly InspectedColumn[], more: Partial<InspectedTable> = {}): InspectedTable {
  return {
    name: null,
    columns: columns.map((found, index) => ({ ...found, index })),
    rows: 10,
    rejectedCount: 0,
    rejected: [],
    notes: [],
    ...more,
  }
}

export function inspection(...tables: readonly InspectedTable[]): Inspection {
  return { format: 'parquet', settings: { kind: 'parquet' }, tables, notes: [] }
}

/** As the engine's client answers, with empty previews. */
export function inspectResult(found: Inspection) {
  return { inspection: found, previews: found.tables.map(() => ({ columns: [], rows: [], rejected: [] })) }
}

/** A usual CSV file, none of whose rows is filled up. */
export const PLAIN_CSV: CsvSettings = {
  kind: 'csv',
  compression: null,
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  escape: '"',
  skipLines: 0,
  header: true,
  comment: null,
  nullStrings: [''],
  shortRows: 'reject',
}
