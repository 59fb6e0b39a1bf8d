import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseStatement, type Query } from './parse.ts'

function shape(query: Query): unknown {
  return {
    ...(query.ctes.length > 0 ? { ctes: query.ctes.map((cte) => [cte.name, ...cte.columns]) } : {}),
    cores: query.cores.map((core) =>
      core.relations.map(
        (relation) =>
          `${relation.query ? '(query)' : relation.path.join('.')}${relation.isFunction ? '()' : ''}${relation.alias ? ` ${relation.alias}` : ''}${relation.columnAliases.length > 0 ? `(${relation.columnAliases.join()})` : ''}`,
      ),
    ),
  }
}
const relations = (text: string): unknown => (shape(parseStatement(text).query) as { cores: unknown[] }).cores

describe('relations', () => {
  test.each([
    ['select * from a', [['a']]],
    ['from a', [['a']]],
    ['from a select x where y', [['a']]],
    [
      'select 1 from ws.sales.orders o join ws.sales."Line Items" as li on o.id = li.id, c',
      [['ws.sales.orders o', 'ws.sales.Line Items li', 'c']],
    ],
    ['select * from a left join b using (id) where x', [['a', 'b']]],
    ['select * from a asof join b b2 on true', [['a', 'b b2']]],
    ['select * from (select 1 as x) s(y) where y', [['(query) s(y)']]],
    ['select * from range(10) r, unnest([1,2]) as u(v)', [['range() r', 'unnest() u(v)']]],
    ['select a is distinct from b from t', [['t']]],
    ['select a is not distinct from b from t', [['t']]],
    ['select extract(year from d) from t', [['t']]],
    ['select 1 from a union all by name select 2 from b', [['a'], ['b']]],
    ['select * from (a join b on a.x = b.x) join c on true', [['a', 'b', 'c']]],
    ['insert into t (a, b) select * from u', [['t', 'u']]],
    ['update t set a = 1', [['t']]],
    ['delete from t where a', [['t']]],
    ['create temp table x as select * from y', [['y']]],
    ['summarize ws.d.t', [['ws.d.t']]],
    ['describe t', [['t']]],
    ['pivot t on a using sum(b)', [['t']]],
    ['select * from alias: tbl', [['tbl alias']]],
    ['select * from a where x in (select 1 from b)', [['a']]],
    ['select * from ', [[]]],
    ['select * from a, ', [['a']]],
    ['select * from ws.', [['ws']]],
    ['select * from ws. where x', [['ws']]],
    ['select * from ws.where', [['ws.where']]],
    ['select * from a join', [['a']]],
    ['select * from (select * from b', [['(query)']]],
    ['from a order by x limit 3', [['a']]],
    ['select * from lateral (select 1) l', [['(query) l']]],
    ['explain analyze select * from a', [['a']]],
  ])('%s', (text, expected) => expect(relations(text)).toEqual(expected))

  test('CTEs are found with their columns', () => {
    expect(
      shape(parseStatement('with a as (select 1), b(x, y) as not materialized (from a) select * from b').query),
    ).toEqual({ ctes: [['a'], ['b', 'x', 'y']], cores: [['b']] })
    expect(
      shape(parseStatement('create table t as with recursive r as (select 1 union all from r) from r').query),
    ).toEqual({ ctes: [['r']], cores: [['r']] })
  })
})

const FRAGMENTS = fc.constantFrom(
  ...`select from where with as ( ) [ ] { } , . ; join on using union all by group order limit a b "c d" 'x' -- /* */ $$ $p ? 1 * + :: : x.y pivot into table values lateral recursive " ' \n`.split(
    ' ',
  ),
)

describe('any text', () => {
  test('is parsed without throwing, with valid positions', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(FRAGMENTS, { maxLength: 60 }).map((parts) => parts.join(' ')),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          const { tokens, query } = parseStatement(text)
          const visit = (inner: Query, lo: number, hi: number): void => {
            expect(inner.lo).toBeGreaterThanOrEqual(lo)
            expect(inner.hi).toBeLessThanOrEqual(hi)
            for (const core of inner.cores) {
              expect(core.lo).toBeLessThanOrEqual(core.hi)
              for (const { span } of core.relations) {
                expect(span.lo).toBeGreaterThanOrEqual(inner.lo)
                expect(span.hi).toBeLessThanOrEqual(inner.hi)
              }
              for (const subquery of core.subqueries) visit(subquery, inner.lo, inner.hi)
            }
          }
          visit(query, 0, tokens.length)
        },
      ),
      { numRuns: 3000 },
    )
  })

  test('may be nested without end', () => {
    expect(() => parseStatement('('.repeat(100_000))).not.toThrow()
    expect(() => parseStatement('select * from ('.repeat(20_000))).not.toThrow()
    expect(() => parseStatement('(]'.repeat(50_000))).not.toThrow()
  })
})
