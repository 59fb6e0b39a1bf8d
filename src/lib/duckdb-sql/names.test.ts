// oxlint-disable-next-line no-restricted-imports -- native DuckDB is the judge of what a name has to be quoted for
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { quoteName, quoteReference, quoteText } from './names.ts'

let db: DuckDBConnection
beforeAll(async () => {
  db = await (await DuckDBInstance.create(':memory:')).connect()
})

async function rows(sql: string): Promise<unknown[][]> {
  return (await db.runAndReadAll(sql)).getRowsJS()
}

/** The tables that a statement names and the columns that it selects, according to DuckDB's own parser. */
async function parsed(sql: string): Promise<{ table: string[]; columns: string[][] }> {
  const [[text]] = (await rows(`SELECT json_serialize_sql(${quoteText(sql)})::VARCHAR`)) as [[string]]
  const tree = JSON.parse(text) as {
    error: boolean
    statements: { node: { from_table: Record<string, string>; select_list: { column_names?: string[] }[] } }[]
  }
  const node = tree.statements?.[0]?.node
  if (tree.error || !node) throw new Error(`DuckDB doesn’t parse ${sql}`)
  const { catalog_name: catalog = '', schema_name: schema = '', table_name: table = '' } = node.from_table
  return { table: [catalog, schema, table], columns: node.select_list.map((column) => column.column_names ?? []) }
}

/** Anything but NUL and lone surrogates, which SQL text can't contain. */
const name = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom('a', 'B', '_', '7', ' ', '.', '"', "'", '-', ';', '\n', '日', '🦆'),
      minLength: 1,
      maxLength: 8,
    }),
    fc.constantFrom(
      'select',
      'Order',
      'GROUP',
      'values',
      'interval',
      'user',
      'left',
      'date',
      'Sales 2024',
      '--x',
      '/*',
      '$$',
    ),
  )
  .filter((text) => !text.includes('\0'))

describe('quoteReference', () => {
  it('quotes only if necessary', () => {
    expect(quoteReference(['ws', 'Sales 2024', 'orders'])).toBe('ws."Sales 2024".orders')
    expect(quoteReference(['my-team', 'a.b', 'say "hi"'])).toBe('"my-team"."a.b"."say ""hi"""')
    expect(['Orders', '_x1', 'date', 'name', 'time'].map(quoteName)).toEqual(['Orders', '_x1', 'date', 'name', 'time'])
    expect(['Order', '1st', '', 'élan', '🦆'].map(quoteName)).toEqual(['"Order"', '"1st"', '""', '"élan"', '"🦆"'])
  })

  it('is parsed by DuckDB as the same names', async () => {
    await fc.assert(
      fc.asyncProperty(name, name, name, async (a, b, c) => {
        const read = await parsed(`SELECT ${quoteReference([c, a])}, ${quoteName(b)} FROM ${quoteReference([a, b, c])}`)
        expect(read).toEqual({ table: [a, b, c], columns: [[c, a], [b]] })
      }),
      { numRuns: 500 },
    )
  })

  it('works for every keyword as a table and a column name', async () => {
    const keywords = (await rows('SELECT keyword_name FROM duckdb_keywords() ORDER BY 1')).flat().map(String)
    const functions = (
      await rows(`SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_name ~ '^[a-z_]+$'`)
    )
      .flat()
      .map(String)
    const odd = ['rowid', 'current_date', 'current_user', 'localtime', 'user', 'session_user']
    expect(keywords.length).toBeGreaterThan(450)
    for (const word of new Set([...keywords, ...functions, ...odd])) {
      const bare = quoteName(word)
      const sql = `WITH "${word}" AS (SELECT 7 AS "${word}") SELECT ${bare}, ${bare} + 1, sum(${bare}) FROM ${bare} GROUP BY ${bare} ORDER BY ${bare}`
      const [row] = await rows(sql).catch((error: unknown) => {
        throw new Error(`${word}: ${String(error)}`)
      })
      expect(row?.map(Number), word).toEqual([7, 8, 7])
    }
  })

  it('quotes the reserved words in DuckDB’s own list', async () => {
    const sql = `SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category IN ('reserved', 'type_function')`
    const must = (await rows(sql)).flat().map(String)
    const keywords = (await rows('SELECT keyword_name FROM duckdb_keywords()')).flat().map(String)
    expect(keywords.filter((word) => quoteName(word) !== word).sort()).toEqual(must.sort())
  })
})

describe('quoteText', () => {
  it('has a literal for any text', async () => {
    expect(['it’s', "it's", 'a\0b', "'\0'"].map(quoteText)).toEqual([
      "'it’s'",
      "'it''s'",
      "('a' || chr(0) || 'b')",
      "('''' || chr(0) || '''')",
    ])
    const text = fc.string({ unit: fc.constantFrom('a', "'", '"', '\\', '\0', '\n', '%', '$', ';', '-', '日', '🦆') })
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 30 }), async (texts) => {
        expect(await rows(`SELECT unnest([${texts.map(quoteText).join(', ')}])`)).toEqual(texts.map((each) => [each]))
      }),
    )
  })
})
