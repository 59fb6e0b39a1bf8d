import { describe, expect, it } from 'vitest'
import type { Database } from '../../storage/database.ts'
import { MemoryTables, type PendingTable } from '../../storage/tables.ts'
import { nativeSession } from '../../testing/oracle.ts'
import { Session } from '../../testing/session.ts'
import { loadText } from '../../testing/tables.ts'

/** A disk that has no room from a table on. */
class SmallDisk extends MemoryTables {
  room = Number.POSITIVE_INFINITY
  discarded = 0

  override async create(creationId: string, db: Database, path: string): Promise<PendingTable> {
    const pending = await super.create(creationId, db, path)
    const full = this.room-- <= 0 ? new Error('no room') : undefined
    return {
      ...pending,
      failure: full,
      discard: async () => {
        this.discarded++
        await pending.discard()
      },
    }
  }
}

const open = (storage: MemoryTables = new MemoryTables()): Promise<Session> => Session.open({ storage })

/** Runs statements in one session, and gives another one that has what they kept. */
async function after(...statements: readonly string[]): Promise<Session> {
  const [first, second] = [await open(), await open()]
  for (const sql of statements) second.keep((await first.run(sql)).summary.kept ?? [])
  return second
}

const cells = async (session: Session, sql: string): Promise<(string | null)[][]> => (await session.run(sql)).cells

const REFUSED: readonly (readonly [sql: string, reason: string])[] = [
  ['CREATE VIEW my.v AS SELECT 1', 'Only tables stay in my: a view is gone'],
  ['CREATE MACRO my.m() AS 1', 'Only tables stay in my: a macro'],
  ['CREATE SEQUENCE my.s', 'Only tables stay in my: a sequence'],
  ["CREATE TYPE my.e AS ENUM ('a')", 'Only tables stay in my: a type'],
  ['CREATE TEMP TABLE my.x AS SELECT 1', 'isn’t temporary'],
  ['CREATE INDEX i ON my.t (i)', 'An index on a table in my'],
  ["COMMENT ON TABLE my.t IS 'x'", 'Comments'],
  ['CREATE TABLE my.x (i INTEGER REFERENCES my.t (i))', 'foreign key'],
  ["CREATE TABLE my.x (i INTEGER DEFAULT nextval('s'))", 'nextval()'],
  ['CREATE TABLE my.x (i INTEGER DEFAULT plus_one(1))', 'plus_one()'],
  ['CREATE SCHEMA my', 'isn’t free'],
  ['DROP SCHEMA my', 'isn’t free'],
]

describe('tables that stay', () => {
  it('writes a version of a table before its statement is done, and reads it in another session', async () => {
    const first = await open()
    const { summary } = await first.run('CREATE TABLE my.t AS SELECT 42 AS answer')
    expect(summary.message).toBe('Created the table my.t with 1 row, which stays in this browser.')
    expect(summary.kept).toMatchObject([
      { name: 't', before: null, after: { rowCount: 1, schema: [{ name: 'answer', type: 'INTEGER' }] } },
    ])
    const second = await open()
    second.keep(summary.kept ?? [])
    expect(await cells(second, 'FROM my.t')).toEqual([['42']])
    const changed = await second.run('INSERT INTO my.t VALUES (43) RETURNING answer')
    expect(changed.cells).toEqual([['43']])
    first.keep(changed.summary.kept ?? [])
    expect(await cells(first, 'FROM my.t')).toEqual([['42'], ['43']])
  })

  it('keeps what statements change, as native DuckDB changes it', async () => {
    const statements = [
      "CREATE TABLE my.t (id INTEGER PRIMARY KEY, name VARCHAR DEFAULT (upper('x')), CHECK (id > 0), twice INTEGER AS (id * 2))",
      "INSERT INTO my.t (id, name) VALUES (1, 'a'), (2, 'b'), (3, 'c')",
      'INSERT INTO my.t (id) VALUES (4)',
      "UPDATE my.t SET name = 'B' WHERE id = 2",
      'DELETE FROM my.t WHERE id = 3',
      "INSERT INTO my.t (id, name) VALUES (1, 'z') ON CONFLICT DO UPDATE SET name = excluded.name",
      "MERGE INTO my.t USING (SELECT 5 AS id, 'm' AS name) s ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id, s.name)",
      'ALTER TABLE my.t ADD COLUMN "a ""b" DECIMAL(5, 2) DEFAULT 1.5',
      'ALTER TABLE my.t RENAME TO "new, one"',
      'CREATE OR REPLACE TABLE my.other AS SELECT unnest([3, 1]) AS n',
      'CREATE TABLE IF NOT EXISTS my.other AS SELECT 9 AS n',
      'TRUNCATE my.other',
      'DROP TABLE IF EXISTS my.none',
      'CREATE TABLE my.gone (i INTEGER)',
      'DROP TABLE my.gone',
    ]
    const native = await nativeSession()
    await native('CREATE SCHEMA my')
    for (const sql of statements) await native(sql)
    // In turn in two sessions: nothing but the files tells one what the other changed.
    const sessions = [await open(), await open()] as const
    const kept = new Set<string>()
    for (const [i, sql] of statements.entries()) {
      const { kept: changes = [] } = (await sessions[i % 2 === 0 ? 0 : 1].run(sql)).summary
      sessions[i % 2 === 0 ? 1 : 0].keep(changes)
      for (const { name, after: made } of changes)
        if (made) kept.add(name)
        else kept.delete(name)
    }
    const [last] = sessions
    expect([...kept].toSorted()).toEqual(['new, one', 'other'])
    for (const sql of ['FROM my."new, one" ORDER BY id', 'SELECT count(*) FROM my.other'])
      expect(await cells(last, sql)).toEqual(await native(`SELECT COLUMNS(*)::VARCHAR FROM (${sql})`))
    await expect(last.run('INSERT INTO my."new, one" (id) VALUES (1)')).rejects.toMatchObject({ code: 'sql-error' })
    await expect(last.run('INSERT INTO my."new, one" (id) VALUES (-1)')).rejects.toMatchObject({ code: 'sql-error' })
  }, 240_000)

  it('keeps every type of column, and every value', async () => {
    const made = 'CREATE TABLE my.types AS FROM test_all_types()'
    const more = `CREATE TABLE my.more AS SELECT {'a': {'b c': [1, NULL]}} AS s, MAP {'k': [1.5::DECIMAL(4,1)]} AS m,
      union_value(num := 2)::UNION(num INTEGER, "a b" VARCHAR) AS u, '101'::BIT AS b, 'x'::ENUM('x', 'y z', 'o''k') AS e,
      [1, 2]::INTEGER[2] AS arr, '-0'::DOUBLE AS zero, 'nan'::DOUBLE AS nan, uuid() IS NULL AS n, 'é\n' COLLATE NOCASE AS c`
    const native = await nativeSession()
    await native('CREATE SCHEMA my')
    await native(made)
    await native(more)
    const session = await after(made, more)
    for (const table of ['my.types', 'my.more']) {
      const types = `SELECT column_name, column_type FROM (DESCRIBE ${table})`
      expect(await cells(session, types), table).toEqual(await native(types))
      // Times with a zone are written by ourselves.
      const text = `SELECT COLUMNS(* EXCLUDE (timestamp_tz))::VARCHAR FROM ${table}`.replace(
        table === 'my.more' ? ' EXCLUDE (timestamp_tz)' : '#',
        '',
      )
      expect(await cells(session, text), table).toEqual(await native(text))
    }
    expect(await cells(session, 'SELECT epoch_us(timestamp_tz) FROM my.types')).toEqual(
      await native('SELECT epoch_us(timestamp_tz)::VARCHAR FROM my.types'),
    )
  }, 120_000)

  it('writes nothing before COMMIT, and nothing for ROLLBACK', async () => {
    const session = await open()
    await session.run('CREATE TABLE my.t AS SELECT 1 AS i')
    for (const [end, expected] of [
      ['ROLLBACK', [['1']]],
      ['COMMIT', [['1'], ['2'], ['3']]],
    ] as const) {
      await session.run('BEGIN')
      for (const sql of [
        'INSERT INTO my.t VALUES (2)',
        'CREATE TABLE my.u AS FROM my.t',
        'INSERT INTO my.t VALUES (3)',
      ]) {
        const { summary: within } = await session.run(sql)
        expect(within.kept).toBeUndefined()
        expect(within.message).toContain('which stays in this browser once it’s committed.')
      }
      expect(await cells(session, 'SELECT count(*) FROM my.u')).toEqual([['2']])
      const { summary } = await session.run(end)
      expect(summary.kept?.map(({ name }) => name).toSorted()).toEqual(end === 'COMMIT' ? ['t', 'u'] : undefined)
      expect(await cells(session, 'FROM my.t')).toEqual(expected)
    }
  })

  it('changes what stays or what is of the tab in one transaction, not both', async () => {
    const session = await open()
    await session.run('BEGIN')
    await session.run('CREATE TABLE my.t AS SELECT 1 AS i')
    await expect(session.run('CREATE TABLE own AS FROM my.t')).rejects.toMatchObject({ code: 'sql-not-allowed' })
    await session.run('COMMIT')
    await session.run('BEGIN')
    await session.run('CREATE TABLE own AS FROM my.t')
    await expect(session.run('DELETE FROM my.t')).rejects.toMatchObject({ code: 'sql-not-allowed' })
    await session.run('ROLLBACK')
  })

  it('leaves tables as they were where there’s no room, for a statement and for COMMIT', async () => {
    const disk = new SmallDisk()
    const session = await open(disk)
    await session.run('CREATE TABLE my.t AS SELECT 1 AS i')
    await session.run('CREATE TABLE my.u AS SELECT 1 AS i')
    const before = [...disk.files.keys()]
    const failing = async (sql: string): Promise<void> => {
      disk.discarded = 0
      await expect(session.run(sql)).rejects.toThrow('no room')
      expect(disk.discarded).toBeGreaterThan(0)
      expect([...disk.files.keys()]).toEqual(before)
      disk.room = Number.POSITIVE_INFINITY
      expect(await cells(session, 'FROM my.t, my.u')).toEqual([['1', '1']])
      await expect(session.run('FROM my.v')).rejects.toMatchObject({ code: 'unknown-table' })
    }
    for (const sql of [
      'INSERT INTO my.t VALUES (2)',
      'CREATE TABLE my.v AS SELECT 2',
      'CREATE OR REPLACE TABLE my.t AS SELECT 5',
    ]) {
      disk.room = 0
      await failing(sql)
    }
    await session.run('BEGIN')
    await session.run('INSERT INTO my.t VALUES (2)')
    await session.run('INSERT INTO my.u VALUES (2)')
    disk.room = 1
    await failing('COMMIT')
  })

  it('takes another version, and keeps the one that a transaction began with', async () => {
    const [one, two] = [await open(), await open()]
    const { kept = [] } = (await one.run('CREATE TABLE my.t AS SELECT 1 AS i')).summary
    two.keep(kept)
    await two.run('BEGIN')
    expect(await cells(two, 'FROM my.t')).toEqual([['1']])
    two.keep((await one.run('UPDATE my.t SET i = 2')).summary.kept ?? [])
    expect(await cells(two, 'FROM my.t')).toEqual([['1']])
    await two.run('COMMIT')
    expect(await cells(two, 'FROM my.t')).toEqual([['2']])
    // What it isn't told to be kept isn't there any more.
    await two.run('UPDATE my.t SET i = 3')
    two.use({ published: [], local: [], kept: [] })
    await expect(two.run('FROM my.t')).rejects.toMatchObject({ code: 'unknown-table' })
  })

  it('reads the version that a statement began with to its end', async () => {
    const [one, two] = [await open(), await open()]
    const { kept = [] } = (
      await one.run("CREATE TABLE my.t AS SELECT i, repeat('x', 50) || i AS s FROM range(200000) r(i)")
    ).summary
    two.keep(kept)
    const { kept: next = [] } = (await one.run('DELETE FROM my.t WHERE i > 0')).summary
    let taken = 0
    const { cells: rows } = await two.run('FROM my.t', {
      taken: () => {
        if (taken++ === 0) two.keep(next)
      },
    })
    expect(taken).toBeGreaterThan(1)
    expect(rows.length).toBe(200_000)
    expect(await cells(two, 'SELECT count(*) FROM my.t')).toEqual([['1']])
  }, 60_000)

  it('leaves a table as it was when its change is cancelled', async () => {
    const session = await open()
    await session.run('CREATE TABLE my.t AS SELECT 1 AS i')
    for (const delay of [0, 20, 60, 150]) {
      const controller = new AbortController()
      setTimeout(() => controller.abort(), delay)
      // Without end, and without rows that would fill the memory.
      const sql = 'INSERT INTO my.t SELECT i FROM range(1000000000000) r(i) WHERE i % 1000000 = 7'
      await expect(session.run(sql, { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' })
      expect(await cells(session, 'FROM my.t')).toEqual([['1']])
    }
  }, 60_000)

  it('refuses what wouldn’t stay', async () => {
    const session = await open()
    const first = [
      'CREATE TABLE my.t (i INTEGER PRIMARY KEY)',
      'CREATE SEQUENCE s',
      'CREATE MACRO plus_one(x) AS x + 1',
    ]
    for (const sql of first) await session.run(sql)
    for (const [sql, reason] of REFUSED) {
      await expect(session.run(sql), sql).rejects.toThrow(reason)
      await expect(session.run('FROM my.x'), sql).rejects.toMatchObject({ code: 'unknown-table' })
    }
  })

  it('lists them as what they are called, explains changes without making them, and is sure of a name without a file', async () => {
    const session = await after('CREATE TABLE my."A b" AS SELECT 1 AS i')
    expect(await cells(session, 'SHOW ALL TABLES')).toEqual([['memory', 'my', 'A b', '["i"]', '["INTEGER"]', 'false']])
    expect(await cells(session, 'SHOW TABLES')).toEqual([['my."A b"']])
    expect(
      await cells(session, "SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema = 'my'"),
    ).toEqual([['my', 'A b']])
    expect(session.engine.temporary()).toEqual([])
    await session.run('EXPLAIN INSERT INTO my."A b" VALUES (2)')
    expect(await cells(session, 'FROM my."a B"')).toEqual([['1']])
    await expect(session.run('FROM my.none')).rejects.toMatchObject({ code: 'unknown-table' })
  })

  it('suggests what may have been meant by a name that isn’t there', async () => {
    const session = await after('CREATE TABLE my.orders AS SELECT 1 AS amount')
    for (const [sql, message, remedy] of [
      ['FROM my.ordres', 'There is no table my.ordres.', 'Did you mean my.orders?'],
      ['FROM orders', 'There is no table orders.', 'Did you mean my.orders?'],
      ['FROM my.main.orders', 'There is no table my.main.orders.', 'Did you mean my.orders?'],
      ['SELECT amuont FROM my.orders', 'Referenced column "amuont" not found in FROM clause!', 'Did you mean amount?'],
      [
        'SELECT o.amuont FROM my.orders o',
        'Table "o" does not have a column named "amuont".',
        'Did you mean o.amount?',
      ],
    ])
      await expect(session.run(sql), sql).rejects.toMatchObject({ message: expect.stringContaining(message), remedy })
  })

  it('is a place beside a workspace of that name, whose tables have three names', async () => {
    const session = await open()
    session.add(['my', 'd', 't'], await loadText('x\n1\n'))
    session.add(['my', 'main', 'u'], await loadText('x\n5\n'))
    session.add(['ws', 'my', 't'], await loadText('x\n7\n'))
    expect(await cells(session, 'FROM my.d.t')).toEqual([['1']])
    await session.run('CREATE TABLE my.t AS SELECT 2 AS x')
    await session.run("CREATE TABLE my.d AS SELECT 3 AS x, 'y' AS y")
    for (const [sql, expected] of [
      ['FROM my.t', [['2']]],
      ['FROM my.d.t', [['1']]],
      ['FROM my.main.u', [['5']]],
      ['FROM ws.my.t', [['7']]],
      ['SELECT my.t.x FROM ws.my.t', [['7']]],
      ['SELECT my.d.t.x, t.x FROM my.d.t', [['1', '1']]],
      ['SELECT a.x, my.t.x, my.d.x, my.d.y FROM my.d.t a, my.t, my.d', [['1', '2', '3', 'y']]],
      ['DESCRIBE my.d.t', [['x', 'INTEGER', 'YES', null, null, null]]],
    ] as const)
      expect(await cells(session, sql), sql).toEqual(expected)
    await session.run('INSERT INTO my.t FROM my.d.t')
    expect(await cells(session, 'FROM my.t ORDER BY x')).toEqual([['1'], ['2']])
    expect(await cells(session, 'SHOW ALL TABLES')).toEqual([
      ['memory', 'my', 'd', '["x","y"]', '["INTEGER","VARCHAR"]', 'false'],
      ['memory', 'my', 't', '["x"]', '["INTEGER"]', 'false'],
      ['my', 'd', 't', '["x"]', '["INTEGER"]', 'false'],
      ['my', 'main', 'u', '["x"]', '["INTEGER"]', 'false'],
      ['ws', 'my', 't', '["x"]', '["INTEGER"]', 'false'],
    ])
    for (const sql of ['DELETE FROM my.d.t', 'DROP TABLE my.d.t', 'CREATE TABLE my.d.new (i INTEGER)'])
      await expect(session.run(sql), sql).rejects.toThrow('datasets are read-only')
  })
})
