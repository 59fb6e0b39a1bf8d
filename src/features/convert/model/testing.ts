import type { Receipt, TableFingerprint } from '../../../tables/receipt.ts'

/* A small receipt for tests. */

const PRINT: TableFingerprint = {
  rows: 2,
  columns: [{ name: 'id', type: 'BIGINT', nulls: 0, min: '1', max: '2', sum: '3', checksum: '00000000000000aa' }],
  rowChecksum: '00000000000000bb',
}

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
