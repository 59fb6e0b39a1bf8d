import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseType, VARCHAR, type ColumnType } from '../../../tables/types.ts'
import { cellToString } from '../../arrow/text.ts'
import { csvReader, tsvReader } from './reader.ts'
import { QUIET } from '../../testing/quiet.ts'

const folder = fileURLToPath(new URL('./fixtures/', import.meta.url))
const names = readdirSync(folder).filter((name) => name.includes('.') && !/\.(json|py|mjs)$/.test(name))
interface Expected {
  readonly settings: Record<string, unknown>
  readonly header: string[] | null
  readonly types: string[]
  readonly rows: string[][]
}

async function readAll(file: File, settings: Parameters<typeof csvReader.read>[1]['settings'], types: ColumnType[]) {
  const columns = types.map((type, index) => ({ index, source: '', type }))
  const rows: (string | null)[][] = []
  for await (const { batch, rejected } of csvReader.read(file, { settings, table: null, columns }, QUIET)) {
    expect(rejected).toEqual([])
    const cells = batch.data.children
    for (let row = 0; row < batch.numRows; row++) rows.push(types.map((type, i) => cellToString(type, cells[i], row)))
  }
  return rows
}

describe('files by other programs', () => {
  it('are there', () => expect(names.length).toBeGreaterThan(12))

  it.each(names)('%s', async (name) => {
    const expected = JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')) as Expected
    const file = new File([readFileSync(folder + name)], name)
    const inspection = await csvReader.inspect(file, {}, QUIET)
    const [table] = inspection.tables
    expect(inspection.settings).toMatchObject(expected.settings)
    if (expected.header) expect(table.columns.map(({ source }) => source)).toEqual(expected.header)
    expect(table.columns.map(({ type }) => type)).toEqual(expected.types)
    expect(table).toMatchObject({ rows: expected.rows.length, rejectedCount: 0 })
    // Every way of reading must start from the same text.
    const asText = await readAll(
      file,
      { ...inspection.settings, nullStrings: [] } as never,
      expected.types.map(() => VARCHAR),
    )
    expect(asText).toEqual(expected.rows)
    const typed = await readAll(
      file,
      inspection.settings,
      expected.types.map(() => VARCHAR),
    )
    expect(typed.map((row) => row.map((cell) => cell ?? ''))).toEqual(expected.rows)
    // Every value must fit its column's proposed type.
    const columns = table.columns.map(({ index, source, type, format }) => ({
      index,
      source,
      type: parseType(type),
      format,
    }))
    for await (const { rejected } of csvReader.read(
      file,
      { settings: inspection.settings, table: null, columns },
      QUIET,
    )) {
      expect(rejected).toEqual([])
    }
    const asTsv = await tsvReader.inspect(file, {}, QUIET)
    if (!name.startsWith('one-column')) expect(asTsv.settings).toMatchObject(expected.settings)
  })
})
