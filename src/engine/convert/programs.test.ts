import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { VARCHAR } from '../../tables/types.ts'
import { cellToString } from '../arrow/text.ts'
import { inspect } from '../testing/run.ts'
import { readTable } from './read-table.ts'

/* One table as written by R, pandas, SQLite, MariaDB, PostgreSQL, gawk, iconv and Gnumeric. */

/** What `formats/csv/fixtures/make-programs.py` records about a file: its values as written, null for missing ones. */
interface Made {
  /** The program, its version, and its options. */
  readonly made: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
}

const files = ['csv', 'json', 'xlsx'].flatMap((format) => {
  const folder = fileURLToPath(new URL(`../formats/${format}/fixtures/programs/`, import.meta.url))
  const names = readdirSync(folder).filter((name) => !name.endsWith('.expected.json'))
  return names.map((name) => [name, folder + name] as const)
})

async function read(path: string, name: string) {
  const file = new File([readFileSync(path)], name)
  const { inspection } = await inspect(file)
  const [table] = inspection.tables
  const settings =
    inspection.settings.kind === 'csv' ? { ...inspection.settings, nullStrings: [] } : inspection.settings
  const columns = table.columns.map(({ index, source }) => ({ index, source, type: VARCHAR }))
  const request = { format: inspection.format, settings, table: table.name, columns }
  const rows: string[][] = []
  for await (const { batch } of readTable(file, request, {
    signal: AbortSignal.timeout(60_000),
    progress: () => undefined,
  })) {
    for (let row = 0; row < batch.numRows; row++) {
      rows.push(batch.data.children.map((data) => cellToString(VARCHAR, data, row) ?? ''))
    }
  }
  return { table, rows }
}

describe('one table, as other programs write it', () => {
  it('is there in many forms', () => expect(files.length).toBeGreaterThanOrEqual(40))

  it.each(files)('%s', async (name, path) => {
    const { header, rows } = JSON.parse(readFileSync(`${path}.expected.json`, 'utf8')) as Made
    const found = await read(path, name)
    expect(found.table.columns.map(({ source }) => source)).toEqual(header)
    expect(found.rows).toEqual(rows.map((row) => row.map((cell) => cell ?? '')))
    expect(found.table).toMatchObject({ rows: rows.length, rejectedCount: 0 })
  })
})
