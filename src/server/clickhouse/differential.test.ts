import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataOf, queriesOf, type Benchmark } from '../../../e2e/bench/sql-data.ts'
import { hasClickHouse } from './testing/chdb.ts'
import { hasRecorded, runRecorded } from './testing/recorded.ts'
import { PATTERNS, Statements } from './testing/statements.ts'
import { writeTables } from './testing/tables.ts'
import { openDifferential, type Differential, type Outcome } from './testing/differential.ts'

/* Runs statements of two benchmarks, of the end-to-end tests, and random ones: if ClickHouse answers, the answer must be DuckDB's. */

const BENCHMARKS: readonly Benchmark[] = [
  { name: 'tpch', scale: 0.01 },
  { name: 'hits', scale: 20_000 },
]

/** The number of random statements. */
const STATEMENTS = Number(process.env['ROWHOUSE_DIFFERENTIAL'] ?? 300)

let differential: Differential

beforeAll(async () => {
  if (!hasClickHouse) return
  differential = await openDifferential()
  for (const benchmark of BENCHMARKS) {
    const { parquet } = await dataOf(benchmark)
    for (const [table, place] of parquet)
      await differential.add(['bench', benchmark.name, table], new File([readFileSync(place)], `${table}.parquet`))
  }
}, 300_000)

afterAll(() => differential?.end())

describe.skipIf(!hasClickHouse)('ClickHouse gives DuckDB’s answers to', () => {
  it.each([
    { benchmark: BENCHMARKS[0], answered: 22 },
    { benchmark: BENCHMARKS[1], answered: 19 },
  ])('the statements of $benchmark.name', { timeout: 600_000 }, async ({ benchmark, answered }) => {
    const outcomes: (Outcome & { name: string })[] = []
    for (const { name, sql } of queriesOf(benchmark))
      outcomes.push({ name, ...(await differential.run(sql, /\bORDER BY\b/i.test(sql))) })
    const others = outcomes.filter(({ kind }) => kind !== 'same')
    console.log(`${benchmark.name}: ${outcomes.length - others.length} of ${outcomes.length} in ClickHouse`, others)
    expect(outcomes.filter(({ kind }) => kind === 'different')).toEqual([])
    expect(outcomes.length - others.length).toBeGreaterThanOrEqual(answered)
  })

  it.skipIf(!hasRecorded)('the statements that the end-to-end tests run', { timeout: 600_000 }, async () => {
    const outcomes = await runRecorded(differential)
    const counts = new Map<string, number>()
    for (const { kind, detail } of outcomes) {
      const name = kind === 'duckdb' ? detail : kind
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    console.log(`${counts.get('same') ?? 0} of ${outcomes.length} in ClickHouse`, counts, outcomes)
    expect(outcomes.filter(({ kind }) => kind === 'different' || kind === 'failed')).toEqual([])
    expect(counts.get('same') ?? 0).toBeGreaterThan(0)
  })

  it('date_trunc, and least and greatest with NULL', { timeout: 600_000 }, async () => {
    const text =
      'n,m,day,moment\n1,,2024-02-29,2024-02-29 10:11:12\n2,5,1999-12-31,2023-12-31 00:00:00\n,,1969-12-31,1960-01-01 01:00:00\n'
    await differential.add(['ws', 'own', 't'], new File([text], 't.csv'))
    const outcomes: unknown[] = []
    for (const sql of [
      `SELECT date_trunc('month', moment) AS o, count(*) AS c FROM ws.own.t GROUP BY o ORDER BY o`,
      `SELECT count(date_trunc('week', "day")) AS a, count(DISTINCT date_trunc('year', moment)) AS b FROM ws.own.t`,
      `SELECT n, least(n, m) AS a, greatest(n, m) AS b, least(m, n, 2) AS c FROM ws.own.t ORDER BY ALL`,
      `SELECT least("day", DATE '2000-01-01') AS a, greatest(moment, TIMESTAMP '2024-01-01') AS b FROM ws.own.t ORDER BY ALL`,
    ])
      outcomes.push({ sql, ...(await differential.run(sql, true)) })
    expect(outcomes.filter((outcome) => (outcome as Outcome).kind !== 'same')).toEqual([])
  })

  it('regular expressions', { timeout: 600_000 }, async () => {
    const file = (await writeTables(300)).get('x')
    if (file) await differential.add(['ws', 'own', 'texts'], file)
    const outcomes: unknown[] = []
    for (const pattern of PATTERNS) {
      const sql = `SELECT text, regexp_matches(text, ${pattern}) AS m, regexp_full_match(text, ${pattern}) AS f, regexp_replace(text, ${pattern}, '<\\0$1>') AS r FROM ws.own.texts GROUP BY ALL ORDER BY ALL`
      outcomes.push({ sql, ...(await differential.run(sql, true)) })
    }
    const others = outcomes.filter((outcome) => (outcome as Outcome).kind !== 'same')
    expect(others).toMatchObject([{ sql: expect.stringContaining("'('") }])
  })

  it('no statement that yields -0', { timeout: 600_000 }, async () => {
    const file = new File(['x,y\n0,-2.5\n0,1.5\n3,1.5\n,1.5\n4,\n'], 'zeros.csv')
    await differential.add(['ws', 'own', 'zeros'], file)
    const kinds: string[] = []
    for (const value of [
      'x / y',
      '-(x * 0.0::DOUBLE)',
      'x::DOUBLE * y::DOUBLE',
      '(x + 1) / y::DOUBLE',
      'y::DOUBLE - x::DOUBLE',
    ]) {
      for (const sql of [
        `SELECT ${value} AS v FROM ws.own.zeros ORDER BY v`,
        `SELECT min(${value}) AS v, max(${value}) AS w FROM ws.own.zeros`,
      ])
        kinds.push((await differential.run(sql, true)).kind)
    }
    expect(kinds).toEqual(['duckdb', 'duckdb', 'duckdb', 'duckdb', 'duckdb', 'duckdb', 'same', 'same', 'same', 'same'])
  })

  it(`${STATEMENTS} random statements`, { timeout: 7_200_000 }, async () => {
    for (const [name, file] of await writeTables(150)) await differential.add(['ws', 'd', name], file)
    const differing: unknown[] = []
    const reasons = new Map<string, number>()
    const failed: string[] = []
    let same = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 200, maxLength: 200 }), async (numbers) => {
        let next = 0
        const statements = new Statements((below) => (numbers[next++ % numbers.length] ?? 0) % below)
        const sql = statements.statement()
        // With equal values in what alone is sorted by, the order isn't determined.
        const settled = /ORDER BY/.test(sql) && !/ORDER BY (?:1|\(.*\)) \w+ NULLS \w+ LIMIT/.test(sql)
        const { kind, detail } = await differential.run(sql, settled)
        if (kind === 'same') same++
        else if (kind === 'different') differing.push({ sql, detail })
        else if (kind === 'failed') failed.push(`${detail}: ${sql}`)
        else reasons.set(detail.slice(0, 60), (reasons.get(detail.slice(0, 60)) ?? 0) + 1)
      }),
      { numRuns: STATEMENTS, endOnFailure: true },
    )
    const most = [...reasons].toSorted(([, a], [, b]) => b - a).slice(0, 25)
    console.log(`${same} of ${STATEMENTS} in ClickHouse`, most, failed, differing.slice(0, 12))
    expect(differing).toEqual([])
    expect(failed.length).toBeLessThanOrEqual(STATEMENTS / 50)
    expect(same).toBeGreaterThan(STATEMENTS / 5)
  })
})
