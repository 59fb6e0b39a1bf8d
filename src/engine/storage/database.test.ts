import { describe, expect, it, onTestFinished, vi } from 'vitest'
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
