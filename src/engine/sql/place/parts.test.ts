import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { duckParquet } from '../../formats/parquet/testing/oracle.ts'
import { nativeSession } from '../../testing/oracle.ts'
import { Session } from '../../testing/session.ts'

/* Row groups that a filter rules out by the file's statistics aren't read: told by the bytes that are asked of the file. */

const ROWS = 20_000
const ORDERS = `SELECT i::BIGINT AS id, (i // 100)::UTINYINT AS tiny, 'c' || lpad(i::VARCHAR, 6, '0') AS s, DATE '2020-01-01' + (i // 100)::INTEGER AS d,
  ((i - 5000) * 0.25)::DECIMAL(12,2) AS m, (i * 1000000000000 - 7)::DECIMAL(30,3) AS wide, i / 3.0 AS f, TIMESTAMP '2020-01-01' + to_minutes(i) AS t,
  (TIMESTAMP '2020-01-01' + to_minutes(i))::TIMESTAMPTZ AS tz, (i - 9000)::HUGEINT AS h, i % 2 = 0 AS b,
  CASE WHEN i < 4096 THEN NULL ELSE i END AS later, md5(i::VARCHAR) AS noise
  FROM range(${ROWS}) r(i)`

let native: Awaited<ReturnType<typeof nativeSession>>
let file: File
let session: Session
let files = 0

beforeAll(async () => {
  const made = await duckParquet(ORDERS, 'ROW_GROUP_SIZE 2048')
  file = made.file
  native = await nativeSession()
  await native(`SET TimeZone='UTC'`)
  await native('SET threads=1')
  await native(`CREATE VIEW o AS FROM '${made.path}'`)
  session = await Session.open()
})

/** To the session each test's file is another one, of which nothing has been read yet. */
beforeEach(async () => {
  session.use({ published: [], local: [] })
  session.add(['o'], { stored: { fileId: `c/${files++}` }, file })
  await session.run('SELECT count(*) FROM o')
})

/** The share of the file's bytes that the library asks for while something is done. */
async function shareRead(work: () => Promise<unknown>): Promise<number> {
  const slice = vi.spyOn(Blob.prototype, 'slice')
  try {
    await work()
    const { calls, contexts } = slice.mock
    const bytes = calls.map(([from = 0, to = file.size], i) => {
      const { size } = contexts[i] as Blob
      // The file itself is cut once, for its footer to be another.
      return contexts[i] === file || size < file.size / 2 ? 0 : to - from
    })
    return bytes.reduce((sum, each) => sum + each, 0) / file.size
  } finally {
    slice.mockRestore()
  }
}

const FEW = [
  'SELECT id, s, m, later, noise FROM o WHERE id = 5',
  'SELECT noise FROM o WHERE id = 19999 AND b IS NOT NULL',
  'SELECT noise FROM o WHERE 4100 > id AND id >= 4096',
  'SELECT count(*), min(noise) FROM o WHERE id BETWEEN 6000 AND 6010',
  "SELECT noise FROM o WHERE s = 'c012345'",
  "SELECT s, noise FROM o WHERE d > DATE '2020-07-10'",
  "SELECT id, noise FROM o WHERE d = '2020-03-01' ORDER BY noise",
  'SELECT id, noise FROM o WHERE m < -1240',
  'SELECT id, noise FROM o WHERE m = -0.25',
  'SELECT id, noise FROM o WHERE wide BETWEEN -100 AND 1999999999993',
  "SELECT id, noise FROM o WHERE t <= TIMESTAMP '2020-01-01 00:30:00'",
  "SELECT id, noise FROM o WHERE tz = TIMESTAMPTZ '2020-01-05 10:00:00+00'",
  'SELECT id, noise FROM o WHERE tiny > 198',
  'SELECT noise FROM o WHERE id = 3 OR id = 2000',
  'SELECT noise FROM o WHERE id IN (3, 5, 19000)',
  'SELECT x.noise, k FROM o x JOIN (VALUES (7), (8)) v(k) ON x.id = v.k WHERE x.id < 10 ORDER BY k',
  'SELECT noise FROM (SELECT noise, id AS m, m AS id FROM o) WHERE m = 77',
  'WITH q AS (SELECT id + 0 AS n, * FROM o) SELECT noise, n FROM q WHERE id = 12345',
  'SELECT b, count(*), max(noise) FROM o WHERE id < 1000 GROUP BY b ORDER BY b',
  'SELECT noise FROM o WHERE id = 700000',
  'SELECT count(*), sum(id) FROM o WHERE id > 700000',
  'SELECT id, noise FROM o WHERE id > 6000 AND id < 6100 LIMIT 3',
]

const ALL = [
  // Names say nothing: what is called id is another column here.
  'SELECT count(noise) FROM (SELECT noise, id AS m, m AS id FROM o) WHERE id > 100',
  'SELECT count(noise) FROM o WHERE f > 100',
  'SELECT count(noise) FROM o WHERE b',
  'SELECT count(noise) FROM o WHERE id = 5 OR b',
  'SELECT count(noise) FROM o WHERE id % 100 = 5',
  'SELECT count(noise) FROM o WHERE h > 5',
  "SELECT count(noise) FROM o WHERE s COLLATE NOCASE < 'C000009' AND s::VARCHAR > 'b'",
  'SELECT count(noise) FROM o WHERE later IS NULL',
  'SELECT n, noise FROM (SELECT row_number() OVER () AS n, noise, id FROM o) WHERE id = 19000',
  'SELECT max(noise), (SELECT count(*) FROM o) AS n FROM o WHERE id < 4',
  'SELECT a.noise FROM o a JOIN o b ON a.id = b.id + 1 WHERE a.id = 9',
  'SELECT count(*) FILTER (WHERE id < 5), count(noise) FROM o',
  'SELECT count(r.k), count(o.noise) FROM o LEFT JOIN (VALUES (1)) r(k) ON o.id = r.k AND o.id < 5',
]

describe('a Parquet file whose statistics rule row groups out', () => {
  it.each(FEW)('reads few of them: %s', async (sql) => {
    let cells: unknown
    const share = await shareRead(async () => {
      cells = (await session.run(sql)).cells
    })
    expect(cells).toEqual(await native(sql))
    expect(share).toBeLessThan(0.35)
    // What was left out is there for the next one.
    const whole = 'SELECT count(noise), sum(id), max(s), count(later) FROM o'
    expect((await session.run(whole)).cells).toEqual(await native(whole))
  })

  it.each(ALL)('reads all where any may hold rows: %s', async (sql) => {
    let cells: unknown
    const share = await shareRead(async () => {
      cells = (await session.run(sql)).cells
    })
    expect(cells).toEqual(await native(sql))
    expect(share).toBeGreaterThan(0)
  })
})
