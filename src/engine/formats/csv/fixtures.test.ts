import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { CsvSettings } from '../../../tables/settings.ts'
import { csvReader, tsvReader } from './reader.ts'
import { readAll, texts } from './testing.ts'
import { QUIET } from '../../testing/quiet.ts'

const folder = fileURLToPath(new URL('./fixtures/', import.meta.url))
const names = readdirSync(folder).filter((name) => name.includes('.') && !/\.(json|py|mjs)$/.test(name))
interface Expected {
  readonly settings: Record<string, unknown>
  readonly header: string[] | null
  readonly types: string[]
  readonly rows: string[][]
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
    const settings = { ...inspection.settings, nullStrings: [] } as CsvSettings
    const asText = await readAll(file, { ...inspection, settings }, texts(inspection))
    expect(asText).toMatchObject({ rows: expected.rows, rejected: [] })
    const withNulls = await readAll(file, inspection, texts(inspection))
    expect(withNulls.rows.map((row) => row.map((cell) => cell ?? ''))).toEqual(expected.rows)
    expect(withNulls.rejected).toEqual([])
    // Every value must fit its column's proposed type.
    expect((await readAll(file, inspection)).rejected).toEqual([])
    const asTsv = await tsvReader.inspect(file, {}, QUIET)
    if (!name.startsWith('one-column')) expect(asTsv.settings).toMatchObject(expected.settings)
  })
})
