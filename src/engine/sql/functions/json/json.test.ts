import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { nativeSession, nativeText, nativeTypes } from '../../../testing/oracle.ts'
import { MemoryTables } from '../../../storage/tables.ts'
import { Session } from '../../../testing/session.ts'
import { JsonDocument } from './document.ts'
import { JSON_EXPRESSIONS } from './expressions.ts'
import { readPath } from './path.ts'

let session: Session
beforeAll(async () => {
  session = await Session.open()
}, 120_000)

describe.each(Object.entries(JSON_EXPRESSIONS))('JSON: %s', (_, expressions) => {
  it('is as in native DuckDB', async () => {
    const found: unknown[] = []
    const wanted: unknown[] = []
    for (const expression of expressions) {
      const sql = `SELECT (${expression})::VARCHAR AS v`
      const [[own]] = (await session.run(sql).catch((error: unknown) => ({ cells: [[String(error)]] }))).cells
      found.push([expression, own])
      wanted.push([expression, (await nativeText(sql))[0][0]])
    }
    expect(found).toEqual(wanted)
  }, 120_000)
})

describe('JSON: tables', () => {
  const tables = [
    ...[
      '{"a":1,"b":[1,2],"c":{"x":null}}',
      '[10,"x"]',
      '5',
      '{}',
      '{"a b":{"c\\"d":[1],"e.f":2,"":4}}',
      '{"a":[[[1]]]}',
    ].flatMap((json) => [`FROM json_each('${json}')`, `FROM json_tree('${json}')`]),
    `FROM json_each('{"a":{"b":[5]}}', '$.a')`,
    `FROM json_tree('{"a":{"b":[5, {"c":1}]}}', '$.a.b')`,
    `FROM json_each('{"a":1}', '$.q')`,
    `SELECT t.i, e.key, e.value FROM (VALUES (1, '{"a":1,"b":2}'), (2, '[7]'), (3, NULL)) t(i, j), json_each(t.j) e ORDER BY ALL`,
    `SELECT json_group_array(x), json_group_object(k, x) FROM (VALUES ('a', 1), ('b', NULL)) t(k, x)`,
    `SELECT k, json_group_array(x) FROM (VALUES ('a', 1), ('b', 2), ('a', 3)) t(k, x) GROUP BY k ORDER BY k`,
    `SELECT json_group_array(1) FROM range(0)`,
    `SELECT json_group_array(json_object('a', x, 'b', j -> 'q')) AS "a) b" FROM (VALUES (1, '{}'), (2, '{"q":[1]}')) t(x, j)`,
    `SELECT json_object(j ->> 'k', j -> 'v', 'n', json_array()) FROM (VALUES ('{"k":"x","v":{"y":1}}')) t(j)`,
    `SELECT json_group_structure(t) FROM (VALUES ('{"a":1}'), (NULL)) v(t)`,
    `SELECT json_group_structure(j) FROM (VALUES ('{"a":1}'::JSON), ('{"a":-1,"b":[true]}'::JSON)) t(j)`,
    `SELECT json_transform(j, '{"a":"INTEGER","b":["DATE"]}')::VARCHAR, from_json(j, '{"a":"VARCHAR"}')::VARCHAR FROM (VALUES ('{"a":1}'), ('{"a":"x","b":["2024-01-02",5]}'), (NULL)) t(j)`,
    `SELECT unnest(json_transform(j, '[{"k":"VARCHAR","v":"DOUBLE"}]'), recursive := true) FROM (VALUES ('[{"k":"x","v":1},{"k":"y"}]')) t(j)`,
    `SELECT s::JSON, CAST(t.l AS JSON), json_group_array(s::JSON) FROM (SELECT {'a': 1} AS s, [1, 2] AS l) t GROUP BY s::JSON, l`,
    `SELECT j ->> 'a' AS a, count(*) FROM (VALUES ('{"a":"x"}'), ('{"a":"y"}'), ('{"a":"x"}'), (NULL)) t(j) GROUP BY a ORDER BY a`,
  ]
  it.each(tables)('%s', async (sql) => {
    expect((await session.run(sql)).cells).toEqual(await nativeText(sql))
  })
})

describe('JSON: a type', () => {
  const statements = [
    `CREATE TABLE of_json (i INTEGER, j JSON)`,
    `INSERT INTO of_json VALUES (1, '{"a": {"b": [1, "x"]}, "c": "y z"}'), (2, {'a': 1, 'c': [DATE '2024-01-02']}), (3, [1.5, NULL]), (4, 5), (5, NULL), (6, 'null'), (7, MAP {'k': {'v': 2::DECIMAL(5,1)}})`,
    `FROM of_json`,
    `SELECT j.a, j.a.b, j['a'], j[0], j.a.b[0], of_json.j.c FROM of_json`,
    `SELECT typeof(j), typeof(j.a), typeof([j]), typeof({'j': j}), typeof(max(j)), typeof(coalesce(j, '{}')) FROM of_json GROUP BY j`,
    `SELECT json_object('i', i, 'j', j), json_array(j, [j]), to_json({'j': j}), to_json([j, NULL]), row_to_json(of_json) FROM of_json`,
    `SELECT json_group_array(j), json_group_object(i, j) FROM of_json`,
    `WITH w AS (SELECT j -> 'a' AS v, j ->> 'c' AS t FROM of_json) SELECT json_object('v', v, 't', t) FROM w`,
    `CREATE VIEW over_json AS SELECT i, j.a AS v FROM of_json`,
    `SELECT json_array(v) FROM over_json`,
    `DESCRIBE over_json`,
    `SELECT j, upper(j), length(j), j LIKE '%a%', j || '' FROM of_json WHERE j = '5' OR j.c = '"y z"'`,
    `SELECT CASE WHEN i = 1 THEN j ELSE '1' END FROM of_json UNION ALL SELECT '[2]'`,
    `SELECT i, e.key, e.value, e.atom, typeof(e.value) FROM of_json, json_each(j) e ORDER BY ALL`,
    `SELECT [j]::VARCHAR, {'j': j}::VARCHAR FROM of_json`,
    `SELECT '"5"'::JSON::INTEGER, '1.5'::JSON::INTEGER, 'true'::JSON::INTEGER, 'null'::JSON::INTEGER, '7'::JSON::DOUBLE, '0'::JSON::BOOLEAN, '1.25'::JSON::DECIMAL(5,1), '"7.5"'::JSON::DECIMAL(4,1)`,
    `SELECT '"2024-01-02"'::JSON::DATE, '"10:00"'::JSON::TIME, '"2024-01-02 10:00:00+02"'::JSON::TIMESTAMPTZ, '"1 day"'::JSON::INTERVAL`,
    `SELECT '[1,null,"3"]'::JSON::INTEGER[], '[[1],[2,null]]'::JSON::INTEGER[][], '[]'::JSON::VARCHAR[], 'null'::JSON::VARCHAR[]`,
    `SELECT '{"a":"1","b":{"x":["it''s, [x] {y}: =",null]},"c":[1,{"d":2}],"e":[{"f":1}]}'::JSON::STRUCT(a INTEGER, b STRUCT(x VARCHAR[]), c JSON[], e JSON)`,
    `SELECT ('{"x":["' || chr(92) || chr(92) || chr(92) || '""]}')::JSON::STRUCT(x VARCHAR[])`,
    `SELECT '{"a":1,"it''s":null}'::JSON::MAP(VARCHAR, INTEGER), '{}'::JSON::MAP(VARCHAR, INTEGER)`,
    `SELECT '[1, {"a": "b,c"}, null, "x"]'::JSON[], '[1,null]'::JSON::JSON[], ['1', '"x"']::JSON[], [{'a': 1}]::JSON[], {'a': 1}::STRUCT(a JSON)`,
    `SELECT TRY_CAST('{"a":"x","z":1}'::JSON AS STRUCT(a INTEGER, b INTEGER)), TRY_CAST('[1]'::JSON AS STRUCT(a INTEGER)), TRY_CAST('{}'::JSON AS INTEGER[]), TRY_CAST('[1,"x"]'::JSON AS INTEGER[]), TRY_CAST('x' AS JSON), TRY_CAST('[' AS JSON[])`,
    `SELECT count(*), sum((s.a)::INTEGER), max(s.b) FROM (SELECT ('{"a":' || i || ',"b":"a longer text"}')::JSON::STRUCT(a JSON, b VARCHAR) AS s FROM range(10000) t(i))`,
    `UPDATE of_json SET j = json_merge_patch(j, '{"c":null}') WHERE i = 1 RETURNING j, [j]`,
  ]

  it('is what native DuckDB has', async () => {
    const own = await Session.open()
    const native = await nativeSession()
    for (const sql of statements) {
      const gives = /^(?:SELECT|FROM|WITH)/.test(sql)
      const asked = gives ? `SELECT COLUMNS(*)::VARCHAR FROM (${sql})` : sql
      if (/^(?:CREATE|INSERT)/.test(sql)) await Promise.all([own.change(sql), native(sql)])
      else expect([sql, (await own.run(asked)).cells]).toEqual([sql, await native(asked)])
    }
  }, 120_000)

  it.each([
    [`'x'::JSON`, 'Malformed JSON at byte 0'],
    [`('x' || '')::JSON`, 'Malformed JSON at byte 0'],
    [`'[1'::JSON[]`, 'Malformed JSON at byte 2'],
    [`'{"a":1,"z":2}'::JSON::STRUCT(a INTEGER)`, 'has unknown key "z"'],
    [`'{"a":1}'::JSON::STRUCT(a INTEGER, b INTEGER)`, 'does not have key "b"'],
    [`'[1]'::JSON::STRUCT(a INTEGER)`, 'Expected OBJECT, but found ARRAY: [1]'],
    [`'{"a":1}'::JSON::INTEGER[]`, 'Expected ARRAY, but found OBJECT'],
    [`'"x"'::JSON::INTEGER`, "Could not convert string 'x'"],
  ])('%s says what is wrong', async (expression, message) => {
    await expect(session.run(`SELECT ${expression}`)).rejects.toThrow(message)
    // The engine goes on.
    expect((await session.run(`SELECT '[1]'::JSON::INTEGER[]`)).cells).toEqual([['[1]']])
  })
})

describe('JSON: columns', () => {
  it('have the names of the calls that made them', async () => {
    const calls = [`json_transform('{"a":"it''s"}', '{"a":"VARCHAR"}')`, `from_json( '[1]' , '["INTEGER"]' )`]
    const { result } = await session.run(`SELECT ${calls.join(', ')}, 1 + 1`)
    expect(result.columns.map(({ name }) => name)).toEqual([...calls, '(1 + 1)'])
  })

  it.each([
    `json_array(1, 'x', NULL, [2])`,
    `json_array()`,
    `json_object('k', [1, 2], 'l', json_array('a'))`,
    `json_object('k', to_json(1))`,
    `to_json(json('1'))`,
    `json_type('{}', ['$.a'])`,
    `json_extract('{"a":[1]}', '$.a[*]')`,
    `json_extract_string('{"a":[1]}', ['$.a', '$.b'])`,
    `TRY_CAST('[1]' AS json)`,
    `{'a': 1}::json`,
    `x::json FROM (SELECT 1 AS x)`,
  ])('are called as native DuckDB calls them: %s', async (expression) => {
    const { result } = await session.run(`SELECT ${expression}`)
    const [[name]] = await nativeTypes(`SELECT ${expression}`)
    expect(result.columns[0].name).toBe(name)
  })
})

describe('JSON: random documents', () => {
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`
  const document = fc
    .jsonValue({ maxDepth: 3 })
    // The engine ends a statement's text at this character.
    .map((value) => JSON.stringify(value, null, 1).replaceAll('\\u0000', ''))
  const name = fc.constantFrom('a', 'b', '$', '$[0]', '$.a[0]', '$[-1]', '/0/a', '$.a.b')

  it('give what native DuckDB gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ document, other: document, name }), { minLength: 40, maxLength: 40 }),
        async (cases) => {
          const rows = cases.map((each, i) => `(${i}, ${text(each.document)}, ${text(each.other)}, ${text(each.name)})`)
          // Without json_pretty: native DuckDB doesn't indent whole numbers beyond 64 bits.
          const functions = ['json(d)', 'd ->> p', 'json_type(d)', 'json_structure(d)', 'json_keys(d)']
            .concat(['json_merge_patch(d, o)', 'json_contains(d, o)', 'json_array_length(d)', 'to_json([d, o])'])
            .concat(["to_json({'x y': d, 'z': [MAP {o: p}]})", 'json_array(d::JSON, o)', 'json_exists(d, p)'])
          const sql = `SELECT ${functions.map((each, i) => `(${each})::VARCHAR AS f${i}`).join(', ')} FROM (VALUES ${rows.join(', ')}) t(i, d, o, p) ORDER BY i`
          expect((await session.run(sql)).cells).toEqual(await nativeText(sql))
          const tree = `SELECT t.i, e.* FROM (VALUES ${rows.join(', ')}) t(i, d, o, p), json_tree(t.d) e ORDER BY t.i, e.id`
          expect((await session.run(tree)).cells).toEqual(await nativeText(tree))
        },
      ),
      { numRuns: 3, endOnFailure: true },
    )
  }, 120_000)
})

describe('JSON: what can’t be', () => {
  const failure = async (sql: string): Promise<string> =>
    session.run(sql).then(
      () => 'it ran',
      (error: unknown) => (error as Error).message,
    )

  it('says what is wrong and where', async () => {
    expect(await failure(`SELECT 'not json' -> 'a'`)).toContain('Malformed JSON at byte 0')
    expect(await failure(`SELECT json_extract('{"a"', 'a')`)).toContain('Malformed JSON at byte 4')
    expect(await failure(`SELECT json('[1] x')`)).toContain('Malformed JSON at byte 4')
    expect(await failure(`SELECT json('{"a":1,}')`)).toContain('Malformed JSON at byte 7')
    expect(await failure(`SELECT json_extract('{}', '$.a[')`)).toContain("JSON path error near '['")
    expect(await failure(`SELECT '[1]' -> '$[*]'`)).toContain('json_extract')
    expect(await failure(`SELECT json_extract('[1]', '$[#-]')`)).toContain("JSON path error near '[#-]'")
    expect(await failure(`SELECT json_extract('[1]', '$...k')`)).toContain("JSON path error near '...k'")
    expect(await failure(`SELECT json_extract('[[1]]', ['$[*]', '$[0]'])`)).toContain(
      'give $[*] to the function by itself',
    )
    expect(await failure(`SELECT '42'::UNION(u VARCHAR)::JSON`)).toContain('JSON can’t be made of UNION')
    expect(await failure(`SELECT to_json(row(1, 2))`)).toContain('whose fields have names')
    for (const [path, message, remedy] of [
      ['1.5', 'has to be a text', 'Cast the path to VARCHAR.'],
      [`'a' = '1'`, 'is a comparison', `Put the arrow in parentheses: (json ->> 'a') = 'x'.`],
      [`['a', 'b']`, 'is a list', `Give it to a function: json_extract(json, ['a', 'b']).`],
    ])
      await expect(session.run(`SELECT '{"a":1}' -> ${path}`)).rejects.toMatchObject({
        message: expect.stringContaining(message) as unknown,
        remedy,
      })
    const transform = (json: string, structure: string) =>
      failure(`SELECT json_transform_strict('${json}', '${structure}')`)
    expect(await transform('{"a":1}', '{"a":"INTEGER","b":"INTEGER"}')).toContain('Nothing stands at $."b" in {"a":1}')
    expect(await transform('{"a":5}', '{"a":["INTEGER"]}')).toContain('Expected ARRAY at $."a", but found UBIGINT')
    expect(await transform('{"a":"x"}', '{"a":"INTEGER"}')).toContain("Could not convert string 'x'")
    expect(await transform('{}', '{}')).toContain('at least one key')
    expect(await transform('{}', '{"":"INTEGER"}')).toContain('can’t be empty')
    expect(await transform('{}', '{"a":"INTEGER) FROM x; --"}')).toContain('is no type')
    expect(await transform('{}', '{"a":"NOPE"}')).toContain('NOPE')
    expect(await failure(`SELECT from_json('{}', s) FROM (VALUES ('{"a":"INTEGER"}')) t(s)`)).toContain(
      'has to be a text in the statement',
    )
  })
})

it('calls a column of a table by the cast that made it, as native DuckDB does', async () => {
  await session.change(
    `CREATE TABLE cast_to AS SELECT s::JSON, TRY_CAST(t.l AS JSON) FROM (SELECT {'a': 1} AS s, [1] AS l) t`,
  )
  const { cells } = await session.run('SELECT column_name FROM (DESCRIBE cast_to)')
  expect(cells).toEqual([['CAST(s AS "JSON")'], ['TRY_CAST(t.l AS "JSON")']])
})

it.each(['Made Of', 'my.kept'])(
  'calls the columns of the table %s as native DuckDB calls the query’s',
  async (name) => {
    const query = `SELECT upper(x)::json, TRY_CAST(x || '' AS json), json_array(x, 1) AS named, json_array(x), json_array(x),
    json_object('k', [x]) || '', date_part(['year'], DATE '2024-01-01'), "__json_y" FROM (SELECT '1' AS x, 2 AS "__json_y")`
    const table = name.includes('.') ? name : `"${name}"`
    const keeping = await Session.open({ storage: new MemoryTables() })
    await keeping.run(`CREATE OR REPLACE TABLE ${table} AS ${query}`)
    const { cells } = await keeping.run(`SELECT column_name FROM (DESCRIBE ${table})`)
    const native = await nativeSession()
    await native(`CREATE TABLE t AS ${query}`)
    expect(cells).toEqual(await native('SELECT column_name FROM (DESCRIBE t)'))
  },
)

it('calls the columns of what DESCRIBE and SUMMARIZE are about, and of views, as native DuckDB does', async () => {
  const query = `SELECT json_array(x), json_object('k', to_json(x)), x, json_extract(x::VARCHAR, ['a']),
    strptime('2024-01-01 UTC', '%Y-%m-%d %Z'), json_array(x) FROM range(2) t(x)`
  const native = await nativeSession()
  const views = [`CREATE VIEW called AS ${query}`, `CREATE VIEW called_in_part (first) AS ${query}`]
  for (const sql of views) {
    await session.change(sql)
    await native(sql)
  }
  for (const [name] of await native('SELECT column_name FROM (DESCRIBE called)'))
    expect((await session.run(`SELECT "${name}" FROM called`)).cells.length).toBe(2)
  for (const what of [
    "DESCRIBE SELECT to_json(json('1'))",
    `DESCRIBE ${query}`,
    `SUMMARIZE ${query}`,
    'DESCRIBE called',
    'DESCRIBE called_in_part',
  ]) {
    const names = (rows: readonly (readonly (string | null)[])[]) => rows.map(([name]) => name)
    expect([what, ...names((await session.run(what)).cells)]).toEqual([what, ...names(await native(what))])
  }
})

it('finds all within an array of any length', () => {
  const document = new JsonDocument()
  const root = document.read(new TextEncoder().encode(`[${'1,'.repeat(299_999)}1]`))
  expect(document.findAll(root, readPath('$..*')).length).toBe(300_000)
})
