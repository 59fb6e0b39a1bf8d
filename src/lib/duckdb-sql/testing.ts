import { type Schema, createCatalog } from './catalog.ts'
import { createWords } from './dialect.ts'
import { parseStatement } from './parse.ts'
import { placeAt } from './place.ts'
import { scopeAt } from './scope.ts'
import { suggestionsAt } from './suggest.ts'
import type { Suggestion } from './suggestion.ts'

/* Suggestions for tests. */

/** A table of a schema. */
export const table = (reference: string, name: string, columns: Record<string, string>) => ({
  name,
  rowCount: 3,
  reference,
  columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
})

/** Two datasets, a file and a temporary view. */
const schema: Schema = {
  workspaces: [
    {
      name: 'ws',
      datasets: [
        {
          id: '1',
          name: 'sales',
          tables: [
            table('ws.sales.orders', 'orders', {
              id: 'BIGINT',
              customer_id: 'BIGINT',
              total: 'DECIMAL(10,2)',
              'ship to': 'STRUCT(city VARCHAR, "zip code" VARCHAR[])',
            }),
            table('ws.sales.customers', 'customers', { id: 'BIGINT', name: 'VARCHAR' }),
          ],
        },
        {
          id: '2',
          name: 'Sales 2024',
          tables: [table('ws."Sales 2024"."the ""best"" 🦆"', 'the "best" 🦆', { 'a.b': 'INTEGER' })],
        },
      ],
    },
  ],
  local: [{ id: '3', ...table('local.people', 'people', { age: 'INTEGER' }) }],
  temporary: [{ kind: 'view', ...table('recent', 'recent', { day: 'DATE' }) }],
}
/** A small vocabulary. */
const words = createWords({
  keywords: ['select', 'from', 'where', 'zone'],
  types: ['VARCHAR', 'BIGINT', 'DATE'],
  functions: [
    { name: 'sum', kind: 'aggregate', signatures: ['(arg DOUBLE) → DOUBLE'], description: '' },
    { name: 'range', kind: 'table', signatures: ['(col0 BIGINT)'], description: '' },
  ],
})
/** The schema’s tables. */
const catalog = createCatalog(schema)

/** What is suggested at the cursor, which `|` marks. */
export function at(marked: string, among = catalog): readonly Suggestion[] {
  const position = marked.indexOf('|')
  const text = marked.replace('|', '')
  const place = placeAt(text, position)
  const scope = scopeAt(parseStatement(text), place.from)
  return suggestionsAt(place, scope, {
    catalog: among,
    words,
    described: () => undefined,
    lowerCase: true,
    typed: text.slice(place.from, position),
  })
}
/** The columns suggested, and what is said of each. */
export const columns = (marked: string): string[] =>
  at(marked)
    .filter(({ kind }) => kind === 'column')
    .map(({ label, detail }) => `${label} ${detail}`)
/** What the suggestions of some kinds insert. */
export const texts = (marked: string, ...kinds: string[]): string[] =>
  at(marked)
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ text }) => text)
