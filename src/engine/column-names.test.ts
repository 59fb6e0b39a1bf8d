import { expect, it } from 'vitest'
import { parseType } from '../tables/types.ts'
import { fileOf as arrowFile, NONE, type TestField } from './formats/arrow/testing/encode.ts'
import { parquetWriter } from './formats/parquet/writer.ts'
import { withFooter } from './formats/parquet/testing/footer.ts'
import { writeAll } from './formats/parquet/testing/oracle.ts'
import { OPTIONS } from './formats/parquet/testing/mixed.ts'
import { makeBook } from './formats/xlsx/testing/read.ts'
import { fileOf } from './testing/bad-input.ts'
import { inspect } from './testing/run.ts'
import { batchOf } from './testing/arbitrary.ts'

/* All formats name columns by the same rule, so that a recipe made for one fits another. */

const SOURCES = ['total', 'total', '', 'total_1', 'total', ' ']
const NAMES = ['total', 'total_2', 'column_3', 'total_1', 'total_3', 'column_6']

const typed = (names: readonly string[]): { name: string; type: ReturnType<typeof parseType> }[] =>
  names.map((name) => ({ name, type: parseType('INTEGER') }))
const cells = SOURCES.map((_, i) => [String(i)])

function excel(): File {
  const texts = SOURCES.map(
    (name, i) => `<c r="${'ABCDEF'[i]}1" t="inlineStr"><is><t xml:space="preserve">${name}</t></is></c>`,
  )
  const values = SOURCES.map((_, i) => `<c r="${'ABCDEF'[i]}2"><v>${i}</v></c>`)
  return makeBook({ sheets: [`<row r="1">${texts.join('')}</row><row r="2">${values.join('')}</row>`] })
}

async function parquet(): Promise<File> {
  const columns = typed(SOURCES.map((_, i) => `c${i}`))
  const { file } = await writeAll(parquetWriter, columns, [batchOf({ columns, cells })], OPTIONS)
  return withFooter(file, ({ schema, row_groups: [group] }) => {
    for (const [i, name] of SOURCES.entries()) {
      Object.assign(schema[i + 1] ?? {}, { name })
      Object.assign(group?.columns[i]?.meta_data ?? {}, { path_in_schema: [name] })
    }
  })
}

function arrow(): File {
  const fields = SOURCES.map((name): TestField => ({ name, type: 'Bool' }))
  const nodes = SOURCES.map(() => [0, 0] as const)
  return arrowFile(fields, [{ rows: 0, nodes, buffers: SOURCES.flatMap(() => [NONE, NONE]) }])
}

const FILES: Readonly<Record<string, () => File | Promise<File>>> = {
  csv: () => fileOf('x.csv', `${SOURCES.join(',')}\n0,1,2,3,4,5\n`),
  tsv: () => fileOf('x.tsv', `${SOURCES.join('\t')}\n0\t1\t2\t3\t4\t5\n`),
  json: () => fileOf('x.json', JSON.stringify({ columns: SOURCES, data: [[0, 1, 2, 3, 4, 5]] })),
  xlsx: excel,
  parquet,
  arrow,
}

it.each(Object.keys(FILES))('duplicate and empty names in %s become unique', async (format) => {
  const { inspection } = await inspect(await FILES[format]())
  expect(inspection.format).toBe(format)
  expect(inspection.tables[0].columns.map(({ source, name }) => [source, name])).toEqual(
    SOURCES.map((source, i) => [source, NAMES[i]]),
  )
})
