import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { MemoryTables } from '../../../storage/tables.ts'
import { nativeText } from '../../../testing/oracle.ts'
import { Session } from '../../../testing/session.ts'
import { quoteText } from '../../../../lib/duckdb-sql/names.ts'
import { Collations } from './collations.ts'

let session: Session
beforeAll(async () => {
  session = await Session.open()
}, 120_000)

const NAMES =
  "(VALUES ('z'), ('ä'), ('a'), (NULL), ('B'), ('b'), ('Zoe'), ('Ärger'), ('o'), ('ö'), ('ß'), ('ss'), ('é'), ('e')) t(x)"

describe('collations', () => {
  it.each([
    "SELECT 'a' COLLATE NOCASE = 'A', 'é' COLLATE NOACCENT = 'e', 'Á' COLLATE NOCASE.NOACCENT = 'a', 'e\u0301' COLLATE NFC = 'é'",
    "SELECT x FROM (VALUES ('b'), ('A'), ('a'), ('Á'), ('ä'), ('Z')) t(x) ORDER BY x COLLATE NOCASE.NOACCENT, x",
    "SELECT count(*) FROM (VALUES ('a'), ('A'), ('á')) t(x) GROUP BY x COLLATE NOCASE ORDER BY 1",
    "SELECT min(x COLLATE NOCASE) FROM (VALUES ('b'), ('A')) t(x)",
    `FROM ${NAMES} ORDER BY x COLLATE de`,
    `FROM ${NAMES} ORDER BY x COLLATE SV DESC NULLS LAST`,
    `FROM ${NAMES} ORDER BY x || 'b' COLLATE de_AT`,
    `FROM ${NAMES} ORDER BY (x COLLATE en_US) DESC, x`,
    `FROM ${NAMES} ORDER BY x COLLATE de.NOCASE, x`,
    `FROM ${NAMES} ORDER BY x COLLATE icu_noaccent, x`,
    `SELECT upper(x) AS u FROM ${NAMES} ORDER BY u COLLATE de`,
    `SELECT DISTINCT x FROM ${NAMES} ORDER BY x COLLATE sv`,
    `FROM ${NAMES} UNION SELECT 'å' ORDER BY x COLLATE sv`,
    `FROM ${NAMES} ORDER BY 1 COLLATE sv`,
    `SELECT x FROM ${NAMES} WHERE x COLLATE de < 'C' ORDER BY x`,
    `SELECT x FROM ${NAMES} WHERE 'o' COLLATE de BETWEEN 'a' AND x ORDER BY x`,
    `SELECT x FROM ${NAMES} WHERE x COLLATE de.NOCASE IN ('B', 'Z') ORDER BY x`,
    `SELECT x FROM ${NAMES} WHERE x COLLATE de IN (SELECT 'e\u0301') ORDER BY x`,
    `SELECT a.x, b.x FROM ${NAMES} JOIN ${NAMES.replace(' t(', ' b(')} ON t.x COLLATE de.NOACCENT = b.x WHERE t.x < 'c' ORDER BY ALL`.replace(
      'a.x',
      't.x',
    ),
    `SELECT x COLLATE de.NOCASE.NOACCENT AS k, count(*) FROM ${NAMES} GROUP BY k ORDER BY k`,
    `SELECT min(x COLLATE sv), max(x COLLATE sv), max(x COLLATE de) FROM ${NAMES}`,
    `SELECT string_agg(x, ' ' ORDER BY x COLLATE sv) FROM ${NAMES}`,
    `SELECT x, rank() OVER (ORDER BY x COLLATE sv), lag(x) OVER (PARTITION BY x COLLATE de.NOACCENT ORDER BY x) FROM ${NAMES} ORDER BY 2, 1`,
    `SELECT x FROM (SELECT x COLLATE sv AS x FROM ${NAMES}) ORDER BY x`,
    `SELECT DISTINCT ON (x COLLATE de.NOCASE) x FROM (FROM ${NAMES} ORDER BY x) ORDER BY x COLLATE de.NOCASE`,
    `SELECT typeof(x COLLATE de), x COLLATE de FROM ${NAMES} ORDER BY 2`,
  ])('are as in native DuckDB: %s', async (sql) => {
    const { cells, result } = await session.run(sql)
    expect(cells).toEqual(await nativeText(sql))
    expect(result.columns.every(({ name }) => !name.includes('icu_collate'))).toBe(true)
  })

  it('are those of tables’ columns, also of tables that stay', async () => {
    await session.change('CREATE TABLE people (name VARCHAR COLLATE sv)')
    await session.change("INSERT INTO people VALUES ('ö'), ('z'), ('a')")
    expect((await session.run('FROM people ORDER BY name')).cells.flat()).toEqual(['a', 'z', 'ö'])
    const storage = new MemoryTables()
    const [first, second] = [await Session.open({ storage }), await Session.open({ storage })]
    const statements = [
      'CREATE TABLE my.people (name VARCHAR COLLATE sv)',
      "INSERT INTO my.people VALUES ('ö'), ('z'), ('a')",
    ]
    for (const sql of statements) second.keep((await first.run(sql)).summary.kept ?? [])
    expect((await second.run('FROM my.people ORDER BY name')).cells.flat()).toEqual(['a', 'z', 'ö'])
  })

  const letter = fc.constantFrom(...Array.from("abcdeoszABCDEOSZäöüÄÖÜéèêáàâñçåøæßł0123456789 -.,_'"))
  const texts = fc.uniqueArray(fc.string({ unit: letter, maxLength: 5 }), { minLength: 30, maxLength: 200 })
  it.each(['de', 'de_AT', 'sv', 'en_US', 'fr', 'fr_ca', 'es', 'da', 'fi', 'pl', 'cs', 'tr', 'hu', 'et', 'lt'])(
    'order texts as native DuckDB does: %s',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(texts, async (given) => {
          const rows = given.map((each) => `(${quoteText(each)})`).join(', ')
          const sql = `FROM (VALUES ${rows}) t(x) ORDER BY x COLLATE ${name}, x`
          expect((await session.run(sql)).cells).toEqual(await nativeText(sql))
        }),
        { numRuns: 8 },
      )
    },
    120_000,
  )

  it('say how many texts they can compare', () => {
    const calls: ((texts: readonly string[]) => void)[] = []
    const collations = new Collations({ texts: 3, letters: 60 }, { texts: 2, letters: 60 })
    collations.register((name, { before }) => {
      const encoder = new TextEncoder()
      if (name === 'de') calls.push((given) => before?.([{ text: (row) => encoder.encode(given[row]) }], given.length))
    })
    const [compare] = calls
    compare(['a', 'b', 'c', 'a'])
    expect(() => compare(['d'])).toThrow('COLLATE de can compare 3 different texts in a statement')
    collations.forget()
    compare(['x', 'y', 'z'])
    collations.forget()
    expect(() => compare(['x'.repeat(60)])).toThrow('with 60 letters, and there are more. Filter the rows first')
  })
})
