import { describe, expect, it } from 'vitest'
import { defaultOptions } from '../../tables/plan.ts'
import type { Difference } from '../../tables/receipt.ts'
import { parseType, printType, type Column } from '../../tables/types.ts'
import { makeColumnBuilder } from '../columns/builder.ts'
import { Fingerprinter } from './fingerprint/fingerprint.ts'
import { batchFromColumns } from '../arrow/batch.ts'
import { writerOf } from '../formats/registry.ts'
import { MemorySink } from '../../lib/sink.ts'
import { convert } from '../testing/run.ts'
import type { TableTransfer } from './transfer.ts'
import { verifyTable } from './verify.ts'
import { QUIET } from '../testing/quiet.ts'

const SCALARS = [
  'BOOLEAN',
  'TINYINT',
  'SMALLINT',
  'INTEGER',
  'BIGINT',
  'HUGEINT',
  'UTINYINT',
  'USMALLINT',
  'UINTEGER',
  'UBIGINT',
  'FLOAT',
  'DOUBLE',
  'VARCHAR',
  'BLOB',
  'UUID',
  'DATE',
  'TIME',
  'TIMESTAMP',
  'TIMESTAMP_S',
  'TIMESTAMP_MS',
  'TIMESTAMP_NS',
  'TIMESTAMP WITH TIME ZONE',
  'INTERVAL',
]

interface Table {
  readonly name: string
  readonly type: string
  readonly values: readonly string[]
}

/** Writes one table, and verifies the file as if another one had been written. */
async function differences(format: 'parquet' | 'arrow', written: Table, sent: Table): Promise<readonly Difference[]> {
  const sink = new MemorySink()
  const writer = (await writerOf(format)).open(sink, defaultOptions(format), QUIET)
  const batch = (table: Table) => {
    const builder = makeColumnBuilder(parseType(table.type))
    for (const value of table.values) builder.appendText(new TextEncoder().encode(value), 0, value.length)
    return batchFromColumns([builder.finish()], table.values.length)
  }
  const columns = ({ name, type }: Table): Column[] => [{ name, type: parseType(type) }]
  await writer.begin({ name: 'table', columns: columns(written) })
  await writer.write(batch(written))
  const { readBack } = await writer.finish()
  const fingerprinter = new Fingerprinter(columns(sent))
  fingerprinter.add(batch(sent))
  const transfer = { columns: columns(sent), expected: fingerprinter.finish() } as unknown as TableTransfer
  return (await verifyTable(sink.file('a'), format, transfer, readBack[0], QUIET)).differences
}

describe.each(['parquet', 'arrow'] as const)('the verification of a file of %s', (format) => {
  const table: Table = { name: 'id', type: 'BIGINT', values: ['1', '2'] }

  it('has nothing to say of the table that was sent', async () => {
    expect(await differences(format, table, table)).toEqual([])
  })

  it.each([
    ...SCALARS,
    'DECIMAL(5,2)',
    'DECIMAL(38,0)',
    'TIMESTAMP_S[]',
    'MAP(UUID, HUGEINT[])',
    'STRUCT("a.b" FLOAT, c TIME[])',
  ])('finds %s as it was sent, or as what the format has in its place', async (name) => {
    const adapted = (await writerOf(format)).adapt({ name: 'id', type: parseType(name) }, defaultOptions(format))
    const empty: Table = { name: 'id', type: printType(adapted?.type ?? parseType(name)), values: [] }
    expect(await differences(format, empty, empty)).toEqual([])
  })

  it('tells a column of another type, though its values can be cast', async () => {
    const found = await differences(format, { ...table, type: 'INTEGER' }, table)
    expect(found).toEqual([{ column: 'id', what: 'type', expected: 'BIGINT', found: 'INTEGER' }])
  })

  it('tells a column of another name', async () => {
    const found = await differences(format, { ...table, name: 'Id' }, table)
    expect(found).toEqual([{ column: 'id', what: 'name', expected: 'id', found: 'Id' }])
  })

  it('tells both of a table without rows', async () => {
    const found = await differences(format, { name: 'Id', type: 'INTEGER', values: [] }, { ...table, values: [] })
    expect(found.map(({ what }) => what)).toEqual(['name', 'type'])
  })
})

it('says what changed in a workbook’s table on the receipt of that table', async () => {
  const source = await convert(new File(['a\n1\n'], 'a.csv'), 'xlsx')
  const XLSX = await import('xlsx')
  const book = XLSX.read(await source.files[0].arrayBuffer())
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['b'], ['9007199254740993']]), 'second')
  const two = new File([XLSX.write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer], 'two.xlsx')
  const { result } = await convert(two, 'xlsx', defaultOptions('xlsx'), (plan) => ({
    ...plan,
    tables: plan.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => (column.name === 'b' ? { ...column, type: 'BIGINT' } : column)),
    })),
  }))
  const changes = result.outputs[0].receipts.map((receipt) => receipt.changes.map(({ code, column }) => [code, column]))
  expect(changes).toEqual([
    [],
    [
      ['retyped-by-you', 'b'],
      ['long-numbers', 'b'],
    ],
  ])
})
