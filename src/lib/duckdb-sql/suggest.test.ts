import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { createCatalog } from './catalog.ts'
import { createWords } from './dialect.ts'
import { parseStatement } from './parse.ts'
import { callAt, placeAt } from './place.ts'
import { scopeAt } from './scope.ts'
import { suggestionsAt } from './suggest.ts'
import { at, columns, table, texts } from './testing.ts'

const ORDERS = [
  'id BIGINT',
  'customer_id BIGINT',
  'total DECIMAL(10,2)',
  'ship to STRUCT(city VARCHAR, "zip code" VARCHAR[])',
]

describe('before FROM', () => {
  test('columns of all tables are suggested once each, those of the nearest tables first', () => {
    expect(columns('SELECT |').toSorted()).toEqual([
      'a.b INTEGER · the "best" 🦆',
      'age INTEGER · people',
      'customer_id BIGINT · orders',
      'day DATE · recent',
      'id in 2 tables',
      'name VARCHAR · customers',
      'ship to STRUCT(city VARCHAR, "zip code" VARCHAR[]) · orders',
      'total DECIMAL(10,2) · orders',
    ])
    expect(columns('SELECT ag|')).toEqual(['age INTEGER · people'])
    const rank = (name: string): number => at('SELECT |').find(({ label }) => label === name)?.rank ?? 0
    expect(rank('age')).toBeGreaterThan(rank('total'))
    expect(rank('total')).toBeGreaterThan(rank('sum'))
  })

  test('columns of all tables aren’t suggested if the statement has tables', () => {
    expect(columns('SELECT | FROM people')).toEqual(['age INTEGER · people'])
  })

  test('only functions that contain the letters as one piece are suggested', () => {
    expect(texts('SELECT um|', 'function')).toEqual(['sum'])
    expect(texts('SELECT sm|', 'function')).toEqual([])
  })
})

test('where a table is expected, no keyword of another clause is suggested', () => {
  expect(texts('select * from |', 'keyword')).toEqual(['select', 'from', 'zone'])
  expect(texts('select * from (sel|', 'keyword')).toEqual(['select'])
})

describe('files', () => {
  const local = [{ id: 'l', ...table('local.q1', 'q1', { id: 'BIGINT' }), file: "sales/it's.csv" }]
  const own = createCatalog({ workspaces: [], local, temporary: [] })
  const asked: string[] = []
  const described = (query: string) => {
    asked.push(query)
    return [{ name: 'sold', type: 'BIGINT' }]
  }
  test.each([
    ["SELECT | FROM 'sales/q1.csv'", "FROM 'sales/q1.csv'", 'sold BIGINT · q1'],
    ["SELECT q1.| FROM 'sales/q1.csv' JOIN x ON true", "FROM 'sales/q1.csv'", 'sold BIGINT'],
    ["SELECT s.| FROM 'sales/q1.csv' AS s", "FROM 'sales/q1.csv'", 'sold BIGINT'],
    ["SELECT | FROM read_csv('*.csv', delim = ';') r", "FROM read_csv('*.csv', delim = ';')", 'sold BIGINT · r'],
  ])('have the columns that the engine reports: %s', (marked, query, column) => {
    const text = marked.replace('|', '')
    const place = placeAt(text, marked.indexOf('|'))
    const sources = { catalog: own, words: createWords(null), described, typed: '', lowerCase: false }
    const found = suggestionsAt(place, scopeAt(parseStatement(text), place.from), sources)
    expect(asked.splice(0)).toContain(query)
    expect(found.filter(({ kind }) => kind === 'column').map(({ label, detail }) => `${label} ${detail}`)).toEqual([
      column,
    ])
  })
  test.each([
    ["FROM read_csv('a.csv', |)", ['header = ', 'delim = ']],
    ["FROM read_csv_auto('a.csv', DELIM = |)", ["','", "';'", "'\\t'", "'|'"]],
    ["FROM read_parquet('a.parquet', |)", ['filename = ', 'union_by_name = ']],
    ["FROM read_ndjson('a.json', filename = |)", ['true', 'false']],
    ["FROM read_xlsx('a.xlsx', sheet = |)", []],
  ])('have the options of the function that reads them: %s', (marked, first) => {
    const cursor = marked.indexOf('|)')
    const text = marked.slice(0, cursor) + marked.slice(cursor + 1)
    const place = placeAt(text, cursor)
    const sources = { catalog: own, words: createWords(null), described, typed: '', lowerCase: false }
    const found = suggestionsAt(place, scopeAt(parseStatement(text), cursor), sources).map((each) => each.text)
    expect(found.slice(0, Math.max(1, first.length))).toEqual(first)
  })
  test.each([
    ["SELECT * FROM '|", true],
    ["SELECT * FROM 'sal|' WHERE a", true],
    ["SELECT * FROM read_csv('|')", true],
    ["SELECT * FROM read_parquet(['a.parquet', '|'])", true],
    ["SELECT 'sal|' FROM x", false],
    ["SELECT trim('x' FROM 'sal|')", false],
    ["SELECT * FROM read_csv('a.csv', delim = '|')", false],
    ["SELECT * FROM 'a.csv'| x", false],
  ])('%s', (marked, offered) => {
    const text = marked.replace('|', '')
    const cursor = marked.indexOf('|')
    const place = placeAt(text, cursor)
    expect(place.kind === 'file').toBe(offered)
    if (!offered) return
    const typed = text.slice(place.from + 1, cursor)
    const sources = { catalog: own, words: createWords(null), described: () => undefined, typed, lowerCase: false }
    const found = suggestionsAt(place, scopeAt(parseStatement(text), place.from), sources)
    expect(found).toMatchObject([
      { kind: 'file', label: "sales/it's.csv", text: "'sales/it''s.csv'", detail: 'local.q1' },
    ])
  })
})

describe('columns in scope', () => {
  test.each([
    ['select o.| from ws.sales.orders o', ORDERS],
    ['select ws.sales.orders.| from ws.sales.orders', ORDERS],
    ['select orders.| from ws.sales.orders', ORDERS],
    ['from ws.sales.orders as "My O" where "My O".|', ORDERS],
    ['select o."ship to".| from ws.sales.orders o', ['city VARCHAR', 'zip code VARCHAR[]']],
    ['select "ship to".| from ws.sales.orders o', ['city VARCHAR', 'zip code VARCHAR[]']],
    [
      'with c as (select id, total as t, sum(total) s, total::VARCHAR as v from ws.sales.orders) select c.| from c',
      ['id BIGINT', 't DECIMAL(10,2)', 's ', 'v VARCHAR'],
    ],
    ['with c(x, y) as (select 1, 2) select c.| from c', ['x ', 'y ']],
    [
      'with a as (from ws.sales.customers), b as (select * exclude (id), 1 as one from a) select b.| from b',
      ['name VARCHAR', 'one '],
    ],
    ['with recursive r as (select id as n from ws.sales.orders union all select r.| from r) from r', ['n BIGINT']],
    ['select s.| from (select age + 1 as older, * from local.people) s', ['older ', 'age INTEGER']],
    ['select s.| from (values (1)) s(a, b)', ['a ', 'b ']],
    ['select u.| from range(3) u', ['u BIGINT']],
    ['select (select x.| from local.people x) from ws.sales.orders', ['age INTEGER']],
    ['select (select o.| from local.people x) from ws.sales.customers o', ['id BIGINT', 'name VARCHAR']],
    ['select 1 from local.people union all select p.| from recent p', ['day DATE']],
    ['select day| from recent', ['day DATE · recent']],
    ['from ws."Sales 2024"."the ""best"" 🦆" where |', ['a.b INTEGER · the "best" 🦆']],
  ])('%s', (marked, expected) => expect(columns(marked)).toEqual(expected))

  test('only those that contain the typed letters are suggested, first those that begin with them', () => {
    expect(texts('select id| from ws.sales.orders', 'column')).toEqual(['id', 'customer_id'])
    expect(texts('select TTL| from ws.sales.orders', 'column')).toEqual(['total'])
  })

  test('names that several tables have are qualified', () => {
    expect(texts('select | from ws.sales.orders o join ws.sales.customers c on true', 'column')).toEqual([
      'o.id',
      'customer_id',
      'total',
      '"ship to"',
      'c.id',
      'name',
    ])
  })

  test('aliases of the select list are suggested', () => {
    expect(columns('select sum(total) as income from ws.sales.orders group by all having in|')).toContain(
      'income of the select list',
    )
  })

  test('conditions to join two tables are suggested', () => {
    expect(texts('from ws.sales.orders o join ws.sales.customers c on |', 'condition')).toEqual([
      'o.id = c.id',
      'o.customer_id = c.id',
    ])
  })
})

describe('only what is valid is suggested:', () => {
  const all = (marked: string): string[] => at(marked).map(({ text }) => text)
  test('after USING, the columns of both tables', () => {
    expect(all('select * from ws.sales.orders o join ws.sales.customers c using (|')).toEqual(['id'])
    expect(all('select * from ws.sales.orders o join ws.sales.customers c using (na|')).toEqual([])
  })
  test('at the start of a query, the words that begin one', () => {
    expect(texts('create table x as |', 'keyword')).toEqual(['select', 'from'])
    expect(texts('create table x as |', 'column', 'function')).toEqual([])
  })
  test('no functions where a table is changed', () => {
    expect(texts('insert into |', 'function', 'keyword')).toEqual([])
    expect(texts('insert into |', 'table')).toContain('ws.sales.orders')
  })
  test('no keywords of other clauses where a value must follow', () => {
    expect(texts('select |', 'keyword')).toEqual(['zone'])
    expect(texts('select id, | from ws.sales.orders', 'keyword')).toEqual(['zone'])
    expect(texts('select (|', 'keyword')).toEqual(['select', 'from', 'where', 'zone'])
  })
})

describe('tables', () => {
  test('are suggested name by name along their path', () => {
    expect(texts('from |', 'table', 'local', 'temporary', 'workspace')).toEqual([
      'recent',
      'local.people',
      'ws.sales.orders',
      'ws.sales.customers',
      'ws."Sales 2024"."the ""best"" 🦆"',
      'ws',
      'local',
    ])
    expect(texts('from ws.|', 'dataset')).toEqual(['sales', '"Sales 2024"'])
    expect(texts('from ws."Sales 2024".|', 'table')).toEqual(['"the ""best"" 🦆"'])
    expect(texts('select * from WS.Sales.or|', 'table')).toEqual(['orders', 'customers'])
    expect(texts('from local.|', 'local')).toEqual(['people'])
    expect(texts('with c as (select 1) select * from a, |', 'cte')).toEqual(['c'])
    expect(texts('from |', 'function')).toEqual(['range'])
  })

  test('persistent tables are distinct from the datasets of a workspace with the same name', () => {
    const own = createCatalog({
      workspaces: [{ name: 'my', datasets: [{ id: '1', name: 'd', tables: [table('my.d.t', 't', { a: 'DATE' })] }] }],
      local: [],
      kept: [{ id: '2', ...table('my.d', 'd', { b: 'INTEGER' }) }],
      temporary: [],
    })
    const kinds: readonly string[] = ['table', 'local', 'dataset', 'column']
    const offered = (marked: string): string[] =>
      at(marked, own).flatMap(({ kind, text }) => (kinds.includes(kind) ? [text] : []))
    expect(offered('from |')).toEqual(['my.d', 'my.d.t'])
    expect(offered('from my.|')).toEqual(['d', 'd'])
    expect(offered('from my.d.|')).toEqual(['t'])
    expect(offered('select | from my.d')).toEqual(['b'])
    expect(offered('select | from my.d.t')).toEqual(['a'])
  })

  test('a CTE only sees earlier ones', () => {
    expect(texts('with a as (select 1), b as (from |), c as (select 2) from b', 'cte')).toEqual(['a'])
    expect(texts('with a as (select 1), b as (select 2) from (from |)', 'cte')).toEqual(['b', 'a'])
  })
})

describe('places', () => {
  test.each([
    ['select |', 'value'],
    ['select a |', 'after'],
    ['|', 'after'],
    ['sel|', 'after'],
    ['select a, |', 'value'],
    ['select * |', 'after'],
    ['select a * |', 'value'],
    ['select count(*|', 'after'],
    ['select * from t |', 'after'],
    ["select 'a|'", 'none'],
    ["select date_trunc('|", 'part'],
    ["select datediff('mon|', a, b)", 'part'],
    ['select extract(|', 'part'],
    ['select extract(ye| from day)', 'part'],
    ['select extract(year from |', 'value'],
    ["select date_trunc('month', '|')", 'none'],
    ["select substr('|')", 'none'],
    ["select 'a'|", 'none'],
    ['select -- a|', 'none'],
    ['/* | */', 'none'],
    ['select $a|', 'none'],
    ['select 1|', 'none'],
    ['select a as |', 'name'],
    ['with |', 'name'],
    ['select a::|', 'type'],
    ['select cast(a as |', 'type'],
    ['select a from t where |', 'value'],
    ['from t join |', 'relation'],
    ['from t, |', 'relation'],
    ['from t where a in (1, |', 'value'],
    ['from a join b on a.x = b.x, |', 'relation'],
    ['select extract(year from |', 'value'],
    ['select a is distinct from |', 'value'],
    ['from (|', 'relation'],
    ['insert into |', 'target'],
    ['drop table |', 'target'],
    ['update |', 'target'],
    ['create table x as |', 'query'],
    ['create or replace temp view v as sel|', 'query'],
    ['prepare p as |', 'query'],
    ['create table x as select a as |', 'name'],
    ['from a join b using (|', 'using'],
    ['from a join b using (x, |', 'using'],
    ['merge into a using (|', 'value'],
    ['from a join b using (x) where a in (|', 'value'],
    ['pragma |', 'none'],
    ['select sum(|', 'value'],
    ['from t order by |', 'value'],
    ['from "sal|', 'relation'],
    ["from read_csv('a.csv', |", 'option'],
    ["from read_csv('a.csv', de|)", 'option'],
    ["from read_csv(['a.csv', 'b.csv'], header = |)", 'option'],
    ["from read_csv('a.csv', header := true, |)", 'option'],
    ["from read_csv('a.csv', names = ['a', |", 'value'],
    ['select f(a, |', 'value'],
  ])('%s: %s', (marked, kind) => {
    expect(placeAt(marked.replace('|', ''), marked.indexOf('|')).kind).toBe(kind)
  })

  test.each([
    ['select substr(a, |', 'substr', 1],
    ['select f(a, (b, c), [d, e], |', 'f', 3],
    ['select f(g(1), |', 'f', 1],
    ['select f(g(1, |', 'g', 1],
    ['select f(1) + |', null, 0],
    ['select f(1); |', null, 0],
    ["select f('(', |", 'f', 1],
  ])('%s is in %s', (marked, name, argument) => {
    const call = callAt(marked.replace('|', ''), marked.indexOf('|'))
    expect(call?.name ?? null).toBe(name)
    if (call) expect(call.argument).toBe(argument)
  })
})

test('for any text and cursor, nothing throws and positions are valid', () => {
  const part = fc.constantFrom(
    ...`select from where with as ( ) , . ; join on ws sales orders o "Sales 2024" x as * exclude ::INT 'a' $p -- /* recursive union`.split(
      ' ',
    ),
    '\n',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), fc.nat(), (parts, cursor) => {
      const text = parts.join(' ')
      const position = cursor % (text.length + 1)
      const place = placeAt(text, position)
      expect(place.from).toBeLessThanOrEqual(position)
      expect(place.to).toBeLessThanOrEqual(text.length)
      callAt(text, position)
      at(`${text.slice(0, position)}|${text.slice(position)}`)
    }),
    { numRuns: 2000 },
  )
})
