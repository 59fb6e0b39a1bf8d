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
    "TIMESTAMPTZ '2024-01-01 23:00:00-05' BETWEEN DATE '2024-01-01' AND DATE '2024-01-02'",
    "date_part('timezone_hour', TIMETZ '12:00:00+02')",
  ])('are as in native DuckDB: %s', async (value) => {
    const { rows } = await warehouse.run(given(value))
    expect(rows).toEqual(await nativeRows(given(value)))
  })

  it.each([
    "strptime('2024-01-01 12:00 Europe/Berlin', '%Y-%m-%d %H:%M %Z')",
    "strptime('2024-01-01 12:00 Nowhere/Atall', '%Y-%m-%d %H:%M %Z')",
    "strptime('x', '%Z')",
    "strptime('2024 %CET', '%Y %%%Z')",
    "try_strptime('2024-01-01 12:00 CET', '%Y-%m-%d %H:%M %Z')",
    "try_strptime('2024-01-01 12:00 Foo', ['%Y', '%Y-%m-%d %H:%M %Z'])",
    "'2024-01-01 12:00:00 Europe/Berlin'::TIMESTAMPTZ",
  ])('aren’t read by the names of zones: %s', async (value) => {
    await expect(warehouse.run(given(value))).rejects.toMatchObject({
      code: 'sql-error',
      message: expect.stringMatching(/^Time zones can’t be read by their names here/),
    })
  })

  it.each([
    "TIMESTAMPTZ '2024-01-01 12:00:00+00' AT TIME ZONE 'Europe/Berlin'",
    "timezone('Europe/Berlin', TIMESTAMP '2024-01-01 12:00:00')",
    "hour(TIMESTAMPTZ '2024-01-01 23:00:00-05')",
    "date_trunc('day', TIMESTAMPTZ '2024-01-01 23:00:00-05')",
    "TIMESTAMPTZ '2024-01-01 23:00:00-05' + INTERVAL 1 DAY",
    "TIMESTAMPTZ '2024-01-03 23:00:00-05' - TIMESTAMPTZ '2024-01-01 23:00:00-05'",
    "strftime(TIMESTAMPTZ '2024-01-01 12:00:00+02', '%H %Z')",
    "TIMESTAMPTZ '2024-01-01 23:00:00-05'::DATE",
    "range(TIMESTAMPTZ '2024-01-01 00:00:00+00', TIMESTAMPTZ '2024-01-03 00:00:00+00', INTERVAL 1 DAY)",
  ])('aren’t reckoned with: %s', async (value) => {
    const message =
      'Times with a zone can only be compared and cast here. Cast them to TIMESTAMP first, which gives them in UTC.'
    await expect(warehouse.run(given(value))).rejects.toMatchObject({ code: 'sql-error', message })
  })

  it.each([
    ["'a' COLLATE de < 'b'", 'There is no collation de here.'],
    ["make_timestamptz(2024, 1, 1, 12, 0, 0, 'Europe/Berlin')", 'There is no function make_timestamptz here.'],
    ["'1.2.3.4'::INET", 'There is no type INET here.'],
  ])('%s', async (value, message) => {
    await expect(warehouse.run(given(value))).rejects.toMatchObject({ code: 'sql-error', message })
  })
})
