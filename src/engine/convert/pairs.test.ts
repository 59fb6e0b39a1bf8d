import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { TARGET_FORMATS, type TargetFormat } from '../../contract/formats.ts'
import { convert } from '../testing/run.ts'
import { nativeText } from '../testing/oracle.ts'

/*
 * Converts every source format to every target format. The sources were written by other programs (native DuckDB, or
 * openpyxl for Excel), and the outputs are read by other programs: native DuckDB, SheetJS, Arrow's own library.
 */

const fixtures = new URL('../fixtures/pairs/', import.meta.url)
const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-pairs-'))

interface Expected {
  readonly columns: readonly [name: string, type: string][]
  readonly rows: readonly (string | null)[][]
}
const expected = JSON.parse(readFileSync(new URL('expected.json', fixtures), 'utf8')) as Expected
const names = expected.columns.map(([name]) => name)

const SOURCES = ['table.csv', 'table.tsv', 'table.json', 'table.ndjson', 'table.xlsx', 'table.parquet']

function fixture(name: string): File {
  return new File([readFileSync(new URL(name, fixtures))], name)
}

type Matrix = readonly (string | null)[][]

const sql = (file: string): string => `'${file.replaceAll("'", "''")}'`
const csvOptions = "header=true, quote='\"', escape='\"', nullstr='', allow_quoted_nulls=false, all_varchar=true"

const READ_BY_OTHERS: Readonly<Record<TargetFormat, (file: string) => Promise<Matrix>>> = {
  csv: (file) => nativeText(`FROM read_csv(${sql(file)}, delim=',', ${csvOptions})`),
  tsv: (file) => nativeText(`FROM read_csv(${sql(file)}, delim='\t', ${csvOptions})`),
  json: (file) =>
    nativeText(`FROM read_json(${sql(file)}, columns={${names.map((name) => `${name}: 'VARCHAR'`).join(', ')}})`),
  parquet: (file) => nativeText(`FROM read_parquet(${sql(file)})`),
  xlsx: async (file) => {
    const XLSX = await import('xlsx')
    const book = XLSX.read(readFileSync(file), { dense: true, nodim: true, cellDates: true, UTC: true })
    const rows = XLSX.utils.sheet_to_json<unknown[]>(book.Sheets[book.SheetNames[0]], {
      header: 1,
      UTC: true,
      blankrows: true,
    })
    return rows
      .slice(1)
      .map((row) => names.map((_, i) => (row[i] === undefined || row[i] === null ? null : textOf(row[i]))))
  },
  arrow: async (file) => {
    const { tableFromIPC } = await import('apache-arrow')
    const { cellToString } = await import('../arrow/text.ts')
    const { columnTypeOf } = await import('../arrow/types.ts')
    const table = tableFromIPC(readFileSync(file))
    return table.batches.flatMap((batch) =>
      Array.from({ length: batch.numRows }, (_, row) =>
        batch.schema.fields.map((field, i) => cellToString(columnTypeOf(field.type), batch.data.children[i], row)),
      ),
    )
  },
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString().replace('T', ' ').replace('Z', '') : String(value)
}

/** Equal as text, as numbers, or as times to the millisecond, which is all that a Date holds. */
function sameCell(found: string | null, wanted: string | null, source: string, target: TargetFormat): boolean {
  if (found === wanted) return true
  // openpyxl omits cells with empty text.
  if (source === 'table.xlsx' && wanted === '') return found === null
  if (found === null || wanted === null) return false
  if (/^-?[0-9.]+(e[+-]?\d+)?$/i.test(wanted) && /^-?[0-9.]+(e[+-]?\d+)?$/i.test(found)) {
    const long = wanted.replace(/\D/g, '').length > 15
    return !/^0\d/.test(wanted) && !long && Number(found) === Number(wanted)
  }
  const day = /^\d{4}-\d{2}-\d{2}/
  if (!day.test(wanted) || !day.test(found)) return false
  const moment = (text: string): number => Date.parse(`${text.replace(' ', 'T')}${text.length > 10 ? 'Z' : ''}`)
  return (
    (target === 'xlsx' || source === 'table.xlsx' || moment(found) === Date.parse(found)) &&
    moment(found) === moment(wanted)
  )
}

describe.each(SOURCES)('%s', (source) => {
  it.each(TARGET_FORMATS.map(({ id }) => id))('to %s', async (target) => {
    const { result, files } = await convert(fixture(source), target)
    expect(result.rejectedCount).toBe(0)
    expect(result.outputs[0].receipts[0]).toMatchObject({ verdict: 'match', differences: [] })
    const [output] = files
    const file = path.join(folder, `${source.replace('.', '-')}.${output.name.split('.').pop() ?? ''}`)
    writeFileSync(file, new Uint8Array(await output.arrayBuffer()))
    const found = await READ_BY_OTHERS[target](file)
    expect(found).toHaveLength(expected.rows.length)
    for (const [r, row] of expected.rows.entries()) {
      for (const [c, wanted] of row.entries()) {
        const cell = found[r][c]
        expect(sameCell(cell, wanted, source, target), `${names[c]} of row ${r + 1}: ${cell} for ${wanted}`).toBe(true)
      }
    }
  })
})
