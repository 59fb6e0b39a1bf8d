import { describe, expect, test } from 'vitest'
import { tokenize } from '../../../../lib/duckdb-sql/index.ts'
import { formatted, placeAfter } from './format.ts'
import { layout } from './layout.ts'

const format = (text: string): string => formatted(text, layout)
const tokens = (text: string): string[] => tokenize(text).map(({ from, to }) => text.slice(from, to))

describe('format', () => {
  test('gives the expected layout', () => {
    expect(format('select a, b from ws.sales.orders o where a > $least and b = #1 order by 1')).toBe(
      'select\n  a,\n  b\nfrom\n  ws.sales.orders o\nwhere\n  a > $least\n  and b = #1\norder by\n  1',
    )
  })

  test.each([
    "select 1_000, x'00', e'it\\'s', $$ a ; b $$, $t$ $$ $t$ from t -- end",
    'with a as (select 1) from a select *',
    'select list_transform(xs, x -> x + 1), list_filter(xs, lambda y: y > 1), [z for z in xs if z > 0] from t',
    "select '2024-01-31'::DATE, a::DECIMAL(10, 2), s.\"b c\", m['k'], xs[1:2], {'a': 1} from t",
    'pivot ws.d.t on year using sum(amount) group by country',
    "select * exclude (a) replace (b + 1 as b), columns(c -> c like 'x%') from t qualify row_number() over (partition by a order by b) = 1",
    '/* one\n   two */ select /* /* nested */ */ 1 -- a\n, 2;\n\nselect 3',
    'from range(10) t(i) select i, i // 2, i ** 2, i % 3, a <=> b, a @> b',
    'create or replace temp table "Sales 2024" as select * from local.orders; summarize "Sales 2024"',
    'select count(*) filter (where a is not null) from a asof join b on a.t >= b.t',
    'select a as "日本", \'🦆\' as ü🦆 from t limit 10 offset 5',
    'select ?, $1, $name from t using sample 10%',
    'explain analyze select 1',
    '',
    '-- only a comment',
  ])('changes no token: %s', (text) => {
    const after = format(text)
    expect(tokens(after)).toEqual(tokens(text))
    expect(format(after)).toBe(after)
  })

  test('refuses a layout with other tokens', () => {
    expect(() => formatted('select 1', () => 'select 2')).toThrow('changed')
    expect(() => formatted('select 1', () => 'select 1 1')).toThrow('changed')
    expect(() => formatted('select 1 - -1', (text) => text.replace('- -', '--'))).toThrow('changed')
    expect(() => formatted("select 'open", layout)).toThrow('closed')
  })

  test('keeps the cursor’s place', () => {
    const before = "select a,bcd from t where x='y'"
    const after = format(before)
    for (const word of ['bcd', 'where', "'y'"])
      expect(placeAfter(before, after, before.indexOf(word) + 1)).toBe(after.indexOf(word) + 1)
    expect(placeAfter(before, after, before.length)).toBe(after.length)
    expect(placeAfter('', '', 0)).toBe(0)
  })
})
