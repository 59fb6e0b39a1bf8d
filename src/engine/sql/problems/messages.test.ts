import { beforeAll, describe, expect, it } from 'vitest'
import type { EngineError } from '../../errors.ts'
import { nativeText } from '../../testing/oracle.ts'
import { Session } from '../../testing/session.ts'

let session: Session
beforeAll(async () => {
  session = await Session.open()
}, 120_000)

const failure = (sql: string): Promise<EngineError> =>
  session.run(sql).then(
    () => expect.fail('it ran'),
    (error: unknown) => error as EngineError,
  )

describe('messages', () => {
  it.each([
    ['SELECT 1::FOO', 'There is no type FOO here.'],
    ['CREATE TABLE q (a FOO)', 'There is no type FOO here.'],
    ["SELECT 'a' COLLATE foo < 'b'", 'There is no collation foo here: there are NOCASE, NOACCENT and NFC'],
    ["SELECT 'a' COLLATE de < 'b'", 'There is no collation de here: there are NOCASE, NOACCENT and NFC'],
    ['SELECT foo(1)', 'There is no function foo here.'],
    ["SELECT icu_sort_key('a', 'de')", 'ORDER BY name COLLATE NOCASE.NOACCENT puts ä and Ä beside a.'],
    ['SELECT j.a FROM (SELECT \'{"a":1}\'::JSON AS j)', "write j ->> 'a' for the text there, j -> 'a' for JSON"],
    ["SELECT j['a'] FROM (SELECT '{}'::JSON AS j)", "If it’s JSON, write -> 'a' instead of ['a']."],
    ['FROM foo(1)', 'There is no table function foo here.'],
    ["SELECT 1 + 'a'::VARCHAR", 'There is no INTEGER + VARCHAR. Cast one side to a type that fits the other.'],
    ["SELECT [1] + {'a': 1}", 'There is no INTEGER[] + STRUCT(a INTEGER).'],
    [
      "SELECT substr(5, 'a', [1])",
      'There is no substr(INTEGER, VARCHAR, INTEGER[]). There is substr(VARCHAR, BIGINT, BIGINT). Cast',
    ],
    [
      "SELECT sum('a')",
      'There is no sum(VARCHAR). There is sum(DECIMAL), sum(BOOLEAN), sum(SMALLINT), and 5 more. Cast',
    ],
  ])('are short and name what there is: %s', async (sql, message) => {
    expect((await failure(sql)).message).toContain(message)
  })

  it.each([
    ['INSTALL json', 'what json does is built in'],
    ["LOAD 'icu'", 'what icu does is built in'],
    ['INSTALL spatial', 'nothing is fetched'],
  ])('tell of extensions: %s', async (sql, message) => {
    expect((await failure(sql)).message).toContain(message)
  })

  it.each(['SET TimeZone = Europe/Berlin', 'SET TIME ZONE INTERVAL 2 HOURS'])('tell of the zone: %s', async (sql) => {
    expect((await failure(sql)).remedy).toContain("Write SET TimeZone = 'Europe/Berlin'")
  })
})

describe('collations', () => {
  it.each([
    "SELECT 'a' COLLATE NOCASE = 'A', 'é' COLLATE NOACCENT = 'e', 'Á' COLLATE NOCASE.NOACCENT = 'a', 'e\u0301' COLLATE NFC = 'é'",
    "SELECT x FROM (VALUES ('b'), ('A'), ('a'), ('Á'), ('ä'), ('Z')) t(x) ORDER BY x COLLATE NOCASE.NOACCENT, x",
    "SELECT count(*) FROM (VALUES ('a'), ('A'), ('á')) t(x) GROUP BY x COLLATE NOCASE ORDER BY 1",
    "SELECT min(x COLLATE NOCASE) FROM (VALUES ('b'), ('A')) t(x)",
  ])('are as in native DuckDB: %s', async (sql) => {
    expect((await session.run(sql)).cells).toEqual(await nativeText(sql))
  })
})
