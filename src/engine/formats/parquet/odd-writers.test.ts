import type { ColumnMetaData, FileMetaData, SchemaElement } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { cellToString } from '../../arrow/text.ts'
import { withFooter } from './testing/footer.ts'
import { parquetReader } from './reader.ts'
import { duckParquet, readAll, saveFile } from './testing/oracle.ts'
import { nativeRows } from '../../testing/oracle.ts'
import { rewrite } from './testing/mixed.ts'
import { QUIET } from '../../testing/quiet.ts'

/*
 * Files as made by old or unusual writers, which native DuckDB can read. The pages come from another writer, and the
 * footers are made up.
 */

const QUERY = `SELECT i % 5 AS a, 't' || (i % 7) AS s, i::DOUBLE AS d, (i / 100)::DECIMAL(9,2) AS m FROM range(5000) r(i)`

function eachChunk(footer: FileMetaData, change: (chunk: ColumnMetaData) => void): void {
  for (const { meta_data: chunk } of footer.row_groups.flatMap(({ columns }) => columns)) if (chunk) change(chunk)
}

/** Reads the file and writes it again; native DuckDB must find the same values in both. */
async function expectSame(file: File, rows = 5000): Promise<void> {
  const [from, to] = [await saveFile(file), await rewrite(file)]
  expect(await nativeRows(`SELECT count(*) FROM (FROM '${from}' EXCEPT ALL FROM '${to}')`)).toEqual([['0']])
  expect(await nativeRows(`SELECT count(*) FROM '${to}'`)).toEqual([[String(rows)]])
}

async function cells(file: File): Promise<[type: string, ...(string | null)[]][]> {
  const { columns, batches } = await readAll(parquetReader, file)
  const { tables } = await parquetReader.inspect(file, {}, QUIET)
  return columns.map(({ type }, i) => [
    tables[0].columns[i].type,
    ...batches.flatMap(({ data, numRows }) =>
      Array.from({ length: numRows }, (_, row) => cellToString(type, data.children[i], row)),
    ),
  ])
}

describe('column chunks that aren’t as the footer says', () => {
  it.each<[string, (chunk: ColumnMetaData) => void]>([
    ['0 for a dictionary that isn’t there', (chunk) => (chunk.dictionary_page_offset ??= 0n)],
    [
      '0 for a dictionary that the data begin with',
      (chunk) => {
        chunk.data_page_offset = chunk.dictionary_page_offset ?? chunk.data_page_offset
        chunk.dictionary_page_offset = 0n
      },
    ],
    [
      'sizes without the dictionary’s header',
      (chunk) => {
        if (chunk.dictionary_page_offset) chunk.total_compressed_size -= 14n
      },
    ],
    ['sizes that weren’t filled in', (chunk) => (chunk.total_compressed_size = 0n)],
    ['a count of nulls below zero', (chunk) => (chunk.statistics = { null_count: -1n })],
    ['no statistics', (chunk) => delete chunk.statistics],
  ])('%s', async (_, change) => {
    for (const options of [
      '',
      'COMPRESSION zstd, PARQUET_VERSION v2',
      'COMPRESSION uncompressed, ROW_GROUP_SIZE 2048',
    ]) {
      const { file } = await duckParquet(QUERY, options)
      await expectSame(await withFooter(file, (footer) => eachChunk(footer, change)))
    }
  })

  it('bounds of another width', async () => {
    const { file } = await duckParquet(QUERY)
    const odd = await withFooter(file, (footer) => {
      const [, texts, doubles] = footer.row_groups[0]?.columns ?? []
      if (!texts?.meta_data || !doubles?.meta_data) throw new Error('no columns')
      // The path makes the writer treat them as texts; readers go by position.
      doubles.meta_data.path_in_schema = texts.meta_data.path_in_schema
      doubles.meta_data.statistics = { min: 'x', max: 'yy', min_value: '', max_value: 'zzz' }
    })
    const sound = await readAll(parquetReader, file)
    expect((await readAll(parquetReader, odd)).fingerprint).toEqual(sound.fingerprint)
  })

  it('no row groups at all, in a list that doesn’t say of what', async () => {
    const { file } = await duckParquet(QUERY)
    const none = await withFooter(file, (footer) => Object.assign(footer, { num_rows: 0n, row_groups: [] }))
    expect((await readAll(parquetReader, none)).rows).toBe(0)
    await expectSame(none, 0)
  })
})

describe('decimals', () => {
  const decimal = (file: File, precision: number, scale = 2): Promise<File> =>
    withFooter(file, ({ schema }) => {
      const element = schema.find(({ name }) => name === 'm')
      Object.assign(element ?? {}, { precision, scale, logical_type: { type: 'DECIMAL', precision, scale } })
    })

  it('with more digits than their type allows are read wider, and it’s told', async () => {
    const { file } = await duckParquet(QUERY)
    const odd = await decimal(file, 3)
    const { tables } = await parquetReader.inspect(odd, {}, QUIET)
    expect(tables[0].columns[3].type).toBe('DECIMAL(4,2)')
    expect(tables[0].notes[1]).toMatchObject({ code: 'decimal-widened', column: 'm' })
    await expectSame(odd)
  })

  it('are refused by name and value when nothing said so before', async () => {
    const { file } = await duckParquet(QUERY)
    const odd = await withFooter(await decimal(file, 3), (footer) =>
      eachChunk(footer, (chunk) => delete chunk.statistics),
    )
    await expect(readAll(parquetReader, odd)).rejects.toMatchObject({
      code: 'corrupt-file',
      message: 'The file has a number, 10.00, with more digits than its type DECIMAL(3,2) allows.',
      place: 'column “m”',
    })
  })

  it.each([18, 38])('of 32 bits may be called %i digits wide', async (precision) => {
    const { file } = await duckParquet(QUERY)
    const odd = await decimal(file, precision)
    expect((await cells(odd))[3]?.slice(0, 3)).toEqual([`DECIMAL(${precision},2)`, '0.00', '0.01'])
    if (precision === 18) await expectSame(odd)
  })

  it.each([
    [2, 4],
    [0, 0],
    [9, -2],
  ])('that can’t be, DECIMAL(%i,%i), are named', async (precision, scale) => {
    const { file } = await duckParquet(QUERY)
    const refused = readAll(parquetReader, await decimal(file, precision, scale))
    const message = `Column “m” is a DECIMAL(${precision},${scale}), which no number fits.`
    await expect(refused).rejects.toMatchObject({ code: 'corrupt-file', message })
  })
})

describe('lists of older writers', () => {
  const outer = (repetition: 'REQUIRED' | 'OPTIONAL'): SchemaElement[] => [
    { name: 'root', num_children: 1 },
    { name: 'l', num_children: 1, converted_type: 'LIST', repetition_type: repetition },
    { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
  ]
  const integer: SchemaElement = { name: 'element', type: 'INT32', repetition_type: 'REQUIRED' }
  const group: SchemaElement[] = [
    { name: 'element', num_children: 2, repetition_type: 'REQUIRED' },
    { name: 'x', type: 'INT32', repetition_type: 'OPTIONAL' },
    { name: 'y', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
  ]
  const integers = [[1, 2], [], [3]]
  const groups = [[{ x: 1, y: 'a' }], [], [{ x: 2 }, { y: 'b' }]]

  /** Levels are the same with fewer groups around, as long as these groups are required. */
  async function made(schema: SchemaElement[], data: unknown[], shown: SchemaElement[]): Promise<File> {
    const buffer = parquetWriteBuffer({ schema, columnData: [{ name: 'l', data }] })
    const paths = shown.filter(({ type }) => type).map(({ name }) => name)
    const prefix = shown.filter(({ type, num_children }, i) => i > 0 && !type && num_children).map(({ name }) => name)
    return withFooter(new File([buffer], 'lists.parquet'), (footer) => {
      footer.schema = shown
      for (const [i, { meta_data: chunk }] of (footer.row_groups[0]?.columns ?? []).entries())
        if (chunk) chunk.path_in_schema = [...prefix, paths[i] ?? '']
    })
  }
  const [root, optional] = outer('OPTIONAL') as [SchemaElement, SchemaElement, SchemaElement]
  const repeated = { repetition_type: 'REPEATED' } as const

  it.each<[string, () => Promise<File>, string[]]>([
    [
      'a repeated field without annotation',
      () => made([...outer('REQUIRED'), integer], integers, [root, { ...integer, ...repeated, name: 'l' }]),
      ['INTEGER[]', '[1,2]', '[]', '[3]'],
    ],
    [
      'a repeated group without annotation',
      () =>
        made([...outer('REQUIRED'), ...group], groups, [
          root,
          { ...group[0], ...repeated, name: 'l' },
          ...group.slice(1),
        ]),
      ['STRUCT(x INTEGER, y VARCHAR)[]', '[{"x":1,"y":"a"}]', '[]', '[{"x":2,"y":null},{"x":null,"y":"b"}]'],
    ],
    ...['array', 'l_tuple', 'bag'].map((name): [string, () => Promise<File>, string[]] => [
      `two levels, the lower named ${name}`,
      () => made([...outer('OPTIONAL'), integer], integers, [root, optional, { ...integer, ...repeated, name }]),
      ['INTEGER[]', '[1,2]', '[]', '[3]'],
    ]),
    ...['array', 'l_tuple'].map((name): [string, () => Promise<File>, string[]] => [
      `two levels, a group named ${name}`,
      () =>
        made([...outer('OPTIONAL'), ...group], groups, [
          root,
          optional,
          { ...group[0], ...repeated, name },
          ...group.slice(1),
        ]),
      ['STRUCT(x INTEGER, y VARCHAR)[]', '[{"x":1,"y":"a"}]', '[]', '[{"x":2,"y":null},{"x":null,"y":"b"}]'],
    ]),
    [
      'a group of one field named array',
      () =>
        made(
          [...outer('OPTIONAL'), { ...group[0], num_children: 1 }, { ...integer, name: 'x' }],
          [[{ x: 1 }], [], [{ x: 2 }]],
          [root, optional, { name: 'array', num_children: 1, ...repeated }, { ...integer, name: 'x' }],
        ),
      ['STRUCT(x INTEGER)[]', '[{"x":1}]', '[]', '[{"x":2}]'],
    ],
  ])('%s', async (_, make, expected) => {
    const file = await make()
    expect(await cells(file)).toEqual([expected])
    // By the specification's rules for older lists. DuckDB reads such a group as the outer part of a list.
    if (expected[0] !== 'STRUCT(x INTEGER)[]') await expectSame(file, 3)
  })
})
