import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isNested, parseType } from '../../../tables/types.ts'
import { nativeRows, nativeText } from '../../testing/oracle.ts'
import { fileOf, load, typesOf } from './testing.ts'

/*
 * Files made by other programs: Python's json and gzip, jq, iconv, native DuckDB. For each family of files, the test
 * says what must be found; the values must be those that native DuckDB reads for the same types.
 */

const FOLDER = fileURLToPath(new URL('fixtures/', import.meta.url))
const EXPECTED = new Map([
  ['python', JSON.parse(readFileSync(`${FOLDER}expected-python.json`, 'utf8')) as string[]],
  ['duckdb', JSON.parse(readFileSync(`${FOLDER}expected-duckdb.json`, 'utf8')) as string[]],
])
/** For each family, a file that DuckDB can read directly. */
const PLAIN = new Map([
  ['python', 'python-lines.ndjson'],
  ['duckdb', 'duckdb-lines.ndjson'],
])
const LAYOUTS: Readonly<Record<string, object>> = {
  'bom.ndjson': { layout: 'lines', encoding: 'utf-8' },
  'duckdb-array.json': { layout: 'array' },
  'duckdb-lines.ndjson': { layout: 'lines' },
  'iconv-utf16.ndjson': { layout: 'lines', encoding: 'utf-16le' },
  'jq-concatenated.json': { layout: 'array' },
  'python-columns.json': { layout: 'columns' },
  'python-indented.json': { layout: 'array' },
  'python-lines.ndjson': { layout: 'lines' },
  'python-lines.ndjson.gz': { layout: 'lines', compression: 'gzip' },
  'python-wrapped.json': { layout: 'array', path: ['data', 'items'] },
}

/** jq 1.6 rounds integers. */
const ROUNDED = ['huge', 'big', 'unsigned', 'sci']

const names = readdirSync(FOLDER).filter((name) => name.includes('.') && !name.startsWith('expected'))

/** JSON text in a normalized form, whichever program wrote it. */
function normal(text: string | null, nested: boolean): string | null {
  return text === null || !nested ? text : JSON.stringify(JSON.parse(text))
}

it('has an expectation for every file', () => {
  expect(names.sort()).toEqual(Object.keys(LAYOUTS).sort())
})

describe.each(names)('%s', (name) => {
  const family = name.startsWith('duckdb') ? 'duckdb' : 'python'
  const loaded = () => load(fileOf(new Uint8Array(readFileSync(FOLDER + name)), name))
  // Python's columns lack keys that aren't in the first row; jq 1.6 rounds integers.
  const complete = name !== 'python-columns.json' && name !== 'jq-concatenated.json'

  it('is understood', async () => {
    const { inspection, rejected } = await loaded()
    expect(inspection.settings).toMatchObject({ compression: null, encoding: 'utf-8', path: [], ...LAYOUTS[name] })
    expect(rejected).toEqual([])
    const expected = EXPECTED.get(family) ?? []
    expect(complete ? typesOf(inspection) : []).toEqual(complete ? expected : [])
  })

  it('has the values that native DuckDB reads', async () => {
    const { inspection, rows } = await loaded()
    const columns = (inspection.tables[0]?.columns ?? []).filter(({ source }) => complete || !ROUNDED.includes(source))
    const types = columns.map(({ source, type }) => `'${source}': '${type.replaceAll("'", "''")}'`).join(', ')
    const inJson = columns.map(({ type }) => isNested(parseType(type)) || ['DOUBLE', 'JSON'].includes(type))
    const select = columns.map(({ source }, i) => (inJson[i] ? `to_json("${source}") AS "${source}"` : `"${source}"`))
    await nativeRows(`SET TimeZone = 'UTC'`)
    const native = await nativeText(
      `SELECT ${select.join(', ')} FROM read_json('${FOLDER}${PLAIN.get(family)}', format = 'newline_delimited', columns = {${types}})`,
    )
    const indexes = columns.map(({ index }) => index)
    const ours = rows.map((row) => indexes.map((index, i) => normal(row[index], inJson[i])))
    expect(ours).toEqual(native.map((row) => row.map((cell, i) => normal(cell, inJson[i]))))
  })
})
