import type { DataType, RecordBatch } from 'apache-arrow'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { MessageReader } from '../arrow/ipc/rows.ts'
import { columnTypeOf } from '../arrow/types.ts'
import { EngineError } from '../errors.ts'
import { openDatabase } from './open-database.ts'

describe('the locked-down database', () => {
  it('survives every refusal', async () => {
    const db = await openDatabase()
    const refused = [
      'SELEC 1',
      "SELECT * FROM 'x.parquet'",
      "SELECT * FROM read_csv('/etc/passwd')",
      "COPY (SELECT 1) TO '/tmp/x.csv'",
      'LOAD icu',
      "ATTACH '/tmp/x.db'",
      'SET enable_external_access=true',
      "SELECT * FROM 'https://example.com/x.csv'",
      "SELECT error('boom')",
      'SELECT 9223372036854775807 + 1',
    ]
    for (const sql of refused) {
      expect(() => db.run(sql), sql).toThrow(EngineError)
      expect(db.run('SELECT 42::INTEGER AS n')[0].getChildAt(0)?.get(0), sql).toBe(42)
    }
  })

  it('prints no progress, however slow a statement is: a page’s security policy refuses how it’s printed', async () => {
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10_000))
    onTestFinished(() => clock.mockRestore())
    const make = vi.fn(() => () => undefined)
    vi.stubGlobal('Function', new Proxy(Function, { construct: make, apply: make }))
    onTestFinished(() => void vi.unstubAllGlobals())
    const db = await openDatabase()
    db.guest.query('SELECT sum(range) FROM range(100_000)')
    expect(make).not.toHaveBeenCalled()
  })
})

describe('a stream', () => {
  const rowsOf = (batches: readonly RecordBatch[]): string[] =>
    batches.flatMap((batch) => batch.toArray().map((row) => JSON.stringify(Object.values(row.toJSON()).map(String))))

  it('gathers the few rows that a filter leaves of each part of a table, and gives the same', async () => {
    const db = await openDatabase()
    db.run(`CREATE TABLE t AS SELECT i, nullif(i % 3, 0) AS n, 'é' || i AS s, i % 7 = 0 AS b, (i / 8)::DECIMAL(9, 3) AS d,
      DATE '2024-01-01' + i::INTEGER AS day, TIMESTAMP '2024-01-01' + to_seconds(i) AS moment, -(i::HUGEINT) AS h, [i] AS l FROM range(300_000) r(i)`)
    for (const columns of ['i, n, s, b, d, day, moment, h', 'i, l', 'i, NULL', 'uuid() IS NULL, {s: s}']) {
      const sql = `SELECT ${columns} FROM t WHERE i % 500 = 7`
      const expected = db.run(sql)
      const types = expected[0].schema.fields.map(({ type }) => columnTypeOf(type as DataType))
      const reader = new MessageReader(types, [])
      const batches: RecordBatch[] = []
      for await (const messages of db.guest.stream(sql, () => Promise.resolve()))
        batches.push(...(await reader.read(messages)))
      expect(rowsOf(batches)).toEqual(rowsOf(expected))
    }
  })
})
