import { beforeAll, describe, expect, it } from 'vitest'
import { nativeRows } from '../testing/oracle.ts'
import { Warehouse } from '../testing/tables.ts'

/* What DuckDB leaves to its ICU extension: it's done right without, or refused. */

let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await Warehouse.open()
  await nativeRows("SET TimeZone = 'UTC'")
}, 120_000)

const given = (value: string): string =>
  `SELECT x::VARCHAR, typeof(x) FROM (VALUES ('01.02.2024 10:00 X')) AS t(s), (SELECT ${value}) AS v(x)`

describe('times with a zone', () => {
  it.each([
    "strptime('2024-01-01 12:00 %Z', '%Y-%m-%d %H:%M %%Z')",
    "strptime('2024-01-01 12:00 -0530', '%Y-%m-%d %H:%M %z')",
    "try_strptime('2024-01-01 12:00 +02:00', ['%Y', '%Y-%m-%d %H:%M %z'])",
    "try_strptime('x', '%Y')",
    "strptime('2024', NULL::VARCHAR)",
    "(SELECT min(strptime(x, '%d.%m.%Y')) FROM (VALUES ('01.02.2024'), ('31.12.2023')) AS t(x))",
    "strftime(TIMESTAMP '2024-01-01 12:00:00', '%Y %z%Z')",
    "TIMESTAMPTZ '2024-01-01 23:00:00-05'::TIMESTAMP::DATE",
    "TIMESTAMPTZ '2024-01-01 23:00:00-05'::TIMETZ",
    "epoch_ms(TIMESTAMPTZ '2024-01-01 23:00:00-05')",
    "TIMESTAMP '2024-01-01 12:00:00' < TIMESTAMPTZ '2024-01-01 12:00:00+02'",
    "TIMESTAMPTZ '2024-01-01 12:00:00+00' < '2024-01-01 12:00:00 CET'",
    "TIMESTAMPTZ '2024-01-01 23:00:00-05' BETWEEN DATE '2024-01-01' AND DATE '2024-01-02'",
    "date_part('timezone_hour', TIMETZ '12:00:00+02')",
  ])('are as in native DuckDB: %s', async (value) => {
    const { rows } = await warehouse.run(given(value))
    expect(rows).toEqual(await nativeRows(given(value)))
  })

  it.each([
    ["strptime('2024-01-01 12:00 Nowhere/Atall', '%Y-%m-%d %H:%M %Z')", 'There is no time zone “Nowhere/Atall”.'],
    ["strptime('CET 2024', '%Z %Y')", 'Here %Z has to stand last in the format of strptime'],
    ["try_strptime('2024-01-01 12:00 Foo', ['%Y', '%Z %Y-%m-%d %H:%M'])", 'Here %Z has to stand last'],
    ["'2024-01-01 12:00:00 Foo/Bar'::TIMESTAMPTZ", 'There is no time zone “Foo/Bar”.'],
    ["TIMESTAMP '2024-01-01 12:00:00' AT TIME ZONE 'Foo'", 'There is no time zone “Foo”.'],
    ["TIMESTAMPTZ '2024-01-01 12:00:00+00' + 5", 'This can’t be done with a time that has a zone.'],
    [
      "TIMESTAMPTZ '2024-01-01 12:00:00+00'::TIME",
      'A time with a zone can’t be cast to TIME. Cast it to TIMESTAMP first.',
    ],
    ["(SELECT max(s)::TIMESTAMP FROM (VALUES ('2024-01-01')) t(s)) AT TIME ZONE 'Foo'", 'There is no time zone “Foo”.'],
  ])('are refused: %s', async (value, message) => {
    await expect(warehouse.run(given(value))).rejects.toMatchObject({
      code: 'sql-error',
      message: expect.stringContaining(message),
    })
  })

  it.each([
    [
      "'a' COLLATE xx < 'b'",
      'There is no collation xx here: there are languages, such as de, sv and en_US, and NOCASE, NOACCENT and NFC, which dots join.',
    ],
    ["'1.2.3.4'::INET", 'There is no type INET here.'],
  ])('%s', async (value, message) => {
    await expect(warehouse.run(given(value))).rejects.toMatchObject({ code: 'sql-error', message })
  })
})
