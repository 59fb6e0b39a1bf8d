import { beforeAll, describe, expect, it } from 'vitest'
import { nativeSession } from '../../../testing/oracle.ts'
import { Session } from '../../../testing/session.ts'

/* The session's zone, as a person sets it. Native DuckDB is the judge. */

let session: Session
let native: Awaited<ReturnType<typeof nativeSession>>
beforeAll(async () => {
  session = await Session.open()
  native = await nativeSession()
  await both("SET TimeZone = 'Europe/Berlin'")
  await both(`CREATE TABLE times (i INTEGER, z TIMESTAMPTZ, ts TIMESTAMP, d DATE, s VARCHAR)`)
  await both(`INSERT INTO times SELECT i, ts + to_hours(i % 5), ts, ts::DATE, ts::VARCHAR
    FROM (SELECT i::INTEGER AS i, TIMESTAMP '2024-03-30 22:15:00' + to_minutes(i * 37) AS ts FROM range(200) r(i))`)
}, 120_000)

async function both(sql: string): Promise<void> {
  await native(sql)
  await session.change(sql)
}

const asText = (sql: string): string => `SELECT COLUMNS(*)::VARCHAR FROM (${sql})`

describe('a session in Europe/Berlin', () => {
  it.each([
    "SELECT name, value FROM duckdb_settings() WHERE name IN ('TimeZone', 'Calendar') ORDER BY ALL",
    // Casts that nobody writes.
    'FROM times ORDER BY i',
    'SELECT i FROM times WHERE z = ts ORDER BY i',
    'SELECT i FROM times WHERE z > d + 1 ORDER BY i',
    'SELECT i FROM times WHERE z BETWEEN ts AND d + INTERVAL 1 DAY ORDER BY i',
    "SELECT i FROM times WHERE z IN ('2024-03-31 03:00:00', '2024-03-30 22:15') ORDER BY i",
    "SELECT count(*) FROM times WHERE z >= '2024-03-31' AND z < '2024-04-01'",
    'SELECT z FROM times UNION ALL SELECT ts FROM times UNION ALL SELECT d FROM times ORDER BY ALL',
    'SELECT coalesce(z, ts), ifnull(NULL, z), CASE WHEN i % 2 = 0 THEN z ELSE ts END FROM times ORDER BY i',
    'SELECT greatest(z, ts), least(z, ts), [z, ts], {a: z}, MAP {z: 1}, list_contains([z], ts) FROM times ORDER BY i',
    "SELECT 'at ' || z, concat(z, d), format('{}', z), printf('%s', z::VARCHAR), string_agg(z, ';') FROM times GROUP BY ALL ORDER BY ALL",
    'SELECT a.i, b.i FROM times a JOIN times b ON a.z = b.ts ORDER BY ALL',
    'SELECT a.i, b.i FROM times a ASOF JOIN times b ON a.z >= b.ts ORDER BY ALL',
    'SELECT z::DATE AS day, count(*), min(z), max(ts::TIMESTAMPTZ) FROM times GROUP BY day ORDER BY day',
    'SELECT s::TIMESTAMPTZ, TRY_CAST(s || $$x$$ AS TIMESTAMPTZ), z::TIMESTAMP, z::TIMETZ, ts::TIMESTAMPTZ::VARCHAR FROM times ORDER BY i',
    'SELECT [s]::TIMESTAMPTZ[], {a: s}::STRUCT(a TIMESTAMPTZ), [z]::VARCHAR[], {a: z}::VARCHAR FROM times ORDER BY i',
    'SELECT ts::TIMESTAMP_S::TIMESTAMPTZ, ts::TIMESTAMP_MS::TIMESTAMPTZ, ts::TIMESTAMP_NS::TIMESTAMPTZ FROM times ORDER BY i',
    "SELECT TIMETZ '10:00:00', '2024-07-01 10:00:00'::TIMETZ, TIME '10:00:00'::TIMETZ, '10:00:00+05'::TIMETZ",
    "SELECT '2024-07-01'::TIMESTAMPTZ, '2024-07-01 10:00'::TIMESTAMPTZ, '2024-07-01T10:00:00Z'::TIMESTAMPTZ, 'infinity'::TIMESTAMPTZ, 'epoch'::TIMESTAMPTZ",
    "SELECT '0044-03-15 (BC) 12:00:00'::TIMESTAMPTZ, '290000-01-01 00:00:00'::TIMESTAMPTZ, '-infinity'::TIMESTAMPTZ::DATE",
    // Functions.
    "SELECT date_trunc('day', z), date_trunc('hour', z), date_trunc('week', z), date_trunc('month', z) FROM times ORDER BY i",
    "SELECT date_part('hour', z), extract(epoch FROM z), extract(timezone FROM z), hour(z), dayname(z), last_day(z) FROM times ORDER BY i",
    "SELECT date_diff('day', d, z), date_diff('hour', ts, z), date_sub('day', ts, z), age(z, ts), z - ts, z - d FROM times ORDER BY i",
    "SELECT z + INTERVAL 1 DAY, z - INTERVAL 1 MONTH, INTERVAL 90 MINUTE + z, z + INTERVAL '1 day 2 hours', z - INTERVAL '1 day 2 hours', z + INTERVAL '1 day -2 hours', z + INTERVAL '-1 month 1 day 3 hours' FROM times ORDER BY i",
    "SELECT time_bucket(INTERVAL 1 DAY, z), time_bucket(INTERVAL 1 DAY, z, 'Europe/Berlin') FROM times ORDER BY i",
    "SELECT strftime(z, '%d.%m.%Y %H:%M %z %Z'), strftime(z, '%U %W %V %G %j %-j %-d %-m %y %-H %-I %p %u %w %g %f %c %x %X %%') FROM times ORDER BY i",
    "SELECT strptime('2024-07-01 12:00', '%Y-%m-%d %H:%M')::TIMESTAMPTZ, strptime('2024-07-01 12:00 Asia/Tokyo', '%Y-%m-%d %H:%M %Z'), strptime('2024-07-01 12:00 +05', '%Y-%m-%d %H:%M %z')",
    "FROM range(TIMESTAMPTZ '2024-03-30 12:00', TIMESTAMPTZ '2024-04-02 12:00', INTERVAL 1 DAY)",
    "FROM generate_series(TIMESTAMPTZ '2024-10-26', TIMESTAMPTZ '2024-10-28', INTERVAL 6 HOURS) AS t(x)",
    "SELECT unnest(generate_series(TIMESTAMPTZ '2024-01-31', TIMESTAMPTZ '2024-06-30', INTERVAL 1 MONTH))",
    'SELECT i, r.range FROM times, range(z, z + INTERVAL 3 HOUR, INTERVAL 1 HOUR) r ORDER BY ALL',
    'SELECT make_timestamptz(2024, 7, 1, 12, 0, 0), make_timestamptz(1000000), to_timestamp(0), make_timestamptz(2024, 7, 1, 12, 0, 0, $$Asia/Tokyo$$)',
    "SELECT z AT TIME ZONE 'America/New_York', ts AT TIME ZONE 'America/New_York', timezone('UTC', z) FROM times ORDER BY i",
    "SELECT current_setting('TimeZone'), current_date = now()::DATE, today() = current_date, now()::TIMESTAMP::DATE = current_date",
    'SELECT quantile_cont(z, 0.5), median(z), mode(z), avg(z), arg_min(z, ts), histogram(z::DATE) FROM times',
    'SELECT lag(z) OVER (ORDER BY z), count(*) OVER (ORDER BY z RANGE BETWEEN INTERVAL 1 HOUR PRECEDING AND CURRENT ROW) FROM times ORDER BY ALL',
    'SELECT count(*) FROM (SELECT ts::TIMESTAMPTZ AS x FROM times) WHERE x < $$2024-03-30 22:00:00+00$$',
    'SELECT count(*), min(x), max(x) FROM (SELECT d::TIMESTAMPTZ AS x FROM times) WHERE x = date_trunc($$day$$, x)',
  ])('gives what native DuckDB gives: %s', async (sql) => {
    expect((await session.run(asText(sql))).cells).toEqual(await native(asText(sql)))
  })

  it('reads what is written into tables, and their constraints and defaults', async () => {
    await both("CREATE TABLE made (z TIMESTAMPTZ DEFAULT '2024-07-01 12:00:00', d DATE, CHECK (z > '2000-01-01'))")
    await both("INSERT INTO made (d) VALUES ('2024-07-02')")
    await both(
      "INSERT INTO made VALUES (TIMESTAMP '2024-01-01 12:00:00', TIMESTAMPTZ '2023-12-31 23:30:00+00'::DATE), ('2024-01-01', NULL)",
    )
    await both("UPDATE made SET d = z::DATE WHERE z < '2024-01-01 12:00'")
    expect((await session.run(asText('FROM made ORDER BY z'))).cells).toEqual(
      await native(asText('FROM made ORDER BY z')),
    )
  })

  it('sees views and prepared statements in the zone that it has then', async () => {
    await both('CREATE VIEW days AS SELECT z::VARCHAR AS z, z::DATE AS d FROM times')
    await session.change('PREPARE of_day AS SELECT count(*) FROM times WHERE z::DATE = ?')
    await both("SET TimeZone = 'Asia/Tokyo'")
    const sql = 'SELECT z, d::VARCHAR FROM days ORDER BY ALL'
    expect((await session.run(sql)).cells).toEqual(await native(sql))
    expect((await session.run("EXECUTE of_day(DATE '2024-04-01')")).cells).toEqual([
      [(await native("SELECT count(*)::VARCHAR FROM times WHERE z::DATE = DATE '2024-04-01'"))[0][0]],
    ])
    await both("SET TimeZone = 'Europe/Berlin'")
  })
})

describe('the setting', () => {
  it.each([
    ["SET TimeZone = 'America/New_York'", 'America/New_York'],
    ["SET SESSION timezone TO 'asia/tokyo'", 'Asia/Tokyo'],
    ["SET TIME ZONE 'Europe/London'", 'Europe/London'],
    ["PRAGMA TimeZone = 'CET'", 'CET'],
    ['RESET TimeZone', 'UTC'],
  ])('is made by %s', async (sql, name) => {
    const own = await Session.open()
    await own.change("SET TimeZone = 'Europe/Berlin'")
    expect(await own.change(sql)).toBe(`Times with a zone are read and shown in ${name}, until this tab closes.`)
    const { cells, result } = await own.run("SELECT current_setting('TimeZone')")
    expect(cells).toEqual([[name]])
    expect(result.columns[0].name).toBe("current_setting('TimeZone')")
  })

  it('is no zone that there isn’t', async () => {
    await expect(session.change("SET TimeZone = 'Europe/Nowhere'")).rejects.toMatchObject({
      code: 'sql-not-allowed',
      message: 'There is no time zone “Europe/Nowhere”.',
    })
    await expect(session.change('SET TimeZone = 2')).rejects.toMatchObject({ code: 'sql-not-allowed' })
  })

  it('gives a row of parts of instants the name that it has in UTC', async () => {
    const { result } = await session.run("SELECT date_part(['year', 'epoch'], z) FROM times LIMIT 1")
    expect(result.columns.map(({ name, type }) => [name, type])).toEqual([
      ["date_part(main.list_value('year', 'epoch'), z)", 'STRUCT("year" BIGINT, epoch DOUBLE)'],
    ])
  })
})
