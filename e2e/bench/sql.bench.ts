import { expect, type Page } from '@playwright/test'
import { dataOf, DOCUMENTS, HITS, Native, queriesOf, TPCH, type Benchmark, type NativeColumn } from './sql-data.ts'
import type { Measured, Stored } from './sql-protocol.ts'
import { test } from './window.ts'

const PAGE = `${process.env['ROWHOUSE_BENCH_ORIGIN'] ?? 'http://localhost:4174'}/sql.html`
const ROUNDS = 7

const say = (line: string): void => {
  // oxlint-disable-next-line no-console -- the measurement
  console.log(line)
}
const milliseconds = (time: number): string => `${time < 100 ? time.toFixed(1) : Math.round(time)} ms`
const times = (ratio: number): string => `${ratio.toFixed(2)}x`
const geometricMean = (ratios: readonly number[]): number =>
  Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)

async function load(page: Page, { name }: Benchmark, files: ReadonlyMap<string, string>): Promise<Stored[]> {
  await page.goto(PAGE)
  await page.getByLabel('Files').setInputFiles([...files.values()])
  return page.evaluate((dataset) => window.sqlBench.load(dataset), name)
}

type Rows = readonly (readonly (string | null)[])[]

/** Doubles may differ slightly; everything else must have the same text. */
function differences(types: readonly NativeColumn[], ours: Rows, theirs: Rows): string[] {
  if (ours.length !== theirs.length) return [`${ours.length} rows, ${theirs.length} by native DuckDB`]
  const found: string[] = []
  for (const [i, row] of ours.entries()) {
    for (const [j, { name, type }] of types.entries()) {
      const [own, other] = [row[j] ?? null, theirs[i]?.[j] ?? null]
      if (!same(type, own, other)) found.push(`row ${i} ${name} ${type}: ${own}, ${other} by native DuckDB`)
    }
  }
  return found
}

function same(type: string, own: string | null, other: string | null): boolean {
  if (own === null || other === null || type !== 'DOUBLE') return own === other
  const [a, b] = [Number(own), Number(other)]
  return a === b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))
}

/**
 * What each query takes here and natively; the answers must be the same.
 * @param beside whether DuckDB-WASM alone can run it, too
 */
async function* measured(
  page: Page,
  benchmark: Benchmark,
  beside: boolean,
  loaded: readonly Stored[],
  database: string,
) {
  const native = await Native.open(database)
  await page.evaluate((stored) => window.sqlBench.open(stored), loaded)
  for (const { name, sql } of queriesOf(benchmark)) {
    const theirs = await native.answer(sql, ROUNDS)
    const args = [sql, ROUNDS, beside] as const
    const own: Measured = await page.evaluate((given) => window.sqlBench.measure(...given), args)
    expect
      .soft(own.columns.map(({ name: column, type }) => `${column} ${type}`))
      .toEqual(theirs.columns.map(({ name: column, type }) => `${column} ${type}`))
    expect.soft(differences(theirs.columns, own.rows, theirs.rows).slice(0, 5), name).toEqual([])
    yield { name, own, theirs }
  }
}

async function compare(page: Page, benchmark: Benchmark, tables: readonly Stored[], database: string): Promise<void> {
  const ratios: { native: number[]; bare: number[]; engine: number[] } = { native: [], bare: [], engine: [] }
  const total = { ours: 0, bare: 0 }
  for await (const { name, own, theirs } of measured(page, benchmark, true, tables, database)) {
    ratios.native.push(own.ours / theirs.took)
    ratios.bare.push(own.ours / own.bare)
    ratios.engine.push(own.ours / own.engine)
    total.ours += own.ours
    total.bare += own.bare
    say(
      [
        `${benchmark.name} ${name}`,
        milliseconds(own.ours).padStart(9),
        `native ${milliseconds(theirs.took).padStart(9)} ${times(own.ours / theirs.took)}`,
        `DuckDB-WASM ${milliseconds(own.bare).padStart(9)} ${times(own.ours / own.bare)}`,
        `${own.rows.length} rows`,
      ].join('  '),
    )
  }
  say(
    `${benchmark.name}: ${times(geometricMean(ratios.native))} native on one thread (geometric mean; bar 3x); ` +
      `${times(geometricMean(ratios.bare))} DuckDB-WASM alone (geometric mean; bar 1.08x), ` +
      `${times(total.ours / total.bare)} in all; ${times(geometricMean(ratios.engine))} the engine’s own call`,
  )
}

test('TPC-H, 22 queries', async ({ page }) => {
  const data = await dataOf(TPCH)
  await compare(page, TPCH, await load(page, TPCH, data.parquet), data.database)
})

test('JSON functions, 6 queries', async ({ page }) => {
  const { parquet, database } = await dataOf(DOCUMENTS)
  const tables = await load(page, DOCUMENTS, parquet)
  for await (const { name, own, theirs } of measured(page, DOCUMENTS, false, tables, database)) {
    const bar = name === 'json_extract_string' ? ' (bar 3x)' : ''
    const [ours, native] = [own.ours, theirs.took].map((time) => milliseconds(time).padStart(9))
    say(`${name}, 1,000,000 documents  ${ours}  native on one thread ${native} ${times(own.ours / theirs.took)}${bar}`)
  }
})

/** The best of three, each after reloading the page. */
async function afterReload(page: Page, first: () => Promise<number>): Promise<number> {
  const found: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    await page.goto(PAGE)
    await page.waitForTimeout(500)
    found.push(await first())
  }
  return Math.min(...found)
}

test('a wide table, 43 queries; and the first query after a reload', async ({ page }) => {
  const data = await dataOf(HITS)
  const tables = await load(page, HITS, data.parquet)
  await compare(page, HITS, tables, data.database)
  const sql = 'SELECT RegionID, count(*) AS c FROM bench.hits.hits GROUP BY RegionID ORDER BY c DESC, RegionID LIMIT 10'
  const args = [tables, sql] as const
  const ours = await afterReload(page, () => page.evaluate((given) => window.sqlBench.firstOurs(...given), args))
  const bare = await afterReload(page, () => page.evaluate((given) => window.sqlBench.firstBare(...given), args))
  const size = Math.round(tables.reduce((sum, table) => sum + table.size, 0) / 1e6)
  say(
    `reload → first query on a stored table of ${size} MB: ${milliseconds(ours)}, DuckDB-WASM alone ` +
      `${milliseconds(bare)}: ${times(ours / bare)} (bar 1.3x)`,
  )
})
