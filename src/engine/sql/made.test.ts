import { expect, it } from 'vitest'
import { MemoryTables } from '../storage/tables.ts'
import { Session } from '../testing/session.ts'
import type { MadeBy, ParameterValue } from './session-types.ts'

/** Statements with what they need; those that fail are meant to. */
const STATEMENTS: readonly (readonly [sql: string, parameters?: Readonly<Record<string, ParameterValue>>])[] = [
  ['CREATE TABLE a AS SELECT $x AS i', { x: { type: 'BIGINT', text: '7' } }],
  ['INSERT INTO a VALUES (8) RETURNING i'],
  ['SELECT count(*) FROM a'],
  ['INSERT INTO none VALUES (1)'],
  ['CREATE TABLE my.stays AS FROM a'],
  ['BEGIN'],
  ['DELETE FROM a'],
  ['SET VARIABLE v = 3'],
  ["SET default_null_order = 'nulls_first'"],
  ['ROLLBACK'],
  ['BEGIN'],
  ['UPDATE a SET i = i + 1'],
  ['CREATE VIEW b AS SELECT sum(i) AS s FROM a'],
  ['COMMIT'],
  ['BEGIN'],
  ['DROP TABLE a'],
  ['SELECT error(i::VARCHAR) FROM range(3) t(i)'],
  ['COMMIT'],
  ['CREATE TABLE IF NOT EXISTS a AS SELECT 1'],
  ['CREATE MACRO twice(n) AS n * 2'],
  ['CREATE SEQUENCE s'],
  ['PREPARE p AS SELECT i FROM a WHERE i > ? ORDER BY i'],
  ['PREPARE gone AS SELECT 1'],
  ['DEALLOCATE gone'],
  ['CREATE SCHEMA other'],
  ["CREATE TABLE other.c (e INTEGER DEFAULT nextval('s'), PRIMARY KEY (e))"],
  ['INSERT INTO other.c (e) VALUES (DEFAULT), (DEFAULT)'],
  ['USE other'],
]
const QUESTIONS = [
  'FROM a ORDER BY i',
  'FROM b',
  'SELECT twice(4)',
  "SELECT getvariable('v')",
  'FROM c',
  'SELECT current_schema()',
  'EXECUTE p(8)',
  'FROM (VALUES (1), (NULL)) v(i) ORDER BY i',
]

it('tells the statements that make a session’s own things again', async () => {
  const storage = new MemoryTables()
  const [first, second] = [await Session.open({ storage }), await Session.open({ storage })]
  const made: MadeBy[] = []
  const failed: string[] = []
  for (const [sql, parameters = {}] of STATEMENTS) {
    const ran = await first.run(sql, { parameters }).catch(() => failed.push(sql))
    if (typeof ran === 'object') made.push(...(ran.summary.made ?? []))
  }
  expect(failed).toEqual(['INSERT INTO none VALUES (1)', 'SELECT error(i::VARCHAR) FROM range(3) t(i)'])
  const left = ['DELETE FROM a', 'DROP TABLE a', 'CREATE TABLE my.stays AS FROM a', 'BEGIN']
  expect(made.map(({ sql }) => sql).filter((sql) => left.includes(sql))).toEqual([])
  for (const { sql, parameters } of made) await second.run(sql, { parameters })
  for (const sql of QUESTIONS) expect((await second.run(sql)).cells, sql).toEqual((await first.run(sql)).cells)
  await expect(second.run('EXECUTE gone')).rejects.toMatchObject({ code: 'sql-not-allowed' })
  await expect(second.run('FROM my.stays')).rejects.toMatchObject({ code: 'unknown-table' })
}, 120_000)
