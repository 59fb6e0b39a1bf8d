import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createWords } from '../../lib/duckdb-sql/index.ts'
import { Session } from '../testing/session.ts'

let session: Session
beforeAll(async () => {
  session = await Session.open()
}, 120_000)

describe('split', () => {
  it.each<[string, string[]]>([
    ['select \';\' ; -- ;\n select $$;$$; /* ; /* ; */ */ select ";"', ["select ';'", 'select $$;$$', 'select ";"']],
    [';; ;', []],
    ['  -- only', []],
    ['select 1', ['select 1']],
    ['select é😀 ; select $a$ ; $b$ ; $a$;', ['select é😀', 'select $a$ ; $b$ ; $a$']],
    ["select 1; select 'open ; select 2", ['select 1', "select 'open ; select 2"]],
    ["select 1; '", ['select 1', "'"]],
    ['select 1 -- last ; one', ['select 1 -- last ; one']],
  ])('%s', (script, texts) => {
    const statements = session.engine.split(script)
    expect(statements.map(({ text }) => text)).toEqual(texts)
    for (const { from, to, text } of statements) expect(script.slice(from, to)).toBe(text)
  })

  it('takes apart what was put together', () => {
    const piece = fc.constantFrom(
      'SELECT 1',
      "SELECT 'a;b''c'",
      'SELECT "x;""y"',
      'SELECT $$a;b$$',
      'SELECT $t$ ; $t$',
      'SELECT é, 😀 /* ; */ , 2',
      'FROM a.b -- c;\n WHERE x',
      'SELECT $a, $b',
      "SELECT e'\\';x'",
      'VALUES (1), (2)',
      "SELECT x->>'$.a;b'",
      'SELECT 1.5e3',
    )
    const between = fc.constantFrom(';', ' ; ', ';\n', '; -- ;\n', ';;', ';/* ; */')
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, between), { maxLength: 8 }), (parts) => {
        const statements = session.engine.split(parts.map(([text, end]) => text + end).join(''))
        expect(statements.map(({ text }) => text)).toEqual(parts.map(([text]) => text))
      }),
    )
  })

  it('names parameters once, in their order', () => {
    const [first, second] = session.engine.split('SELECT $b, $a, $b, \'$c\', $1, "$d" -- $e\n; SELECT $$ $f $$, $limit')
    expect([first.parameters, second.parameters]).toEqual([['b', 'a', '1'], ['limit']])
    const [marks, prepared] = session.engine.split("SELECT ?, '?', ?::INT; PREPARE p AS SELECT ?, $x")
    expect([marks.parameters, prepared.parameters]).toEqual([['1', '2'], []])
  })
})

describe('parameters', () => {
  const given = (type: string, text: string | null) => ({ x: { type, text } as never })

  it('are any text, unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => text.isWellFormed()),
        async (text) => {
          const { cells } = await session.run('SELECT $x, length($x) >= 0', { parameters: given('VARCHAR', text) })
          expect(cells[0][0]).toBe(text)
        },
      ),
      { numRuns: 60, examples: [["'"], ["''; DROP TABLE x --"], ['\0'], ['a\0b'], ['$x $$ \\'], ['é😀\n\r\t'], ['']] },
    )
  }, 120_000)

  it.each([
    ['BIGINT', '9223372036854775807', 'BIGINT'],
    ['DOUBLE', '1e300', 'DOUBLE'],
    ['DECIMAL(38,9)', '12345678901234567890.123456789', 'DECIMAL(38,9)'],
    ['BOOLEAN', 'true', 'BOOLEAN'],
    ['DATE', '2024-01-31', 'DATE'],
    ['TIMESTAMP', '2024-01-31 01:02:03', 'TIMESTAMP'],
    ['DATE', null, 'DATE'],
  ])('%s %s', async (type, text, name) => {
    const { cells } = await session.run('SELECT $x, typeof($X)', { parameters: given(type, text) })
    expect([cells[0][0] === null ? null : cells[0][0].replace('1e+300', '1e300'), cells[0][1]]).toEqual([text, name])
  })

  it('are also known by their numbers', async () => {
    const parameters = { 1: { type: 'BIGINT', text: '7' }, 2: { type: 'VARCHAR', text: '?' } } as const
    expect((await session.run("SELECT ?, ?, '?'", { parameters })).cells).toEqual([['7', '?', '?']])
    expect((await session.run('SELECT $2, $1 + $1', { parameters })).cells).toEqual([['?', '14']])
  })

  it('stay where they are: not in strings, names and comments', async () => {
    const { cells } = await session.run('SELECT \'$x\', $$ $x $$ -- $x\n, "$x" FROM (SELECT 1 AS "$x") LIMIT $x', {
      parameters: given('BIGINT', '5'),
    })
    expect(cells).toEqual([['$x', ' $x ', '1']])
  })

  it('that are missing or don’t fit are told, where they are', async () => {
    const wrong = (sql: string, type: string, text: string) =>
      session.run(sql, { parameters: given(type, text) }).catch((error: unknown) => error)
    expect(await wrong('SELECT\n  $y', 'BIGINT', '1')).toMatchObject({
      code: 'sql-error',
      message: 'The parameter $y has no value.',
      details: { line: 2, column: 3 },
    })
    expect(await wrong('SELECT $x', 'BIGINT', '1.5')).toMatchObject({
      code: 'sql-error',
      message: expect.stringContaining('whole number') as unknown,
    })
    expect(await wrong('SELECT $x', 'DATE', 'soon')).toMatchObject({ code: 'sql-error' })
    expect(await wrong('SELECT $x,\n nope', 'VARCHAR', 'a\n\nb')).toMatchObject({
      code: 'sql-error',
      details: { line: 2, column: 2 },
    })
    expect(await wrong('SELECT $1', 'VARCHAR', 'a')).toMatchObject({ code: 'sql-error' })
  })
})

describe('dialect', () => {
  it('has the macros that statements made, with their parameters', async () => {
    const own = await Session.open()
    expect(own.engine.macros()).toEqual([])
    await own.run('CREATE MACRO twice(n) AS n * 2, (n, times) AS n * times')
    await own.run('CREATE TEMP MACRO first_rows(of_table, n := 10) AS TABLE FROM query_table(of_table) LIMIT n')
    expect(own.engine.macros()).toMatchObject([
      { name: 'first_rows', kind: 'table', signatures: ['(of_table, n)'] },
      { name: 'twice', kind: 'macro', signatures: ['(n)', '(n, times)'] },
    ])
    expect(createWords(own.engine.dialect(), own.engine.macros()).functionNamed('TWICE')?.signatures).toHaveLength(2)
    await own.run('DROP MACRO twice')
    expect(own.engine.macros().map(({ name }) => name)).toEqual(['first_rows'])
  })

  it('has what statements can use', () => {
    const { keywords, types, functions } = session.engine.dialect()
    expect(keywords).toContain('select')
    expect(types).toContain('VARCHAR')
    const byName = new Map(functions.map((each) => [each.name, each]))
    expect(byName.get('substr')).toMatchObject({
      kind: 'scalar',
      signatures: expect.arrayContaining(['(string VARCHAR, start BIGINT) → VARCHAR']) as unknown,
      description: expect.stringContaining('substring') as unknown,
    })
    expect(byName.get('sum')?.kind).toBe('aggregate')
    for (const name of [
      'range',
      'read_csv',
      'glob',
      'duckdb_tables',
      'current_setting',
      'nextval',
      'currval',
      'getvariable',
    ])
      expect(byName.has(name), name).toBe(true)
    for (const name of ['read_text', 'duckdb_secrets', 'pg_get_viewdef', 'getenv', '__json_lists'])
      expect(byName.has(name), name).toBe(false)
    expect(JSON.stringify(functions)).not.toContain('[object')
  })
})
