import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { inspect, convert } from '../../testing/run.ts'
import { randomTable } from '../../testing/arbitrary.ts'
import { createResultSet } from './open.ts'
import { rowsResult } from './rows.ts'
import { resultOf, resultOfTable } from '../../testing/results.ts'

describe('a result', () => {
  it('gives every cell by its index, in any order', () => {
    fc.assert(
      fc.property(randomTable(), fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (table, sizes) => {
        const set = resultOfTable(table, () => sizes.next().value ?? 1)
        const whole = resultOfTable(table, () => 1000)
        const rows = Array.from({ length: set.rowCount }, (_, i) => (i * 7919) % set.rowCount)
        for (const row of rows) {
          for (let column = 0; column < set.columns.length; column++) {
            expect(set.text(row, column)).toBe(whole.text(row, column))
            expect(set.value(row, column)).toEqual(whole.value(row, column))
            expect(set.text(row, column) === null).toBe(table.cells[column][row] === null)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('gives the beginning of a long text, whole characters', () => {
    const set = resultOf([['a', 'VARCHAR']], [['家'.repeat(5000), 'short']])
    expect([set.text(0, 0, 10), set.text(1, 0, 10)]).toEqual(['家'.repeat(10), 'short'])
  })

  it('has nothing beyond its ends, and nothing once it’s let go of', () => {
    const set = resultOf([['a', 'INTEGER']], [['1', '2']])
    expect([set.text(-1, 0), set.text(2, 0), set.text(0, 1), set.text(0, -1)]).toEqual([null, null, null, null])
    set.dispose()
    expect([set.rowCount, set.bytes, set.text(0, 0)]).toEqual([0, 0, null])
  })

  it('counts the bytes of its buffers', () => {
    const set = resultOf([['a', 'BIGINT']], [Array.from({ length: 1000 }, (_, i) => String(i))], () => 1000)
    expect(set.bytes).toBeGreaterThanOrEqual(8000)
    expect(set.bytes).toBeLessThan(8400)
  })

  it('tells its subscribers once for many batches, and of its end', async () => {
    vi.useFakeTimers()
    const { set, add, end } = createResultSet([{ name: 'a', type: 'INTEGER' }])
    const told = vi.fn<() => void>()
    const leave = set.subscribe(told)
    const batch = {
      rows: 1,
      columns: [
        {
          length: 1,
          offset: 0,
          nullCount: 0,
          nulls: undefined,
          offsets: undefined,
          values: new Int32Array(1),
          children: [],
        },
      ],
    }
    for (let i = 0; i < 5; i++) add(batch)
    expect(told).not.toHaveBeenCalled()
    vi.runAllTimers()
    expect(told).toHaveBeenCalledTimes(1)
    end('cancelled')
    vi.runAllTimers()
    expect([told.mock.calls.length, set.status, set.rowCount]).toEqual([2, 'cancelled', 5])
    leave()
    end('failed')
    vi.runAllTimers()
    expect(told).toHaveBeenCalledTimes(2)
    vi.useRealTimers()
  })
})

const ALL: readonly (readonly [type: string, ...values: (string | null)[]])[] = [
  ['BOOLEAN', 'true', null, 'false'],
  ['TINYINT', '-128', null, '127'],
  ['UBIGINT', '18446744073709551615', null, '0'],
  ['HUGEINT', '-99999999999999999999999999999999999999', null, '12345678901234567890123456789'],
  ['DECIMAL(38,10)', '1234567890123456789012345678.0123456789', null, '-0.0000000001'],
  ['DOUBLE', '0.1', null, '-1e300'],
  ['VARCHAR', '', null, '<b>\u0000 ‏שלום 🎈'],
  ['BLOB', 'AP8=', null, ''],
  ['UUID', '123e4567-e89b-12d3-a456-426614174000', null, '00000000-0000-0000-0000-000000000000'],
  ['DATE', '2024-02-29', null, '0001-01-01'],
  ['TIME', '23:59:59.999999', null, '00:00:00'],
  ['TIMESTAMP', '2024-02-29 01:02:03.000004', null, '1969-12-31 23:59:59'],
  ['TIMESTAMP_S', '2024-02-29 01:02:03', null, '1969-12-31 23:59:59'],
  ['TIMESTAMP_MS', '2024-02-29 01:02:03.004', null, '1969-12-31 23:59:59'],
  ['TIMESTAMP_NS', '2024-02-29 01:02:03.000000004', null, '1969-12-31 23:59:59'],
  ['TIMESTAMP WITH TIME ZONE', '2024-02-29 01:02:03+00', null, '1969-12-31 23:59:59+00'],
  ['INTERVAL', '1 year 2 months 00:00:01', null, '-3 days'],
  ['UUID[]', '["123e4567-e89b-12d3-a456-426614174000",null]', null, '[]'],
  ['STRUCT(a BIGINT, "b c" VARCHAR[])', '{"a":1,"b c":["x"]}', null, '{"a":null,"b c":null}'],
  ['MAP(VARCHAR, DOUBLE)', '{"k":1.5}', null, '{}'],
]

describe('a result’s file', () => {
  it('comes back with the same types and values, names made unique', async () => {
    const set = resultOf(
      ALL.map(([type], i) => [i < 3 ? 'a' : i === 3 ? '' : `c${i}`, type] as const),
      ALL.map(([, ...values]) => values),
      () => 2,
    )
    const file = await set.file('result.arrow')
    const { inspection, previews } = await inspect(file)
    expect(inspection.format).toBe('arrow')
    expect(inspection.tables[0].columns.map(({ type }) => type)).toEqual(ALL.map(([type]) => type))
    expect(inspection.tables[0].columns.slice(0, 4).map(({ name }) => name)).toEqual(['a', 'a_1', 'a_2', 'column_4'])
    expect(previews[0].rows).toEqual([0, 1, 2].map((row) => ALL.map((_, column) => set.text(row, column))))
  })

  it('keeps a HUGEINT of 39 digits as text', async () => {
    const digits = '170141183460469231731687303715884105727'
    const { inspection, previews } = await inspect(await resultOf([['h', 'HUGEINT']], [['1', digits]]).file('r.arrow'))
    expect(inspection.tables[0].columns[0].type).toBe('VARCHAR')
    expect(previews[0].rows).toEqual([['1'], [digits]])
  })

  it('is converted with a receipt, whatever is in it', async () => {
    await fc.assert(
      fc.asyncProperty(randomTable(), async (table) => {
        const file = await resultOfTable(table).file('result.arrow')
        const { result } = await convert(file, 'parquet')
        expect(result.rejectedCount).toBe(0)
        expect(result.outputs[0].receipts[0].found.rows).toBe(table.cells[0].length)
      }),
      { numRuns: 10 },
    )
  })

  it('of no rows has its columns', async () => {
    const { inspection } = await inspect(await resultOf([['a', 'HUGEINT']], [[]]).file('r.arrow'))
    expect(inspection.tables[0].columns.map(({ type }) => type)).toEqual(['HUGEINT'])
  })

  it('waits for all rows', async () => {
    const { set } = createResultSet([{ name: 'a', type: 'INTEGER' }])
    await expect(set.file('r.arrow')).rejects.toThrow('still coming')
  })
})

describe('a result of the service', () => {
  it('has the types that are told, or those of the values', () => {
    const set = rowsResult(
      [
        { name: 'a', type: null },
        { name: 'b', type: null },
        { name: 'c', type: null },
        { name: '__proto__', type: 'DECIMAL(10,2)' },
        { name: 'd', type: 'DATE' },
      ],
      [
        { a: 1, b: 'x', c: { k: [1] }, ['__proto__']: '1.50', d: '2024-01-31' },
        { a: 2.5, b: null, c: null, ['__proto__']: '2.25', d: 'never' },
      ],
    )
    expect(set.columns.map(({ type }) => type)).toEqual(['DOUBLE', 'VARCHAR', 'VARCHAR', 'DECIMAL(10,2)', 'VARCHAR'])
    expect([0, 1].map((row) => set.columns.map((_, column) => set.text(row, column)))).toEqual([
      ['1.0', 'x', '{"k":[1]}', '1.50', '2024-01-31'],
      ['2.5', null, null, '2.25', 'never'],
    ])
    expect(set.status).toBe('complete')
  })
})
