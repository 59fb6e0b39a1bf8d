import { beforeAll, describe, expect, it } from 'vitest'
import type { FormatId } from '../../contract/formats.ts'
import type { Receipt } from '../../tables/receipt.ts'
import { formatCells } from '../result/copy.ts'
import type { CopyFormat } from '../result/types.ts'
import { nativeRows } from '../testing/oracle.ts'
import { convert } from '../testing/run.ts'
import { Session } from '../testing/session.ts'
import type { ResultSet } from '../sql-session.ts'

let session: Session
beforeAll(async () => {
  session = await Session.open()
}, 120_000)

const copied = (set: ResultSet, format: CopyFormat): Promise<string> =>
  formatCells(set, { rows: { from: 0, to: set.rowCount }, columns: set.columns.map((_, i) => i) }, format, {
    headers: false,
  })

const exported = async (set: ResultSet, format: FormatId): Promise<{ file: File; receipt: Receipt }> => {
  const { result, files } = await convert(await set.file('result.arrow'), format)
  return { file: files[0], receipt: result.outputs[0].receipts[0] }
}

describe('infinite dates and timestamps', () => {
  const types = ['DATE', 'TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS', 'TIMESTAMP WITH TIME ZONE']
  const values = types.flatMap((type) => [`'infinity'::${type}`, `'-infinity'::${type}`])
  const texts = values.map((value) => /-?infinity/.exec(value)?.[0] ?? '')
  const run = () =>
    session.run(
      `SELECT COLUMNS(*) AS c FROM (SELECT ${values.join(', ')}, ['infinity'::DATE, NULL], {t: '-infinity'::TIMESTAMPTZ})`,
    )

  it('are what native DuckDB calls them', async () => {
    const [row] = await nativeRows(`SELECT ${values.map((value) => `(${value})::VARCHAR`).join(', ')}`)
    expect(row).toEqual(texts)
    const { cells } = await run()
    expect(cells).toEqual([[...texts, '["infinity",null]', '{"t":"-infinity"}']])
  })

  it('are copied by their names', async () => {
    const { result } = await run()
    const nested = ['["infinity",null]', '{"t":"-infinity"}']
    expect(await copied(result, 'tsv')).toBe([...texts, ...nested.map((text) => `"${text.replaceAll('"', '""')}"`)].join('\t')) // prettier-ignore
    const [row] = JSON.parse(await copied(result, 'json')) as Record<string, unknown>[]
    expect(Object.values(row)).toEqual([...texts, ['infinity', null], { t: '-infinity' }])
    const list = await copied((await session.run(`SELECT ${values.join(', ')}`)).result, 'in-list')
    const [[same]] = await nativeRows(`SELECT (${values.join(', ')}) IN ${list}`)
    expect(same).toBe(true)
  })

  it.each(['csv', 'tsv', 'json'] as const)('are exported by their names as %s', async (format) => {
    const { result } = await run()
    const { file, receipt } = await exported(result, format)
    expect(receipt.verdict).toBe('match')
    expect(receipt.found.columns.slice(0, 12).map(({ min, max }) => [min, max])).toEqual(texts.map((text) => [text, text])) // prettier-ignore
    const text = await file.text()
    expect(text.match(/-?infinity/g)).toHaveLength(texts.length + 2)
    expect(text).not.toMatch(/\d{4}-\d\d-\d\d/)
  })

  it.each(['parquet', 'arrow'] as const)('come back from %s', async (format) => {
    const { result } = await run()
    const { file } = await exported(result, format)
    const back = await convert(file, 'csv')
    const line = (await back.files[0].text()).split('\n')[1]
    expect(line.split(',').slice(0, 12)).toEqual(texts)
  })

  it('are told of for Excel, which has none', async () => {
    const { result } = await run()
    const { receipt } = await exported(result, 'xlsx')
    expect(receipt.verdict).toBe('match')
    const told = receipt.changes.filter(({ code }) => code === 'dates-as-text')
    expect(told.reduce((sum, { count = 0 }) => sum + count, 0)).toBe(texts.length)
  })
})

describe('NaN and infinities within lists, structs and maps', () => {
  const run = () => session.run(`SELECT ['NaN'::DOUBLE, 'inf'::DOUBLE, NULL, 1] AS l, {a: '-inf'::FLOAT} AS s, MAP {'NaN'::DOUBLE: 'k'} AS m`) // prettier-ignore

  it('are shown and copied, apart from nulls', async () => {
    const { result, cells } = await run()
    expect(cells).toEqual([['["NaN","Infinity",null,1.0]', '{"a":"-Infinity"}', '[{"key":"NaN","value":"k"}]']])
    expect(JSON.parse(await copied(result, 'json'))).toEqual([
      { l: ['NaN', 'Infinity', null, 1], s: { a: '-Infinity' }, m: [{ key: 'NaN', value: 'k' }] },
    ])
    const list = await copied((await session.run("SELECT ['NaN'::DOUBLE, '-inf'::DOUBLE, NULL, 1]")).result, 'in-list')
    expect(await nativeRows(`SELECT ['NaN'::DOUBLE, '-inf'::DOUBLE, NULL, 1] IN ${list}`)).toEqual([[true]])
  })
})
