import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { nativeRows, nativeText } from '../../../testing/oracle.ts'
import { Session } from '../../../testing/session.ts'
import { ZONE_EXPRESSIONS } from './expressions.ts'

let session: Session
beforeAll(async () => {
  session = await Session.open()
  await nativeRows("SET TimeZone = 'UTC'")
}, 120_000)

/** Makes a zone that of both sessions. */
async function setZone(name: string): Promise<void> {
  const sql = `SET TimeZone = '${name}'`
  await nativeRows(sql)
  await session.change(sql)
}

describe.each(Object.entries(ZONE_EXPRESSIONS))('Time zones: %s', (_, expressions) => {
  it.each(['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'UTC'])(
    'is as in native DuckDB in %s',
    async (zone) => {
      await setZone(zone)
      const differing: unknown[] = []
      for (const expression of expressions) {
        const sql = `SELECT (${expression})::VARCHAR AS v`
        const [[own]] = (await session.run(sql).catch((error: unknown) => ({ cells: [[String(error)]] }))).cells
        const [[native]] = await nativeText(sql).catch((error: unknown) => [[String(error)]])
        if (own !== native) differing.push({ expression, own, native })
      }
      expect(differing).toEqual([])
    },
    120_000,
  )
})

/** Tables of times with a zone, whose types the engine tells only once it has bound them. */
const TIMES = `(VALUES (1, TIMESTAMPTZ '2024-01-01 10:30:00+00', TIMESTAMP '2024-01-01 00:00:00', '2024-05-05 05:05:05 Asia/Tokyo'),
  (2, TIMESTAMPTZ '2024-07-01 23:59:59.5+00', TIMESTAMP '2024-06-01 00:00:00', '2024-05-06 05:05:05+00'), (3, NULL, NULL, NULL)) t(i, z, ts, s)`

describe('Time zones: statements', () => {
  it.each([
    `SELECT max(z) - min(z) AS d, hour(max(z)) AS h, date_trunc('day', max(z))::VARCHAR AS t FROM ${TIMES}`,
    `SELECT (max(z) AT TIME ZONE 'Asia/Tokyo')::VARCHAR, date_diff('day', min(z), max(z)), age(max(z), min(z))::VARCHAR FROM ${TIMES}`,
    `SELECT (max(z) + INTERVAL 1 DAY)::VARCHAR, max(z)::DATE::VARCHAR, strftime(max(z), '%d.%m. %Z') FROM ${TIMES}`,
    `SELECT extract(epoch FROM max(z)), date_part('hour', min(z)), epoch_ms(max(z)) FROM ${TIMES}`,
    `SELECT z::DATE::VARCHAR AS day, count(*) FROM ${TIMES} GROUP BY day ORDER BY day`,
    `SELECT date_trunc('month', z)::VARCHAR AS m, sum(i) FROM ${TIMES} GROUP BY ALL ORDER BY m`,
    `SELECT i, hour(z), hour(ts), z - ts, ts - z, z::DATE = ts::DATE FROM ${TIMES} WHERE z - INTERVAL 1 DAY < z ORDER BY z::DATE, hour(z)`,
    `SELECT i, (SELECT count(*) FROM ${TIMES.replace(' t(', ' u(')} WHERE hour(u.z) = hour(t.z)) AS n FROM ${TIMES} ORDER BY i`,
    `SELECT i, s::TIMESTAMPTZ::VARCHAR FROM ${TIMES} ORDER BY i`,
    `SELECT sum(i) OVER (PARTITION BY date_trunc('year', z) ORDER BY i), i FROM ${TIMES} ORDER BY i`,
    `SELECT i, lag(z) OVER (ORDER BY i) - z FROM ${TIMES} ORDER BY i`,
    `SELECT t.i, r.range::VARCHAR FROM ${TIMES}, range(t.z, t.z + INTERVAL 2 HOUR, INTERVAL 1 HOUR) r ORDER BY ALL`,
    `WITH x AS (SELECT z + INTERVAL 1 DAY AS z FROM ${TIMES}) SELECT hour(z), minute(z - INTERVAL 5 MINUTE) FROM x ORDER BY ALL`,
  ])('%s', async (sql) => {
    expect((await session.run(sql)).cells).toEqual(await nativeText(sql))
  })

  it('have the names of columns that the engine gives', async () => {
    const sql = `SELECT hour(z), z + to_days(1), z::DATE, z - z, extract(hour FROM z), max(z) - min(z), s::TIMESTAMPTZ, z AT TIME ZONE 'UTC' FROM ${TIMES} GROUP BY ALL`
    const { result } = await session.run(sql)
    expect(result.columns.map(({ name }) => name)).toEqual([
      '"hour"(z)',
      '(z + to_days(1))',
      'CAST(z AS DATE)',
      '(z - z)',
      "main.date_part('hour', z)",
      '(max(z) - min(z))',
      'CAST(s AS TIMESTAMP WITH TIME ZONE)',
      "main.timezone('UTC', z)",
    ])
  })

  it('change tables, make views, are prepared and run in transactions', async () => {
    const run = async (sql: string): Promise<unknown> => (await session.run(sql)).cells
    const silent = (sql: string): Promise<unknown> => session.change(sql)
    await silent(`CREATE TABLE times AS SELECT z, z::DATE AS day, z + INTERVAL 1 DAY AS next FROM ${TIMES}`)
    await silent('INSERT INTO times SELECT next, next::DATE, next + INTERVAL 1 DAY FROM times WHERE hour(z) = 10')
    await silent('CREATE VIEW hours AS SELECT hour(z) AS h, day::VARCHAR AS day FROM times')
    expect(await run('FROM hours ORDER BY ALL')).toEqual([
      ['10', '2024-01-01'],
      ['10', '2024-01-02'],
      ['23', '2024-07-01'],
      [null, null],
    ])
    await silent('PREPARE at AS SELECT count(*) FROM times WHERE hour(z) = ? AND z < next - INTERVAL 1 HOUR')
    expect(await run('EXECUTE at(10)')).toEqual([['2']])
    await silent('BEGIN')
    await silent("UPDATE times SET z = date_trunc('day', z) WHERE z IS NOT NULL")
    expect(await run('SELECT sum(hour(z)) FROM times')).toEqual([['0']])
    await silent('ROLLBACK')
    expect(await run('SELECT sum(hour(z)) FROM times')).toEqual([['43']])
    await silent('DROP VIEW hours')
    await silent('DROP TABLE times')
  })
})

const ZONES =
  'Africa/Cairo Africa/Casablanca Africa/Monrovia America/Anchorage America/Caracas America/New_York America/Noronha America/Sao_Paulo America/Scoresbysund America/St_Johns Antarctica/Troll Asia/Dhaka Asia/Gaza Asia/Kathmandu Asia/Manila Asia/Pyongyang Asia/Tehran Asia/Tokyo Atlantic/Azores Australia/Lord_Howe CET EST5EDT Etc/GMT-14 Europe/Amsterdam Europe/Berlin Europe/Dublin Europe/Istanbul Europe/London Europe/Moscow Pacific/Apia Pacific/Kiritimati Pacific/Norfolk'.split(
    ' ',
  )
/** Other zones went over the date line, and lost a day or had one twice: ours are by the calendar, as all others are. */
const ON_ONE_SIDE =
  "CASE WHEN n IN ('Pacific/Apia', 'Pacific/Kiritimati', 'Asia/Manila', 'America/Anchorage') THEN 'UTC' ELSE n END"
const bucket = `time_bucket(to_days(3), z, ${ON_ONE_SIDE})`
/** Where the day after a bucket has no midnight, native DuckDB has the bucket begin an hour late: ours begins at midnight. */
const endsLate = `hour((date_trunc('day', ${bucket} AT TIME ZONE ${ON_ONE_SIDE}) + to_days(3)) AT TIME ZONE ${ON_ONE_SIDE} AT TIME ZONE ${ON_ONE_SIDE}) > 0`
const SECONDS = { min: Date.UTC(1800, 0, 1) / 1000, max: Date.UTC(2200, 11, 31) / 1000 }

describe('Time zones: random instants', () => {
  it('begin a bucket of days at midnight, even if the next one has none', async () => {
    await setZone('UTC')
    const sql = "SELECT time_bucket(to_days(3), TIMESTAMPTZ '1974-06-23 20:22:24+00', 'Africa/Casablanca')::VARCHAR"
    expect((await session.run(sql)).cells).toEqual([['1974-06-21 00:00:00+00']])
  })

  const instant = fc
    .tuple(fc.integer(SECONDS), fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 999_999 })))
    .map(([seconds, micros]) => BigInt(seconds) * 1_000_000n + BigInt(micros))
  const part = fc.constantFrom('second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year')
  const number = fc.integer({ min: -400, max: 400 })
  const row = fc.record({ a: instant, b: instant, zone: fc.constantFrom(...ZONES), part, number })

  it.each(['UTC', 'Europe/Berlin', 'America/St_Johns', 'America/Sao_Paulo'])(
    'give what native DuckDB gives in %s',
    async (zone) => {
      await setZone(zone)
      const functions = ['z AT TIME ZONE n', 'timezone(n, t)', 't AT TIME ZONE n AT TIME ZONE n', 'date_trunc(p, z)']
        .concat(['date_diff(p, x, w)', 'date_sub(p, x, w)', 'age(x, w)', 'x - w', 'z::DATE', 'z::TIMETZ'])
        .concat(['z + to_months(i) + to_days(i)', 'z - to_hours(i) - to_months(i)', 'time_bucket(to_hours(7), z)'])
        .concat(['time_bucket(to_months(5), z)'])
        .concat([`CASE WHEN ${endsLate} THEN NULL ELSE ${bucket} END`])
        .concat(['hour(z)', 'yearweek(z)', 'floor(epoch(z))'])
        .concat(["date_part(['day', 'isoyear'], z)", "strftime(z, '%c %j %z')", 'floor(julian(z))', 'dayname(z)'])
        .concat(["strptime(strftime(t, '%Y-%m-%d %H:%M:%S ') || n, '%Y-%m-%d %H:%M:%S %Z')"])
        .concat(["(strftime(t, '%Y-%m-%d %H:%M:%S ') || n)::TIMESTAMPTZ"])
      await fc.assert(
        fc.asyncProperty(fc.array(row, { minLength: 100, maxLength: 100 }), async (rows) => {
          const values = rows.map(
            (each, i) => `(${i}, ${each.a}, ${each.b}, '${each.zone}', '${each.part}', ${each.number})`,
          )
          const times =
            'make_timestamp(a)::TIMESTAMPTZ AS z, make_timestamp(b)::TIMESTAMPTZ AS y, make_timestamp(a) AS t'
          // Native DuckDB 1.4 is a millisecond off in some differences of microseconds.
          const seconds =
            'make_timestamp(a // 1000000 * 1000000)::TIMESTAMPTZ AS x, make_timestamp(b // 1000000 * 1000000)::TIMESTAMPTZ AS w'
          // Where a month has no midnight, that native DuckDB has its quarter begin an hour late: ours begins at midnight.
          const late = ['a', 'b'].map((each) => `hour(date_trunc('month', make_timestamp(${each})::TIMESTAMPTZ)) > 0`)
          const p = `CASE WHEN p = 'quarter' AND (${late.join(' OR ')}) THEN 'month' ELSE p END AS p`
          const sql = `SELECT ${functions.map((each, i) => `(${each})::VARCHAR AS f${i}`).join(', ')} FROM (SELECT * REPLACE (${p}), ${times}, ${seconds} FROM (VALUES ${values.join(', ')}) v(r, a, b, n, p, i)) ORDER BY r`
          const found = (await session.run(sql)).cells
          const wanted = await nativeText(sql)
          const name = (cells: readonly (string | null)[]) => cells.map((cell, i) => [functions[i], cell])
          for (const [i, given] of rows.entries()) expect([given, name(found[i])]).toEqual([given, name(wanted[i])])
        }),
        { numRuns: Number(process.env.ZONE_RUNS ?? 3), endOnFailure: true },
      )
    },
    120_000,
  )

  it.each([
    ['America/St_Johns', '1938-05-09'],
    ['America/Juneau', '1867-10-18'],
    ['Africa/Monrovia', '1972-01-07'],
    ['Pacific/Apia', '2011-12-30'],
    ['Pacific/Kwajalein', '1993-08-21'],
  ])('add days as native DuckDB does where %s skips times on %s', async (zone, day) => {
    await setZone(zone)
    // From times with other offsets than those before and after the skipped ones, by the half hour.
    const sql = `SELECT n, (z + to_days(n))::VARCHAR, (w - z)::VARCHAR, date_sub('day', z, w)
      FROM (SELECT n, make_timestamptz(s - n * 86400000000) AS z, make_timestamptz(s) AS w
        FROM (VALUES (1), (-1), (200), (30000), (-40000), (50531)) v(n),
          (SELECT epoch_us(TIMESTAMPTZ '${day} 00:00:00 UTC') + i * 1800000000 + 17000000 AS s FROM range(-30, 60) r(i)))
      ORDER BY n, z`
    expect((await session.run(sql)).cells).toEqual(await nativeText(sql))
  })

  it('are those of zones near their transitions', async () => {
    await setZone('UTC')
    const moments = fc.record({
      zone: fc.constantFrom(...ZONES),
      year: fc.integer({ min: 1850, max: 2199 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(moments, { minLength: 6, maxLength: 6 }), async (given) => {
        const values = given.map(({ zone, year }) => `('${zone}', TIMESTAMP '${year}-01-01 00:00:00')`)
        // All hours of a year, read as local times and as instants.
        const sql = `SELECT n, hash(list((t AT TIME ZONE n)::VARCHAR || ((t::TIMESTAMPTZ) AT TIME ZONE n)::VARCHAR ORDER BY t))::VARCHAR
          FROM (SELECT n, s + to_minutes(30 * i) AS t FROM (VALUES ${values.join(', ')}) v(n, s), range(17600) r(i)) GROUP BY ALL ORDER BY ALL`
        expect((await session.run(sql)).cells).toEqual(await nativeText(sql))
      }),
      { numRuns: Number(process.env.ZONE_RUNS ?? 2), endOnFailure: true },
    )
  }, 120_000)
})
