import { describe, expect, test } from 'vitest'
import { createCatalog } from './catalog.ts'
import { at, columns, table, texts } from './testing.ts'

describe('words that the text before asks for', () => {
  const phrases = (marked: string): string[] => texts(marked, 'keyword').slice(0, 3)
  const only = (marked: string): string[] => at(marked).map(({ text }) => text)

  test.each([
    [
      'select * from people where age is |',
      ['null', 'not null', 'distinct from', 'not distinct from', 'true', 'false'],
    ],
    ['select * from people where age not |', ['in', 'like', 'ilike', 'between', 'null', 'similar to']],
    ['select sum(age) over (|)', ['partition by', 'order by', 'rows between', 'range between']],
    ['select sum(age) over | from people window w as (order by age), v as ()', ['w', 'v']],
    [
      'select sum(age) over (order by age rows |)',
      ['between unbounded preceding and current row', 'unbounded preceding', 'current row'],
    ],
    ['select count(*) filter (|)', ['where']],
    ['select 1 union |', ['all', 'select', 'from', 'by name', 'all by name', 'values']],
    ['alter table people |', ['add column', 'drop column', 'alter column', 'rename column', 'rename to']],
    [
      'alter table my.people alter column age |',
      ['type', 'set default', 'drop default', 'set not null', 'drop not null'],
    ],
    ['select age from people order by age nulls |', ['first', 'last']],
  ])('%s', (marked, expected) => expect(only(marked)).toEqual(expected))

  test.each([
    ['select * from people where age > 1 |', ['and', 'or', 'in']],
    ['select * from people |', ['where', 'join', 'left join']],
    ['select * from people order by age |', ['desc', 'asc', 'nulls last']],
    ['select case when age > 1 |', ['then', 'and', 'or']],
    ['select case when age > 1 then case when 1 then 2 end |', ['when', 'else', 'end']],
    ['select sum(age) over (partition by age |) from people', ['order by', 'rows between', 'range between']],
    ['select list(age) |', ['from', 'as', 'select']],
  ])('%s first', (marked, expected) => expect(phrases(marked)).toEqual(expected))

  test('each word is suggested once', () => {
    const all = texts('select * from people |', 'keyword')
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('names that only a part of an expression has', () => {
  const orders = createCatalog({
    workspaces: [],
    local: [
      {
        id: '1',
        ...table('local.o', 'o', {
          items: 'STRUCT(sku VARCHAR, qty INTEGER)[]',
          tags: 'VARCHAR[]',
          m: 'MAP(VARCHAR, STRUCT(a DATE))',
        }),
      },
    ],
    temporary: [],
  })
  const names = (marked: string): string[] =>
    at(marked, orders)
      .filter(({ kind }) => kind === 'column')
      .map(({ label, detail }) => `${label} ${detail}`)

  test.each([
    ['select list_transform(items, x -> x.|) from local.o', ['sku VARCHAR', 'qty INTEGER']],
    ['select list_transform(o.items, lambda x, i: x.|) from local.o', ['sku VARCHAR', 'qty INTEGER']],
    ['select list_filter(items, x -> length(x.|) > 1) from local.o', ['sku VARCHAR', 'qty INTEGER']],
    ['select [x.sku for x in items if x.|] from local.o', ['sku VARCHAR', 'qty INTEGER']],
    ['select items[1].| from local.o', ['sku VARCHAR', 'qty INTEGER']],
    ["select o.m['a'].| from local.o", ['a DATE']],
    [
      'select list_transform(tags, (tag, nth) -> ta|) from local.o',
      ['tag VARCHAR · here', 'nth BIGINT · here', 'tags VARCHAR[] · o'],
    ],
    [
      'select list_reduce(tags, (a, b) -> a || b, |) from local.o',
      ['items STRUCT(sku VARCHAR, qty INTEGER)[] · o', 'tags VARCHAR[] · o', 'm MAP(VARCHAR, STRUCT(a DATE)) · o'],
    ],
    ['select items.|', []],
    ['select items[1].|', ['sku VARCHAR', 'qty INTEGER']],
    ['select list_transform(items, x -> x.|)', ['sku VARCHAR', 'qty INTEGER']],
    ['select o.|', ['items STRUCT(sku VARCHAR, qty INTEGER)[]', 'tags VARCHAR[]', 'm MAP(VARCHAR, STRUCT(a DATE))']],
  ])('%s', (marked, found) => expect(names(marked)).toEqual(found))
})

describe('columns, types and tables of statements that change something', () => {
  test.each([
    ['alter table people drop column |', ['age INTEGER · people']],
    ['alter table people rename |', ['age INTEGER · people']],
    ['insert into people (|', ['age INTEGER · people']],
    ['select * exclude (|) from people', ['age INTEGER · people']],
    ['select * rename (|) from people', ['age INTEGER · people']],
  ])('%s', (marked, found) => {
    expect(columns(marked)).toEqual(found)
    expect(texts(marked, 'function')).toEqual([])
  })

  test.each([
    'create table x (a |',
    'create temp table x (a int, b V|',
    'alter table x add column b |',
    'alter table x alter b type |',
  ])('%s', (marked) => expect(at(marked)[0]?.kind).toBe('type'))

  test('MERGE has the columns of both tables', () => {
    expect(columns('merge into recent using people on |')).toEqual(['day DATE · recent', 'age INTEGER · people'])
  })

  test('tables follow USING in MERGE and DELETE, and DROP VIEW', () => {
    for (const marked of ['merge into people using |', 'delete from people using |', 'drop view |'])
      expect(texts(marked, 'local'), marked).toEqual(['local.people'])
  })
})

test('the word at the cursor isn’t suggested as a name of its own', () => {
  expect(at('select * from people wh|').map(({ label }) => label)).not.toContain('wh')
  expect(at('select age, 1 wh|').map(({ label }) => label)).not.toContain('wh')
  expect(columns('select sum(age) over (partition by |')).not.toContain('by of the select list')
})

test('within the quotes of a name there are no keywords or functions', () => {
  expect(at('select "s| from people').filter(({ kind }) => /^(?:function|keyword|snippet)$/.test(kind))).toEqual([])
})

test('an interval’s unit follows its number', () => {
  for (const marked of ['select now() + interval 1 |', "select now() + interval '1' |"])
    expect(texts(marked, 'part'), marked).toContain('month')
  expect(texts("select now() + interval '1 day' |", 'part')).toEqual([])
})
