// oxlint-disable-next-line no-restricted-imports -- native DuckDB is the judge of what is counted
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { describe, expect, test } from 'vitest'
import type { ResultSet, RunningStatement } from '../../../../../engine/client.ts'
import type { Aggregate, ChartSpec, FurtherMeasure } from '../../../types.ts'
import { fieldsOf } from '../model/fields.ts'
import { resultOf } from '../testing.ts'
import type { ChartData } from './chart-data.ts'
import { engineSource } from './engine-source.ts'
import { loadChart } from './load.ts'
import { pageSource } from './page-source.ts'
import type { ChartSource } from './source.ts'

/* The engine and the page compute the same numbers for every chart. */

/* Native DuckDB in place of a session. */

let connection: Promise<DuckDBConnection> | undefined

async function connect(): Promise<DuckDBConnection> {
  const opened = await (await DuckDBInstance.create(':memory:')).connect()
  await opened.run("SET TimeZone = 'UTC'")
  return opened
}

async function nativeResult(sql: string): Promise<ResultSet> {
  connection ??= connect()
  const native = await connection
  const shape = await native.runAndReadAll(`DESCRIBE ${sql}`)
  const columns = shape.getRowsJson().map((row) => {
    const [name = '', type = ''] = row as string[]
    return { name, type }
  })
  const renamed = columns.map((_, i) => `c${i}`)
  const list = renamed.map((name) => `CAST(${name} AS VARCHAR)`).join(', ')
  const reader = await native.runAndReadAll(`SELECT ${list} FROM (\n${sql}\n) AS t(${renamed.join(', ')})`)
  return resultOf(columns, reader.getRowsJson() as (string | null)[][])
}

/** Runs statements like a session, and records them. */
function nativeSession(): {
  readonly statements: string[]
  readonly run: (sql: string, options?: { readonly signal?: AbortSignal }) => Promise<RunningStatement>
} {
  const statements: string[] = []
  return {
    statements,
    run: async (sql, { signal } = {}) => {
      signal?.throwIfAborted()
      statements.push(sql)
      const result = await nativeResult(sql)
      const summary = { rows: result.rowCount, bytes: 0, firstMs: 0, totalMs: 0, message: null, leftOut: false }
      return { result, done: Promise.resolve(summary) }
    },
  }
}

const ROWS = `
  SELECT
    i AS id,
    ['north', 'south', 'east', 'it''s "west"', 'über', 'Z', 'a', 'b', 'c', 'd'][(i * 7) % 10 + 1] AS region,
    CASE WHEN i % 41 = 0 THEN NULL ELSE 'cat ' || ((i * i) % 90) END AS kind,
    CASE WHEN i % 17 = 0 THEN NULL WHEN i % 101 = 0 THEN 'nan'::DOUBLE WHEN i % 211 = 0 THEN '-inf'::DOUBLE ELSE ((i * 7919) % 10007) / 3.0 - 500 END AS amount,
    ((i * 31) % 977)::DECIMAL(12, 2) / 4 AS price,
    (i % 23)::HUGEINT * 100000000000000000000 AS big,
    9007199254740993 + i % 3 AS exact,
    TIMESTAMP '1969-11-30 23:59:59.999999' + INTERVAL (i * 7) HOUR + INTERVAL (i) MILLISECOND AS at,
    CASE WHEN i % 400 = 0 THEN 'infinity'::DATE ELSE DATE '2023-01-31' + (i % 40)::INTEGER END AS day,
    i % 3 = 0 AS flag
  FROM range(3000) r(i) -- a comment at the end`

const result = await nativeResult(ROWS)
const fields = fieldsOf(result.columns)
const session = nativeSession()

const further = (y: string, aggregate: Aggregate, right = false): readonly FurtherMeasure[] => [{ y, aggregate, right }]

const CHARTS: readonly ChartSpec[] = [
  { mark: 'bar', x: 'region', y: 'amount', aggregate: 'sum', color: null },
  { mark: 'bar', x: 'region', y: 'amount', aggregate: 'mean', color: 'flag' },
  { mark: 'bar', x: 'kind', y: 'price', aggregate: 'median', color: null },
  { mark: 'bar', x: 'kind', y: null, aggregate: 'count', color: 'region' },
  { mark: 'bar', x: 'day', y: 'price', aggregate: 'max', color: null },
  { mark: 'bar', x: 'at', y: 'amount', aggregate: 'sum', color: null },
  { mark: 'bar', x: 'exact', y: null, aggregate: 'count', color: null },
  { mark: 'bar', x: 'amount', y: null, aggregate: 'count', color: null },
  { mark: 'line', x: 'at', y: 'amount', aggregate: 'min', color: 'kind' },
  { mark: 'line', x: 'day', y: 'amount', aggregate: 'mean', color: 'region' },
  { mark: 'line', x: 'day', y: 'big', aggregate: 'none', color: null },
  { mark: 'area', x: 'at', y: 'big', aggregate: 'sum', color: null },
  { mark: 'bar', x: 'kind', y: 'amount', aggregate: 'sum', color: null, more: further('price', 'mean', true) },
  { mark: 'bar', x: 'at', y: 'amount', aggregate: 'sum', color: null, more: further('price', 'max') },
  { mark: 'line', x: 'day', y: 'price', aggregate: 'median', color: null, more: further('amount', 'count', true) },
  { mark: 'line', x: 'id', y: 'amount', aggregate: 'none', color: null, more: further('price', 'none') },
  { mark: 'histogram', x: 'amount', y: null, aggregate: 'count', color: 'flag' },
  { mark: 'histogram', x: 'at', y: null, aggregate: 'count', color: null },
  { mark: 'histogram', x: 'id', y: null, aggregate: 'count', color: null },
  { mark: 'histogram', x: 'big', y: null, aggregate: 'count', color: null },
  { mark: 'box', x: 'region', y: 'amount', aggregate: 'none', color: null },
  { mark: 'box', x: null, y: 'price', aggregate: 'none', color: null },
  { mark: 'box', x: 'kind', y: 'price', aggregate: 'none', color: null },
  { mark: 'heatmap', x: 'region', y: 'kind', aggregate: 'mean', color: 'amount' },
  { mark: 'heatmap', x: 'at', y: 'amount', aggregate: 'count', color: null },
  { mark: 'heatmap', x: 'day', y: 'price', aggregate: 'sum', color: 'price' },
  { mark: 'scatter', x: 'amount', y: 'price', aggregate: 'none', color: 'region' },
  { mark: 'scatter', x: 'at', y: 'day', aggregate: 'none', color: null },
  { mark: 'scatter', x: 'price', y: 'price', aggregate: 'none', color: 'region', size: 'amount' },
]

const never = new AbortController().signal
const load = (spec: ChartSpec, source: ChartSource, signal = never): Promise<ChartData> =>
  loadChart({ spec, fields, source, result, signal })

/** Sorted, and rounded to hide differences from the order of summing. */
function comparable({ place: _place, points, boxes, ...rest }: ChartData): unknown {
  const round = (value: unknown): unknown => (typeof value === 'number' ? Number(value.toPrecision(10)) : value)
  const rounded = (each: object): unknown[] => Object.values(each).map(round)
  const sorted = (list: readonly object[]): string[] => list.map((each) => JSON.stringify(rounded(each))).sort()
  return { ...rest, points: sorted(points), boxes: sorted(boxes) }
}

describe('charts', () => {
  test.each(
    CHARTS.map(
      (spec) =>
        [
          `${spec.mark} of ${spec.x} and ${spec.y} by ${spec.color}, ${spec.aggregate}, ${spec.more?.[0]?.y}`,
          spec,
        ] as const,
    ),
  )('the engine and the page count the same: %s', async (_, spec) => {
    const page = await load(spec, pageSource(result))
    const engine = await load(spec, engineSource({ session, statement: ROWS }))
    expect(comparable(engine)).toEqual(comparable(page))
    expect(page.points.length + page.boxes.length).toBeGreaterThan(0)
  })

  test('every row is drawn, or reported as not drawn', async () => {
    const data = await load(
      { mark: 'histogram', x: 'amount', y: null, aggregate: 'count', color: null },
      pageSource(result),
    )
    const native = await nativeResult(
      `SELECT count(*) FILTER (isfinite(amount)), count(*) FILTER (amount IS NULL), count(*) FILTER (NOT isfinite(amount)) FROM (${ROWS}\n)`,
    )
    const [finite, nulls, odd] = [0, 1, 2].map((column) => Number(native.text(0, column)))
    expect(data.drawn).toBe(finite)
    expect(data.points.reduce((sum, point) => sum + point.rows, 0)).toBe(finite)
    expect(data.notes).toEqual([
      `${3000 - (finite ?? 0)} rows aren’t drawn: amount is null in ${nulls}, amount is NaN or infinite in ${odd}.`,
    ])
  })

  test('dots are drawn for rows whose size can be an area', async () => {
    const data = await load(
      { mark: 'scatter', x: 'id', y: 'id', aggregate: 'none', color: null, size: 'amount' },
      pageSource(result),
    )
    const native = await nativeResult(
      `SELECT count(*) FILTER (isfinite(amount) AND amount > 0), sum(amount) FILTER (isfinite(amount) AND amount > 0), count(*) FILTER (amount IS NULL) FROM (${ROWS}\n)`,
    )
    const [drawn = 0, sum = 0, nulls = 0] = [0, 1, 2].map((column) => Number(native.text(0, column)))
    expect([data.drawn, data.points.length]).toEqual([drawn, drawn])
    expect(data.points.reduce((total, { size = 0 }) => total + size, 0)).toBeCloseTo(sum, 4)
    expect(data.notes).toEqual([
      `${3000 - drawn} rows aren’t drawn: amount is null in ${nulls}, amount is 0, negative or not finite in ${3000 - drawn - nulls}.`.replaceAll(
        /\b\d{4}\b/g,
        (digits) => `${digits.slice(0, 1)},${digits.slice(1)}`,
      ),
    ])
  })

  test('sums equal the engine’s', async () => {
    const data = await load(CHARTS[0] ?? fail(), pageSource(result))
    const native = await nativeResult(
      `SELECT region, sum(amount) FROM (${ROWS}\n) WHERE isfinite(amount) GROUP BY region ORDER BY 2 DESC`,
    )
    expect(data.x.domain).toEqual(Array.from({ length: native.rowCount }, (_, row) => native.text(row, 0)))
    for (let row = 0; row < native.rowCount; row++) {
      const point = data.points.find(({ x }) => x === native.text(row, 0))
      expect(point?.value).toBeCloseTo(Number(native.text(row, 1)), 4)
    }
  })

  test('with too many values, the first are drawn and the others counted', async () => {
    const spec: ChartSpec = { mark: 'bar', x: 'kind', y: null, aggregate: 'count', color: null }
    const few = await load(spec, pageSource(result))
    const distinct = Number((await nativeResult(`SELECT count(DISTINCT kind) FROM (${ROWS}\n)`)).text(0, 0))
    expect(distinct).toBeLessThan(50)
    expect(few.x.domain).toHaveLength(distinct)
    const many = await nativeResult('SELECT (i * i % 1009)::VARCHAR AS k FROM range(5000) r(i)')
    const all = { fields: fieldsOf(many.columns), result: many, signal: never }
    const data = await loadChart({ ...all, spec: { ...spec, x: 'k' }, source: pageSource(many) })
    expect(data.x.domain).toHaveLength(50)
    expect(data.notes.join(' ')).toMatch(
      /The 50 of 505 values of k with the most rows are drawn; the others \(455, in [\d,]+ rows\) aren’t\./,
    )
  })

  test('integers that a double can’t distinguish stay distinct', async () => {
    const data = await load({ mark: 'bar', x: 'exact', y: null, aggregate: 'count', color: null }, pageSource(result))
    expect(data.x.domain).toEqual(['9007199254740993', '9007199254740994', '9007199254740995'])
  })

  test('columns with the same name are distinguished', async () => {
    const twice = 'SELECT i % 2 AS a, i % 5 AS a FROM range(10) r(i)'
    const set = await nativeResult(twice)
    const spec: ChartSpec = { mark: 'bar', x: 'a (2)', y: null, aggregate: 'count', color: null }
    const rest = { spec, fields: fieldsOf(set.columns), result: set, signal: never }
    for (const source of [pageSource(set), engineSource({ session, statement: twice })]) {
      expect((await loadChart({ ...rest, source })).x.domain).toEqual(['0', '1', '2', '3', '4'])
    }
  })

  test('there may be nothing to draw', async () => {
    const none = 'SELECT NULL::DOUBLE AS v FROM range(4)'
    const set = await nativeResult(none)
    const spec: ChartSpec = { mark: 'histogram', x: 'v', y: null, aggregate: 'count', color: null }
    for (const source of [pageSource(set), engineSource({ session, statement: none })]) {
      const data = await loadChart({ spec, fields: fieldsOf(set.columns), result: set, source, signal: never })
      expect(data).toMatchObject({ points: [], rows: 4, drawn: 0 })
      expect(data.notes).toEqual(['4 rows aren’t drawn: v is null in 4.'])
    }
  })

  test('reading stops when it’s aborted', async () => {
    const controller = new AbortController()
    const spec = CHARTS[0] ?? fail()
    const reason = new Error('enough')
    for (const source of [pageSource(result), engineSource({ session, statement: ROWS })]) {
      const loading = load(spec, source, controller.signal)
      controller.abort(reason)
      await expect(loading).rejects.toBe(reason)
    }
  })

  test('a cancelled statement gives nothing', async () => {
    const controller = new AbortController()
    const slow = {
      run: async (sql: string, options?: { readonly signal?: AbortSignal }) => {
        const running = await session.run(sql, options)
        controller.abort(new Error('enough'))
        return running
      },
    }
    const source = engineSource({ session: slow, statement: ROWS })
    await expect(load(CHARTS[0] ?? fail(), source, controller.signal)).rejects.toThrow('enough')
  })
})

function fail(): never {
  throw new Error('no chart')
}
