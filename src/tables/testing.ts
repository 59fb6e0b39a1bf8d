import type { InputTable } from './combine/plan.ts'
import type { Receipt, TableFingerprint } from './receipt.ts'
import type { InspectedColumn, InspectedTable, Inspection } from './plan.ts'

/* Small inspections and receipts for tests. */

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

/** As returned by the engine's client, with empty previews. */
export function inspectResult(found: Inspection) {
  return { inspection: found, previews: found.tables.map(() => ({ columns: [], rows: [], rejected: [] })) }
}

/** A table to combine, with its columns' names and types (text by default). */
export function inputOf(
  label: string,
  ...columns: readonly (string | readonly [name: string, type: string])[]
): InputTable {
  return {
    id: label,
    label,
    rows: 1,
    table: null,
    columns: columns.map((named, index) => {
      const [name, type] = typeof named === 'string' ? [named, 'VARCHAR'] : named
      return { index, name, source: name, nth: 0, type, empty: false }
    }),
  }
}

const PRINT: TableFingerprint = {
  rows: 2,
  columns: [{ name: 'id', type: 'BIGINT', nulls: 0, min: '1', max: '2', sum: '3', checksum: '00000000000000aa' }],
  rowChecksum: '00000000000000bb',
}

/** A small receipt. */
export function receipt(more: Partial<Receipt> = {}): Receipt {
  return {
    source: { name: 'a.csv', size: 9, format: 'csv', table: null, sha256: 'a'.repeat(64) },
    output: {
      name: 'a.parquet',
      size: 500,
      format: 'parquet',
      sha256: 'b'.repeat(64),
      readBack: { settings: { kind: 'parquet' }, tables: [null] },
    },
    createdAt: '2026-01-02T03:04:05.678Z',
    duration: { convert: 10, verify: 5 },
    expected: PRINT,
    found: PRINT,
    differences: [],
    changes: [],
    notes: [],
    rejectedRows: 0,
    verdict: 'match',
    ...more,
  }
}
