import { describe, expect, it } from 'vitest'
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
})
