import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { EngineError } from '../../errors.ts'
import { inspectFile } from '../inspect.ts'
import type { StoredTable } from '../../storage/table-types.ts'
import { ingestFile } from './ingest.ts'
import { MemoryTables, type PendingTable } from '../../storage/tables.ts'
import { nativeRows, nativeText, nativeTypes } from '../../testing/oracle.ts'
import { load, loadText, type Loaded } from '../../testing/tables.ts'
import { QUIET } from '../../testing/quiet.ts'
import { planFrom } from '../../../tables/edits.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tables-ingest-'))
let next = 0
/** The contents of a table's file according to native DuckDB. */
async function native({ file }: Loaded): Promise<{ types: [string, string][]; rows: (string | null)[][] }> {
  const name = `n${next++}`
  const at = path.join(folder, `${name}.db`)
  writeFileSync(at, new Uint8Array(await file.arrayBuffer()))
  await nativeRows(`ATTACH '${at}' AS ${name} (READ_ONLY)`)
  const [[table]] = await nativeRows(`SELECT table_name FROM duckdb_tables() WHERE database_name = '${name}'`)
  const source = `${name}.main.${String(table)}`
  return { types: await nativeTypes(`SELECT * FROM ${source}`), rows: await nativeText(`SELECT * FROM ${source}`) }
}

/** A storage that damages what it stores. */
class DamagedTables extends MemoryTables {
  private readonly damage: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
  private readonly failure: EngineError | undefined
  constructor(damage: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>, failure?: EngineError) {
    super()
    this.damage = damage
    this.failure = failure
  }
  override async create(...request: Parameters<MemoryTables['create']>): Promise<PendingTable> {
    const pending = await super.create(...request)
    return {
      ...pending,
      failure: this.failure,
      commit: async () => {
        const file = await pending.commit()
        return new File([this.damage(new Uint8Array(await file.arrayBuffer()))], file.name)
      },
    }
  }
}

const pairs = (name: string): File =>
  new File([readFileSync(path.join(import.meta.dirname, '../../fixtures/pairs', name))], name)

describe('ingestFile', () => {
  it('keeps names, types and values', async () => {
    const text = 'id,Id,amount,day,moment,note\n1,2,1.50,2024-01-01,2024-01-01 10:00:00,"a, ""b"""\n-3,4,,,,\n'
    const loaded = await loadText(text)
    expect(loaded.stored).toMatchObject({ rowCount: 2, byteSize: loaded.file.size })
    const { types, rows } = await native(loaded)
    expect(types).toEqual([
      ['id', 'INTEGER'],
      ['Id_1', 'INTEGER'],
      ['amount', 'DECIMAL(3,2)'],
      ['day', 'DATE'],
      ['moment', 'TIMESTAMP'],
      ['note', 'VARCHAR'],
    ])
    expect(loaded.stored.schema.map(({ name, type }) => [name, type])).toEqual(types)
    expect(rows).toEqual([
      ['1', '2', '1.50', '2024-01-01', '2024-01-01 10:00:00', 'a, "b"'],
      ['-3', '4', null, null, null, null],
    ])
  })

  it.each(['table.csv', 'table.tsv', 'table.json', 'table.ndjson', 'table.xlsx', 'table.parquet'])(
    'loads %s',
    async (name) => {
      const loaded = await load(pairs(name))
      const { types, rows } = await native(loaded)
      expect(rows).toHaveLength(loaded.stored.rowCount)
      expect(types).toEqual(loaded.stored.schema.map((column) => [column.name, column.type]))
      expect(rows.length).toBeGreaterThan(0)
    },
  )

  it('keeps the types that Arrow lacks, and nested ones', async () => {
    const at = path.join(folder, 'types.parquet')
    await nativeRows(`COPY (
      SELECT i AS n, uuid() AS id, {a: i, b: [i::VARCHAR]} AS s, MAP {'k': i} AS m, ('x' || i)::BLOB AS bytes,
        TIMESTAMPTZ '2024-01-01 00:00:00+00' AS zoned, 12345678901234567890123456789.5::DECIMAL(38,1) AS wide
      FROM range(3000) t(i)) TO '${at}' (FORMAT parquet)`)
    const { types, rows } = await native(await load(new File([readFileSync(at)], 'types.parquet')))
    expect(types.map(([, type]) => type)).toEqual([
      'BIGINT',
      'UUID',
      'STRUCT(a BIGINT, b VARCHAR[])',
      'MAP(VARCHAR, BIGINT)',
      'BLOB',
      'TIMESTAMP WITH TIME ZONE',
      'DECIMAL(38,1)',
    ])
    expect(rows).toEqual(await nativeText(`SELECT * FROM '${at}'`))
  })

  it('reads every type back as it went in', async () => {
    const at = path.join(folder, 'all-types.duckdb')
    await nativeRows(`ATTACH '${at}' AS every`)
    await nativeRows(`CREATE TABLE every.types AS SELECT *, [NULL, 'NaN'::DOUBLE, '-inf'::DOUBLE, -0.0] AS doubles,
      {span: INTERVAL '1 year -2 days 03:04:05.6', id: uuid()} AS nested, INTERVAL '-1 month 25:00:00' AS span FROM test_all_types()`)
    await nativeRows('DETACH every')
    const loaded = await load(new File([readFileSync(at)], 'all-types.duckdb'))
    expect(loaded.stored.rowCount).toBe(3)
    expect((await native(loaded)).rows).toHaveLength(3)
  })

  it('makes a table without rows of a header alone', async () => {
    const loaded = await loadText('a,b\n')
    expect(loaded.stored).toMatchObject({ rowCount: 0, schema: [{ name: 'a' }, { name: 'b' }] })
    expect((await native(loaded)).rows).toEqual([])
  })

  it.each<[string, string, RegExp]>([
    ['a row that doesn’t fit', 'a,b\n1,2\n3,4,5\n', /^line 3/],
    ['a quote that never closes', 'a,b\n1,2\n"3,4\n', /^line 3/],
  ])('keeps nothing of a file with %s', async (_, text, place) => {
    const storage = new MemoryTables()
    const quiet = { signal: new AbortController().signal, progress: () => undefined }
    const loading = ingestFile(new File([text], 'a.csv'), { creationId: 'c', format: null }, { ...quiet, storage })
    await expect(loading).rejects.toMatchObject({
      code: 'corrupt-file',
      place: expect.stringMatching(place) as unknown,
    })
    expect(storage.files.size).toBe(0)
  })

  it('keeps nothing of a table whose file isn’t what was written', async () => {
    // The state if nothing of the checkpoint reached the disk.
    const storage = new DamagedTables((bytes) => bytes.slice(0, 12_288))
    const loading = ingestFile(new File(['a\n1\n'], 'a.csv'), { creationId: 'c', format: null }, { ...QUIET, storage })
    await expect(loading).rejects.toMatchObject({ code: 'verification' })
    expect(storage.files.size).toBe(0)
  })

  it('says that the disk is full when it was, whatever DuckDB made of it', async () => {
    const full = new EngineError('out-of-space', 'full')
    const storage = new DamagedTables((bytes) => bytes, full)
    const loading = ingestFile(new File(['a\n1\n'], 'a.csv'), { creationId: 'c', format: null }, { ...QUIET, storage })
    await expect(loading).rejects.toBe(full)
    expect(storage.files.size).toBe(0)
  })

  it('stops when it’s told to, and keeps nothing', async () => {
    const storage = new MemoryTables()
    const controller = new AbortController()
    const rows = Array.from({ length: 100_000 }, (_, i) => `${i},name ${i}\n`).join('')
    const loading = ingestFile(
      new File(['a,b\n', rows], 'a.csv'),
      { creationId: 'c', format: 'csv' },
      {
        signal: controller.signal,
        storage,
        progress: ({ phase }) => {
          if (phase === 'load') controller.abort()
        },
      },
    )
    await expect(loading).rejects.toMatchObject({ name: 'AbortError' })
    expect(storage.files.size).toBe(0)
  })

  it('loads the table of a plan that it’s told, with the columns that the plan says', async () => {
    const at = path.join(folder, 'several.duckdb')
    await nativeRows(`ATTACH '${at}' AS several`)
    await nativeRows(`CREATE TABLE several.people AS SELECT i AS id, 'p' || i AS name FROM range(3) t(i)`)
    await nativeRows(
      `CREATE TABLE several.orders AS SELECT i AS id, i * 1.5::DECIMAL(9,2) AS total FROM range(5000) t(i)`,
    )
    await nativeRows('DETACH several')
    const file = new File([readFileSync(at)], 'several.duckdb')
    const { inspection } = await inspectFile(file, {}, QUIET)
    const found = planFrom(inspection)
    expect(found.tables.map(({ name }) => name)).toEqual(['orders', 'people'])
    const storage = new MemoryTables()
    const loaded: StoredTable[] = []
    for (const table of [0, 1]) {
      const request = { creationId: 'c', format: null, planned: { plan: found, table } }
      loaded.push(await ingestFile(file, request, { ...QUIET, storage }))
    }
    expect(loaded.map(({ rowCount, schema }) => [rowCount, schema.map(({ name, type }) => `${name} ${type}`)])).toEqual(
      [
        [5000, ['id BIGINT', 'total DECIMAL(28,2)']],
        [3, ['id BIGINT', 'name VARCHAR']],
      ],
    )
    expect(storage.files.size).toBe(2)
    const none = ingestFile(
      file,
      { creationId: 'c', format: null, planned: { plan: found, table: 2 } },
      { ...QUIET, storage },
    )
    await expect(none).rejects.toMatchObject({ code: 'invalid-plan' })
  })

  it('leaves rows out that don’t fit only when it’s told to', async () => {
    const file = new File(['a,b\n1,2\n3,3,3\n4,5\n'], 'a.csv')
    const { inspection } = await inspectFile(file, {}, QUIET)
    const planned = { plan: planFrom(inspection), table: 0 }
    const storage = new MemoryTables()
    const context = { ...QUIET, storage }
    await expect(ingestFile(file, { creationId: 'c', format: null, planned }, context)).rejects.toMatchObject({
      place: 'line 3',
    })
    expect(storage.files.size).toBe(0)
    const request = { creationId: 'c', format: null, withoutRejected: true }
    await expect(ingestFile(file, { ...request, planned }, context)).resolves.toMatchObject({ rowCount: 2 })
    await expect(ingestFile(file, request, context)).resolves.toMatchObject({ rowCount: 2 })
    const other = new File(['a,b\n1,2\n3,4\n5,6\n7,8\n'], 'a.csv')
    await expect(ingestFile(other, { ...request, planned }, context)).rejects.toMatchObject({ code: 'file-changed' })
  })

  it('takes the one sheet that isn’t empty, and refuses a file of several', async () => {
    const { utils, write } = await import('xlsx')
    const book = (...sheets: unknown[][][]): File => {
      const workbook = utils.book_new()
      for (const [i, rows] of sheets.entries())
        utils.book_append_sheet(workbook, utils.aoa_to_sheet(rows), `Sheet ${i}`)
      return new File([write(workbook, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer], 'book.xlsx')
    }
    const rows = [
      ['a', 'b'],
      [1, 'x'],
      [2, 'y'],
    ]
    expect((await load(book([], rows, []))).stored.rowCount).toBe(2)
    await expect(load(book(rows, [], rows))).rejects.toMatchObject({
      code: 'invalid-plan',
      message: expect.stringMatching(/“Sheet 0”, “Sheet 2”/) as unknown,
    })
  })

  it('loads the first rows of a workbook as it was inspected, without reading all of it', async () => {
    const { utils, write } = await import('xlsx')
    const cells = [['id', 'city'], ...Array.from({ length: 20_000 }, (_, i) => [i, `City ${i % 9}`]), ['end', null]]
    const workbook = utils.book_new()
    utils.book_append_sheet(workbook, utils.aoa_to_sheet(cells), 'Data')
    const options = { type: 'array', bookType: 'xlsx', compression: true } as const
    const file = new File([write(workbook, options) as ArrayBuffer], 'book.xlsx')
    const { inspection } = await inspectFile(file, {}, { ...QUIET, mostRows: 1000 })
    const [table] = inspection.tables
    expect(table.rows).toBeGreaterThanOrEqual(1000)
    expect(table.rows).toBeLessThan(10_000)
    expect(table.columns.map(({ type }) => type)).toEqual(['INTEGER', 'VARCHAR'])
    const storage = new MemoryTables()
    const request = { creationId: 'c', format: null, planned: { plan: planFrom(inspection), table: 0 } }
    const stored = await ingestFile(file, { ...request, firstRows: true }, { ...QUIET, storage })
    expect(stored.rowCount).toBe(table.rows)
    const kept = storage.files.get(stored.fileId)
    const { rows } = await native({ stored, file: kept ?? file })
    expect(rows).toEqual(cells.slice(1, table.rows + 1).map((row) => row.map(String)))
    await expect(ingestFile(file, request, { ...QUIET, storage })).rejects.toThrow()
  })

  it('loads the next table with the same engine, and a new one after a failure', async () => {
    const [first, second] = [await loadText('a\n1\n'), await loadText('b,a\n2,3\n')]
    await expect(loadText('a,b\n1,2\n3,4,5\n')).rejects.toMatchObject({ code: 'corrupt-file' })
    const third = await loadText('c\nx\n')
    expect((await native(first)).rows).toEqual([['1']])
    expect((await native(second)).rows).toEqual([['2', '3']])
    expect((await native(third)).rows).toEqual([['x']])
  })
})

describe('a table that takes the rows of a file', () => {
  const onto = async (table: Loaded, file: File, signal = QUIET.signal): Promise<Loaded> => {
    const storage = new MemoryTables()
    const request = { creationId: 'd', format: null, onto: table.file }
    const stored = await ingestFile(file, request, { ...QUIET, signal, storage })
    return { stored, file: storage.files.get(stored.fileId) as File }
  }
  const csv = (text: string): File => new File([text], 'february.csv')

  it('has them after its own, by name, in types that hold both', async () => {
    const january = await loadText(
      'id,Id,Customer Name,amount,day,none\n1,10,Ann,1.50,2024-01-01,\n2,20,Bob,12.25,2024-01-02,\n',
    )
    const made = await onto(
      january,
      csv('day;customer_name;id;Id;AMOUNT;none\n01.02.2024;Cid;9000000000;30;1.234,567;7\n02.02.2024;;4;40;;\n'),
    )
    const { types, rows } = await native(made)
    expect(types).toEqual([
      ['id', 'BIGINT'],
      ['Id_1', 'INTEGER'],
      ['Customer Name', 'VARCHAR'],
      ['amount', 'DECIMAL(7,3)'],
      ['day', 'DATE'],
      ['none', 'INTEGER'],
    ])
    expect(rows).toEqual([
      ['1', '10', 'Ann', '1.500', '2024-01-01', null],
      ['2', '20', 'Bob', '12.250', '2024-01-02', null],
      ['9000000000', '30', 'Cid', '1234.567', '2024-02-01', '7'],
      ['4', '40', null, null, '2024-02-02', null],
    ])
    expect(made.stored).toMatchObject({ rowCount: 4, byteSize: made.file.size })
    expect((await native(january)).rows).toHaveLength(2)
  })

  it('keeps what native DuckDB has of both, of every type, from a file of many rows', async () => {
    const at = (name: string): string => path.join(folder, name)
    const select = (
      from: number,
      to: number,
    ): string => `SELECT i AS n, {a: i, b: [i::VARCHAR]} AS s, MAP {'k': i} AS m,
      ('x' || i)::BLOB AS bytes, TIMESTAMP '2024-01-01' + to_seconds(i) AS t, (i / 8)::DECIMAL(9,3) AS d FROM range(${from}, ${to}) r(i)`
    await nativeRows(`COPY (${select(0, 10_000)}) TO '${at('one.parquet')}' (FORMAT parquet)`)
    await nativeRows(`COPY (${select(10_000, 50_000)}) TO '${at('two.parquet')}' (FORMAT parquet)`)
    const file = (name: string): File => new File([readFileSync(at(name))], name)
    const made = await onto(await load(file('one.parquet')), file('two.parquet'))
    expect(made.stored.rowCount).toBe(50_000)
    const { rows } = await native(made)
    expect(rows).toEqual(
      await nativeText(`FROM '${at('one.parquet')}' UNION ALL FROM '${at('two.parquet')}' ORDER BY n`),
    )
  })

  it.each<[string, string, { code: string; message?: RegExp; place?: RegExp }]>([
    ['a value of another kind', 'id,day\n3,2024-01-03\n4,soon\n', { code: 'corrupt-file', place: /line 3.*“day”/ }],
    ['a column more', 'id,day,more\n3,2024-01-03,1\n', { code: 'invalid-plan', message: /“more”/ }],
    ['a column less', 'id\n3\n', { code: 'invalid-plan', message: /“day”/ }],
    [
      'a column named otherwise',
      'id,date\n3,2024-01-03\n',
      { code: 'invalid-plan', message: /aren’t in the file: “day”.*aren’t in the table: “date”/ },
    ],
    ['rows that don’t fit', 'id,day\n3,2024-01-03\n4,2024-01-04,5\n', { code: 'corrupt-file', place: /line 3/ }],
  ])('stays as it is where the file has %s', async (_, text, { code, message = /./, place }) => {
    const table = await loadText('id,day\n1,2024-01-01\n2,2024-01-02\n')
    await expect(onto(table, csv(text))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as unknown,
      ...(place ? { place: expect.stringMatching(place) as unknown } : {}),
    })
    expect((await native(table)).rows).toHaveLength(2)
  })

  it('takes none when it’s told to stop', async () => {
    const table = await loadText(`n\n${Array.from({ length: 50_000 }, (_, i) => `${i}\n`).join('')}`)
    const controller = new AbortController()
    const storage = new MemoryTables()
    const progress = (): void => controller.abort()
    const request = { creationId: 'd', format: null, onto: table.file }
    const making = ingestFile(csv('n\n1\n'), request, { signal: controller.signal, progress, storage })
    await expect(making).rejects.toMatchObject({ name: 'AbortError' })
    expect(storage.files.size).toBe(0)
  })
})
