import { expect, test } from 'vitest'
import { createTestTables } from './tables.ts'

const { signal } = new AbortController()

test('the test double of Tables loads, queries, converts and sweeps', async () => {
  const tables = createTestTables()
  const source = new Blob(['id,name\n1,ann\n2,bob\n'])
  const loaded = await tables.ingest(source, { creationId: 'c1', format: 'csv', filename: 'people.csv' }, signal)
  expect(loaded).toMatchObject({
    rowCount: 2,
    schema: [
      { name: 'id', type: 'BIGINT' },
      { name: 'name', type: 'VARCHAR' },
    ],
  })
  const readable = [{ workspace: 'w', dataset: 'Some People', table: 'people', fileId: loaded.fileId }]
  const ask = (sql: string) => tables.query({ sql, readable, timeoutMs: 1000, maxRows: 1 }, signal)
  expect(await ask('SELECT name FROM w."some people".people ORDER BY id')).toEqual({
    columns: ['name'],
    rows: [['ann']],
    truncated: true,
  })
  await expect(ask('FROM w.other.t')).rejects.toMatchObject({ code: 'unknown-table', fields: { table: 'w.other.t' } })
  await expect(ask('SELEC 1')).rejects.toMatchObject({ code: 'sql' })
  const json = await tables.convert(
    source,
    { from: 'csv', to: 'json', filename: 'people.csv' },
    (result) => result.text(),
    signal,
  )
  expect(JSON.parse(json)).toEqual([
    { id: 1, name: 'ann' },
    { id: 2, name: 'bob' },
  ])
  await tables.sweep(async () => new Set())
  await expect(ask('FROM w."Some People".people')).rejects.toThrow()
})
