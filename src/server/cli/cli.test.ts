import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultOptions } from '../../tables/plan.ts'
import { toRecipeFile } from '../../tables/files/recipe-file.ts'
import type { FileRecipe } from '../../tables/recipes/recipe.ts'
import { USAGE } from './run.ts'
import { Shell } from './testing.ts'

let shell: Shell
beforeEach(async () => {
  shell = await Shell.open()
})
afterEach(() => shell.close())

const ORDERS = 'id,name,day\n007,é,2024-01-02\n008,,2024-02-03\n'
const RAGGED = 'id,name\n1,a\n2,b,c\n3,d\n'

describe('usage', () => {
  it('is printed in full', async () => {
    expect(await shell.run(['--help'])).toEqual({ code: 0, out: USAGE, err: '' })
    expect(USAGE).toBe(`rowhouse 0.1.0: the app’s engine on the command line. It needs no browser and no network.

  rowhouse inspect   describe files
  rowhouse convert   convert files to another format
  rowhouse verify    check a file against its receipt
  rowhouse query     run SQL on files
  rowhouse backup    make one file of all that a server keeps
  rowhouse restore   put a backup into a server
  rowhouse serve     serve the app and the service; see rowhouse serve --help

  rowhouse inspect orders.csv
  rowhouse convert 'exports/*.xlsx' --to parquet --out tables --receipt
  rowhouse verify tables/orders.parquet tables/orders.receipt.json
  rowhouse query "SELECT status, count(*) FROM orders GROUP BY ALL" orders.csv

rowhouse COMMAND --help explains a command. Each has --json.
Exit codes: 0 done, 1 failed or held until you accept, 2 wrong usage, 130 cancelled, 143 ended by SIGTERM.
`)
    expect(await shell.run([])).toEqual({ code: 2, out: '', err: USAGE })
  })

  it.each(['inspect', 'convert', 'verify', 'query'])('of %s names all of its options', async (command) => {
    const { code, out } = await shell.run([command, '--help'])
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^rowhouse ${command} `))
    expect(out).toContain('--json')
    expect(out).toContain('Exit codes: 0 ')
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(122)
  })

  it.each([
    [
      ['remake'],
      'There is no command “remake”. Choose one of: inspect, convert, verify, query, backup, restore, serve. Try: rowhouse --help',
    ],
    [['inspect'], 'Name the files to look at. Try: rowhouse inspect --help'],
    [
      ['inspect', '-a.csv'],
      'There is no option -a. A file’s name that begins with “-” stands after “--”. Try: rowhouse inspect --help',
    ],
    [['inspect', 'a.csv', '--fast'], 'There is no option --fast. Try: rowhouse inspect --help'],
    [
      ['convert', 'a.csv', '--to', 'csv', '--to=json'],
      '--to is given twice. Give it once. Try: rowhouse convert --help',
    ],
    [['inspect', 'a.csv', '--from'], '--from needs a value. Try: rowhouse inspect --help'],
    [['inspect', ''], 'An argument is empty. Give it a value, or leave it out. Try: rowhouse inspect --help'],
    [
      ['inspect', '-'],
      'Standard input (-) can’t be read, as files are read more than once. Save it as a file first. Try: rowhouse inspect --help',
    ],
    [
      ['convert', 'a.csv', '--to', 'json', '--out', '-'],
      'Files can’t be written to standard output (-), as they are read back. Name a folder. Try: rowhouse convert --help',
    ],
    [
      ['query', 'FROM a', 'a.csv', '--to', 'json', '--out', '-'],
      'Leave out --out to write to standard output, and give the format with --to. Try: rowhouse query --help',
    ],
    [
      ['convert', 'a.csv', '--to', 'json', '--out', ''],
      '--out is empty. Give it a value, or leave it out. Try: rowhouse convert --help',
    ],
    [['inspect', 'a.csv', '--json=yes'], '--json takes no value. Try: rowhouse inspect --help'],
    [['convert', 'a.csv'], 'Say what to convert to, such as --to parquet. Try: rowhouse convert --help'],
    [['convert', '--to', 'csv'], 'Name the files to convert. Try: rowhouse convert --help'],
    [
      ['convert', 'a.csv', '--to', 'pdf'],
      'Files can’t be converted to “pdf”. Choose one of: csv, tsv, json, xlsx, parquet, arrow, ndjson. Try: rowhouse convert --help',
    ],
    [
      ['convert', 'a.csv', 'a.tsv', '--to', 'json'],
      '“a.csv” and “a.tsv” would become files with the same name. Convert them to different folders. Try: rowhouse convert --help',
    ],
    [
      ['convert', 'a.csv', '--recipe', 'none.json'],
      'The recipe “none.json” can’t be used. There is no such file. Try: rowhouse convert --help',
    ],
    [['verify', 'a.csv'], 'Name one file and one receipt. Try: rowhouse verify --help'],
    [['query', 'SELECT 1'], 'Name the files to query. Try: rowhouse query --help'],
  ])('%j is refused as wrong usage', async (args, message) => {
    expect(await shell.run(args)).toEqual({ code: 2, out: '', err: `${message}\n` })
  })
})

describe('inspect', () => {
  it('describes files’ format, rows, columns and rejected rows', async () => {
    await shell.write('orders.csv', ORDERS)
    await shell.write('ragged.csv', RAGGED)
    const { code, out, err } = await shell.run(['inspect', '*.csv'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('orders.csv: CSV, UTF-8, comma-separated, 46 bytes\n  2 rows, 3 columns\n')
    expect(out).toMatch(/ {4}id {4}VARCHAR {2}.*leading zeros/)
    expect(out).toContain('1 row doesn’t fit:\n    line 3: ')
  })

  it('lists proposals for columns and for reading the file', async () => {
    await shell.write('days.csv', 'name;day\nAnna;03/04/2025\nBen;05/06/2025\nCleo;07/08/2025\nTotal;\n')
    const { out } = await shell.run(['inspect', 'days.csv'])
    expect(out).toMatch(
      / {4}day {3}VARCHAR .*\n {6}proposal: 3 values would become dates, such as “03\/04\/2025”: 3 April 2025/,
    )
    expect(out).toMatch(/\n {4}proposal: The last row, “Total”, looks like a total by its name/)
  })

  it('recognizes a web page that is named like a workbook', async () => {
    await shell.write('page.xls', '<html><table><tr><th>id</th></tr><tr><td>1</td></tr></table></html>')
    expect((await shell.run(['inspect', 'page.xls'])).out).toMatch(/^page\.xls: Web page \(HTML\), /)
  })

  it('continues after files that can’t be read', async () => {
    await shell.write('orders.csv', ORDERS)
    await shell.write('empty.csv', '')
    await shell.write('broken.parquet', 'PAR1')
    const { code, out, err } = await shell.run([
      'inspect',
      'none.csv',
      'empty.csv',
      'broken.parquet',
      '.',
      'orders.csv',
    ])
    expect(code).toBe(1)
    expect(out).toContain('orders.csv: CSV')
    expect(err).toContain('none.csv: There is no such file')
    expect(err).toContain('empty.csv: “empty.csv” is empty: it has no bytes. Check that')
    expect(err).toMatch(/broken\.parquet: The Parquet file is /)
    expect(err).toContain(`.: It’s a folder (${shell.folder}). Name the files in it`)
  })

  it('prints JSON for programs', async () => {
    await shell.write('orders.csv', ORDERS)
    const { code, out } = await shell.run(['inspect', '--json', 'orders.csv', 'none.csv'])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      files: [
        { file: 'orders.csv', inspection: { format: 'csv', tables: [{ rows: 2 }] } },
        { file: 'none.csv', error: { code: 'not-found' } },
      ],
    })
  })

  it('reads a file in the format given by --from', async () => {
    await shell.write('orders.json', ORDERS)
    expect((await shell.run(['inspect', '--from', 'csv', 'orders.json'])).out).toContain('orders.json: CSV')
  })
})

describe('convert', () => {
  it('writes outputs and receipts beside their sources', async () => {
    await shell.write('orders.csv', ORDERS)
    const { code, out, err } = await shell.run(['convert', 'orders.csv', '--to', 'parquet', '--receipt'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^orders\.csv → orders\.parquet: 2 rows, .*; read back and compared, the same\n/)
    expect(out).toContain('  Receipt: orders.receipt.json\n')
    expect((await readdir(shell.folder)).sort()).toEqual(['orders.csv', 'orders.parquet', 'orders.receipt.json'])
    for (const name of ['orders.parquet', 'orders.csv']) {
      const verified = await shell.run(['verify', name, 'orders.receipt.json'])
      expect(verified.code, verified.err).toBe(0)
      expect(verified.out).toContain('it hasn’t changed')
    }
  })

  it('accepts patterns, an output folder, and extensions as formats', async () => {
    await shell.write('a.csv', ORDERS)
    await shell.write('b.csv', ORDERS)
    const { code } = await shell.run(['convert', '*.csv', '--to', 'ndjson', '-o', 'out/deep'])
    expect(code).toBe(0)
    expect((await readdir(shell.path('out/deep'))).sort()).toEqual(['a.ndjson', 'b.ndjson'])
    expect(await readFile(shell.path('out/deep/a.ndjson'), 'utf8')).toBe(
      '{"id":"007","name":"é","day":"2024-01-02"}\n{"id":"008","name":null,"day":"2024-02-03"}\n',
    )
  })

  it('writes a file per sheet', async () => {
    await copyFile('e2e/fixtures/two-sheets.xlsx', shell.path('book.xlsx'))
    expect((await shell.run(['convert', 'book.xlsx', '--to', 'csv', '-o', 'out'])).code).toBe(0)
    expect((await readdir(shell.path('out'))).sort()).toEqual(['book - Customers.csv', 'book - Orders.csv'])
  })

  it('writes nothing if there are rejected rows until they’re accepted', async () => {
    await shell.write('ragged.csv', RAGGED)
    const held = await shell.run(['convert', 'ragged.csv', '--to', 'parquet', '--receipt'])
    expect(held.code).toBe(1)
    expect(held.err).toBe(
      'ragged.csv: held. 1 row doesn’t fit. Nothing was made. Fix the file, or accept this with --accept-rejected.\n' +
        '  line 3: The row has 3 fields, but the table has 2 columns.\n',
    )
    expect(await readdir(shell.folder)).toEqual(['ragged.csv'])
    const taken = await shell.run(['convert', 'ragged.csv', '--to', 'parquet', '--accept-rejected'])
    expect(taken).toMatchObject({ code: 0, err: '' })
    expect(taken.out).toContain('1 row doesn’t fit. It’s in ragged.rejected.csv.')
    expect((await readdir(shell.folder)).sort()).toEqual(['ragged.csv', 'ragged.parquet', 'ragged.rejected.csv'])
  })

  it('overwrites a file only with --replace, and never a source', async () => {
    await shell.write('orders.csv', ORDERS)
    await shell.write('orders.parquet', 'mine')
    const taken = await shell.run(['convert', 'orders.csv', '--to', 'parquet'])
    expect(taken.code).toBe(1)
    expect(taken.err).toContain('orders.csv: “orders.parquet” already exists. Choose another place with --out')
    expect(await readFile(shell.path('orders.parquet'), 'utf8')).toBe('mine')
    expect((await shell.run(['convert', 'orders.csv', '--to', 'parquet', '--replace'])).code).toBe(0)
    expect((await stat(shell.path('orders.parquet'))).size).toBeGreaterThan(100)
    const itself = await shell.run(['convert', 'orders.csv', '--to', 'csv', '--replace'])
    expect(itself.code).toBe(1)
    expect(itself.err).toContain('“orders.csv” would overwrite itself.')
    expect(await readFile(shell.path('orders.csv'), 'utf8')).toBe(ORDERS)
  })

  it('reports a folder that can’t be created', async () => {
    await shell.write('orders.csv', ORDERS)
    const { code, err } = await shell.run(['convert', 'orders.csv', '--to', 'json', '-o', '/proc/rowhouse/out'])
    expect([code, err]).toEqual([1, expect.stringMatching(/^orders\.csv: .* \(\/proc.*\)\. /)])
  })

  it('prints JSON with each file’s outcome for programs', async () => {
    await shell.write('orders.csv', ORDERS)
    await shell.write('ragged.csv', RAGGED)
    await shell.write('empty.csv', '')
    const { code, out, err } = await shell.run(['convert', '*.csv', '--to', 'parquet', '--json', '--receipt'])
    expect({ code, err }).toEqual({ code: 1, err: '' })
    const [empty, orders, ragged] = (JSON.parse(out) as { files: unknown[] }).files
    expect(empty).toMatchObject({ file: 'empty.csv', status: 'failed', error: { code: 'empty-file' } })
    expect(orders).toMatchObject({
      file: 'orders.csv',
      status: 'done',
      outputs: [{ path: shell.path('orders.parquet'), receipts: [{ verdict: 'match' }] }],
      rejected: { count: 0, path: null },
      receipt: shell.path('orders.receipt.json'),
    })
    expect(ragged).toMatchObject({ status: 'held', error: { code: 'held' }, rejected: { count: 1 } })
  })

  it('shows progress on a terminal', async () => {
    const rows = Array.from({ length: 100_000 }, (_, i) => `${i},text ${i}`)
    await shell.write('long.csv', ['id,text', ...rows].join('\n'))
    const { err } = await shell.run(['convert', 'long.csv', '--to', 'csv', '-o', 'out'], { width: 60 })
    expect(err).toMatch(/^\r.{4}long\.csv: reading, \d+ % of 1\.\d+ MB/)
    expect(err.endsWith('\r\u001b[2K')).toBe(true)
    for (const line of err.split('\r')) expect(line.length).toBeLessThanOrEqual(64)
  })

  it('leaves nothing behind when it’s cancelled', async () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => `${i},text ${i}`)
    await shell.write('long.csv', ['id,text', ...rows].join('\n'))
    const cancelling = new AbortController()
    const { code, err } = await shell.run(['convert', 'long.csv', '--to', 'parquet', '-o', 'out'], {
      width: 80,
      signal: cancelling.signal,
      onErr: (text) => {
        if (text.includes('converting')) cancelling.abort()
      },
    })
    expect(code).toBe(130)
    expect(err).toMatch(/Cancelled\. No unfinished file is left\.\n$/)
    expect(await readdir(shell.path('out'))).toEqual([])
  })
})

describe('convert with a recipe', () => {
  const recipe: FileRecipe = {
    id: 'r',
    version: 1,
    name: 'orders',
    createdAt: 0,
    matches: [{ format: 'csv', tables: [{ name: null, sources: ['id', 'name', 'day'] }] }],
    request: {},
    edits: [
      {
        table: null,
        columns: [
          { source: 'id', nth: 0, name: 'number', type: 'INTEGER' },
          { source: 'day', nth: 0, include: false },
          { source: 'name', nth: 0, checks: { required: true } },
        ],
      },
    ],
    target: 'csv',
    options: { csv: { ...defaultOptions('csv'), kind: 'csv', delimiter: ';' } as never },
  }
  beforeEach(async () => {
    await shell.write('orders.recipe.json', JSON.stringify(toRecipeFile(recipe, 'https://app.example')))
    await shell.write('orders.csv', ORDERS)
  })
  const convert = ['convert', 'orders.csv', '--recipe', 'orders.recipe.json', '-o', 'out']

  it('applies it, and writes nothing if a check fails until that’s accepted', async () => {
    const held = await shell.run(convert)
    expect(held.code).toBe(1)
    expect(held.err).toContain('orders.csv: held. 1 check failed. Nothing was made.')
    expect(held.err).toContain('--accept-failed-checks')
    expect((await shell.run([...convert, '--accept-failed-checks'])).code).toBe(0)
    expect(await readFile(shell.path('out/orders.csv'), 'utf8')).toBe('number;name\n7;é\n8;\n')
  })

  it('compares the number of rows with last time', async () => {
    const rowCount = { least: 50, most: 200, last: [{ table: null, rows: 100 }] }
    await shell.write('orders.recipe.json', JSON.stringify(toRecipeFile({ ...recipe, edits: [], rowCount }, '')))
    const held = await shell.run(convert)
    expect(held.code).toBe(1)
    expect(held.err).toContain('2 rows; last time 100, 2 % of them (50 % to 200 % are allowed)')
    const fits = { ...rowCount, last: [{ table: null, rows: 3 }] }
    await shell.write('orders.recipe.json', JSON.stringify(toRecipeFile({ ...recipe, edits: [], rowCount: fits }, '')))
    expect((await shell.run(convert)).code).toBe(0)
  })

  it('runs its statement between reading and writing, and reports errors in it', async () => {
    const shaped = (sql: string): Promise<void> => {
      const tables = [{ table: null, name: 'months' }]
      const file = toRecipeFile({ ...recipe, edits: [], shape: { sql, tables } }, 'https://app.example')
      return shell.write('orders.recipe.json', JSON.stringify(file))
    }
    await shaped('SELECT count(*) AS n FROM months')
    const made = await shell.run([...convert, '--receipt'])
    expect(made.err).toBe('')
    expect(await readFile(shell.path('out/orders.csv'), 'utf8')).toBe('n\n2\n')
    expect(made.out).toContain('A statement shaped what was read: of 2 rows it made 1 row.')
    await shaped('SELECT total FROM months')
    const failed = await shell.run([...convert, '--replace'])
    expect([failed.code, failed.out]).toEqual([1, ''])
    expect(failed.err).toContain('Referenced column "total" not found in FROM clause!')
    expect(failed.err).toContain('the statement, line 1, column 8')
  })

  it('can be given another format', async () => {
    expect((await shell.run([...convert, '--accept-failed-checks', '--to', 'json'])).code).toBe(0)
    expect(JSON.parse(await readFile(shell.path('out/orders.json'), 'utf8'))).toMatchObject([
      { number: 7 },
      { number: 8 },
    ])
  })

  it('writes nothing if a file has other columns until that’s accepted', async () => {
    await shell.write('orders.csv', 'id,name,price\n1,a,2\n')
    const held = await shell.run(convert)
    expect(held.code).toBe(1)
    expect(held.err).toContain('not in the file: “day”\n  not in the recipe: “price”')
    expect((await shell.run([...convert, '--accept-other-columns'])).code).toBe(0)
    expect(await readFile(shell.path('out/orders.csv'), 'utf8')).toBe('number;name;price\n1;a;2\n')
  })

  it('refuses a file that isn’t a recipe', async () => {
    await shell.write('orders.recipe.json', '{"version": 1}')
    const refused = await shell.run(convert)
    expect(refused.code).toBe(2)
    expect(refused.err).toContain('The recipe “orders.recipe.json” can’t be used. It isn’t a recipe of version 1.')
  })
})

describe('verify', () => {
  beforeEach(async () => {
    await shell.write('orders.csv', ORDERS)
    await mkdir(shell.path('out'))
    await shell.run(['convert', 'orders.csv', '--to', 'csv', '-o', 'out', '--receipt'])
  })
  const verify = ['verify', 'out/orders.csv', 'out/orders.receipt.json']

  it('detects a file that was changed', async () => {
    expect((await shell.run(verify)).code).toBe(0)
    const made = await readFile(shell.path('out/orders.csv'), 'utf8')
    await shell.write('out/orders.csv', made.replace('é', 'e'))
    const { code, out } = await shell.run(verify)
    expect(code).toBe(1)
    expect(out).toContain('out/orders.csv: The file has changed, or it isn’t the one that the receipt is about.')
    expect(out).toContain('“name”, checksum: ')
    const told = await shell.run([...verify, '--json'])
    expect(told.code).toBe(1)
    expect(JSON.parse(told.out)).toMatchObject({ role: 'output', verdict: 'different' })
  })

  it('distinguishes changed bytes from changed values', async () => {
    const made = await readFile(shell.path('out/orders.csv'), 'utf8')
    await shell.write('out/orders.csv', made.replaceAll('\n', '\r\n'))
    const { code, out } = await shell.run(verify)
    expect(code).toBe(1)
    expect(out).toContain('The file’s bytes have changed; what it holds hasn’t.')
  })

  it('recognizes a renamed file', async () => {
    await copyFile(shell.path('out/orders.csv'), shell.path('renamed.csv'))
    expect((await shell.run(['verify', 'renamed.csv', 'out/orders.receipt.json'])).code).toBe(0)
  })

  it('refuses other files, and receipts that it can’t read', async () => {
    await shell.write('other.csv', 'a,b\n1,2\n3,4\n')
    const other = await shell.run(['verify', 'other.csv', 'out/orders.receipt.json'])
    expect(other).toMatchObject({ code: 1, out: '' })
    expect(other.err).toContain('The receipt isn’t about “other.csv”. It’s about “orders.csv”.')
    const none = await shell.run(['verify', 'orders.csv', 'none.json'])
    expect(none).toMatchObject({ code: 1, out: '' })
    expect(none.err).toContain('There is no such file')
    const wrong = await shell.run(['verify', 'out/orders.csv', 'orders.csv'])
    expect(wrong.err).toBe('“orders.csv” can’t be used. It isn’t JSON, or it’s cut short.\n')
  })
})

describe('query', () => {
  it('runs SQL over files, with the same names and types as in the app', async () => {
    await shell.write('Sales 2024.csv', ORDERS)
    await shell.write('ids.json', '[{"id": "007", "n": 9007199254740993}]')
    const sql = 'SELECT id, "day", n, n * 2.0::DOUBLE AS d FROM Sales_2024 LEFT JOIN ids USING (id) ORDER BY id'
    const { code, out, err } = await shell.run(['query', sql, 'Sales 2024.csv', 'ids.json'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toBe(`id   day                        n                  d
───  ──────────  ────────────────  ─────────────────
007  2024-01-02  9007199254740993  18014398509481984
008  2024-02-03              NULL               NULL
`)
  })

  it('finds a file by its name in quotes, as DuckDB does', async () => {
    await mkdir(shell.path('data'))
    await shell.write('data/orders.csv', ORDERS)
    await copyFile('e2e/fixtures/two-sheets.xlsx', shell.path('book.xlsx'))
    const count = async (from: string): Promise<{ code: number; out: string; err: string }> =>
      shell.run(['query', `SELECT count(*) AS n FROM ${from}`, 'data/orders.csv', 'book.xlsx'])
    const plain = await count('orders')
    expect(plain.code).toBe(0)
    expect(await count(`'orders.csv'`)).toEqual(plain)
    expect(await count(`'data/orders.csv'`)).toEqual(plain)
    expect((await count(`'book.xlsx'`)).err).toContain('The tables here are: orders, book_Orders')
    const { out } = await shell.run(['query', 'SHOW TABLES', 'data/orders.csv'])
    expect(out).toBe('name\n──────\norders\n')
  })

  it('groups by month correctly if there are nulls', async () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, i) => `${i},${i % 7 === 0 ? '' : `2024-0${1 + (i % 3)}-05 10:00:00`}`,
    )
    await shell.write('times.csv', ['i,t', ...lines, ''].join('\n'))
    const sql = `SELECT date_trunc('month', t) AS m, count(*) AS n FROM times GROUP BY m ORDER BY m NULLS LAST`
    const { out } = await shell.run(['query', '--json', sql, 'times.csv'])
    const counts = (JSON.parse(out) as { rows: unknown[][] }).rows.map((row) => Object.values(row)[1])
    const missing = lines.filter((line) => line.endsWith(',')).length
    expect([counts.length, counts.at(-1)]).toEqual([4, missing])
  })

  it('keeps the types and values of a native DuckDB file', async () => {
    const own = await DuckDBInstance.create(shell.path('own.duckdb'))
    const connection = await own.connect()
    await connection.run(`CREATE TABLE t AS FROM (VALUES
      (1::TINYINT, -5::HUGEINT, 1.5::DECIMAL(18,3), DATE '2024-01-02', TIME '12:34:56.789',
       TIMESTAMP '2024-01-02 03:04:05.123456', '2024-01-02 03:04:05.123456789'::TIMESTAMP_NS,
       INTERVAL '1 month 2 days 3 seconds', UUID '123e4567-e89b-12d3-a456-426614174000', '\\x00\\xFF'::BLOB,
       [1, 2, NULL], {'a': 1, 'b': 'x'}, MAP {'k': 1.5}, 'NaN'::DOUBLE, true),
      (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, [], NULL, NULL, 1e300, NULL)) t`)
    const native = await connection.runAndReadAll('FROM t')
    const expected = { types: native.columnTypes().map(String), rows: native.getRowsJson() }
    connection.closeSync()
    own.closeSync()
    const { out, err } = await shell.run(['query', '--json', 'FROM own', 'own.duckdb'])
    expect(err).toBe('')
    const { columns, rows } = JSON.parse(out) as { columns: { type: string }[]; rows: unknown[][] }
    // Integers that every program can read exactly are numbers here, but text in native DuckDB's JSON.
    const texts = rows.map((row) => row.map((value, i) => (i === 1 && value !== null ? JSON.stringify(value) : value)))
    expect({ types: columns.map(({ type }) => type), rows: texts }).toEqual(expected)
  })

  it('prints JSON for programs', async () => {
    await copyFile('e2e/fixtures/two-sheets.xlsx', shell.path('book.xlsx'))
    const sql = 'SELECT count(*) AS n, sum(amount) AS total, 9007199254740993 AS big FROM book_Orders'
    const { code, out } = await shell.run(['query', '--json', sql, 'book.xlsx'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      columns: [
        { name: 'n', type: 'BIGINT' },
        { name: 'total', type: 'DOUBLE' },
        { name: 'big', type: 'BIGINT' },
      ],
      rows: [[40, expect.any(Number), '9007199254740993']],
    })
  })

  it('prints nothing if there are rejected rows until they’re accepted', async () => {
    await shell.write('ragged.csv', RAGGED)
    const held = await shell.run(['query', 'SELECT count(*) FROM ragged', 'ragged.csv'])
    expect(held).toMatchObject({ code: 1, out: '' })
    expect(held.err).toContain('ragged.csv: 1 row doesn’t fit:\n  line 3: ')
    expect(held.err).toContain('To leave them out, add --accept-rejected.')
    expect(
      (await shell.run(['query', '--accept-rejected', 'SELECT count(*) FROM ragged', 'ragged.csv'])).out,
    ).toContain('\n           2\n')
  })

  it.each([
    ['SELECT nothing FROM orders', 'Binder Error'],
    ['SELECT nothing FROM orders', '^\nSee the columns of a table with “DESCRIBE name”. The tables here are: orders.'],
    ['SELEC 1', 'Parser Error'],
    ['SELEC 1', 'Correct the statement where ^ stands.'],
    ['FROM order_s', 'order_s does not exist!\nDid you mean "orders"?\n\nLINE 1: FROM order_s\n'],
    ['FROM order_s', 'The tables here are: orders.'],
    // DuckDB suggests tables of its own.
    ['FROM x', 'x does not exist!\n\nLINE 1: FROM x\n'],
    ["FROM '/etc/passwd'", 'Name the files after the statement: only those can be read. The tables here are: orders.'],
    ['SELECT flor(1)', 'Did you mean "floor"?'],
    ['SELECT st_area(1)', 'no extension is loaded here'],
    ["SELECT 'a'::INTEGER", 'Use TRY_CAST to get NULL'],
    ["SELECT error('no')", 'Correct the statement, and run it again.'],
    ['SELECT 1; SELECT 2', 'Write one statement.'],
    ["FROM read_csv('orders.csv')", 'Name the files after the statement: only those can be read.'],
    ["COPY orders TO 'copy.csv'", 'Name the files after the statement: only those can be read.'],
    ["COPY orders TO 'copy.csv'", 'To write a file, use --out.'],
    ['DROP TABLE orders', 'type Table. Correct the statement, and run it again.'],
    ['SET enable_external_access = true', 'locked'],
    ['INSTALL httpfs', 'Name the files after the statement'],
  ])('refuses %s', async (sql, message) => {
    await shell.write('orders.csv', ORDERS)
    const { code, out, err } = await shell.run(['query', sql, 'orders.csv'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(message)
    expect(await readdir(shell.folder)).toEqual(['orders.csv'])
  })
})
