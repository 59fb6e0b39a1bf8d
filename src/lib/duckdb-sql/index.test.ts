import { expect, test } from 'vitest'
import { createCatalog, createWords, parseStatement, placeAt, scopeAt, suggestionsAt } from './index.ts'

test('the README’s example is right', () => {
  const orders = {
    name: 'orders',
    reference: 'ws.sales.orders',
    rowCount: 3,
    columns: [
      { name: 'id', type: 'BIGINT' },
      { name: 'total', type: 'DECIMAL(10,2)' },
    ],
  }
  const sales = { id: '1', name: 'sales', tables: [orders] }
  const catalog = createCatalog({ workspaces: [{ name: 'ws', datasets: [sales] }], local: [], temporary: [] })
  const words = createWords(null)
  const text = 'SELECT o.t FROM ws.sales.orders o'
  const cursor = 'SELECT o.t'.length
  const scope = scopeAt(parseStatement(text), cursor)
  const sources = { catalog, words, described: () => undefined, typed: 't', lowerCase: false }
  const found = suggestionsAt(placeAt(text, cursor), scope, sources)
  expect(found.map(({ kind, label }) => [kind, label])).toEqual([['column', 'total']])
})
