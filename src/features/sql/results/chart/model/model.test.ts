import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChartSpec, Mark } from '../../../types.ts'
import { binOf, binRange, numberBins, timeBins } from './bins.ts'
import {
  changed,
  isMeasured,
  MARKS,
  nextMeasure,
  repaired,
  RULES,
  whyNotAggregate,
  whyNotFurther,
  whyNotMark,
} from './choices.ts'
import { fieldKind, fieldsOf, toNumber, toTime } from './fields.ts'
import { fileName } from '../../../../../ui/save.ts'
import { inOrder, isOrdered, timeLabeler } from './labels.ts'

const columns = (...types: readonly string[]): ReturnType<typeof fieldsOf> =>
  fieldsOf(types.map((type, i) => ({ name: `c${i}`, type })))

describe('fields', () => {
  test('types determine how values are placed', () => {
    expect(
      [
        'HUGEINT',
        'DECIMAL(38,9)',
        'TIMESTAMP WITH TIME ZONE',
        "ENUM('a')",
        'UUID',
        'JSON',
        'INTEGER[]',
        'BLOB',
        'MAP(VARCHAR, INTEGER)',
        'INTERVAL',
      ].map(fieldKind),
    ).toEqual(['integer', 'number', 'time', 'category', 'category', 'category', 'other', 'other', 'other', 'other'])
  })

  test('keys are unique, whatever the names', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'a (2)', 'b', '')), (names) => {
        const keys = fieldsOf(names.map((name) => ({ name, type: 'DOUBLE' }))).map(({ key }) => key)
        expect(new Set(keys).size).toBe(names.length)
      }),
    )
  })
})

describe('values', () => {
  test('texts are converted to doubles', () => {
    expect(
      ['1.50', '-170141183460469231731687303715884105728', 'nan', 'inf', 'Infinity', '', 'x'].map(toNumber),
    ).toEqual([1.5, -(2 ** 127), null, null, null, null, null])
  })

  test('texts are converted to times, in UTC', () => {
    const iso = (text: string): string | null => {
      const time = toTime(text)
      return time === null ? null : new Date(time).toISOString()
    }
    expect(iso('2024-02-29')).toBe('2024-02-29T00:00:00.000Z')
    expect(iso('0044-03-15 (BC)')).toBe('-000043-03-15T00:00:00.000Z')
    expect(iso('1969-12-31 23:59:59.999999')).toBe('1969-12-31T23:59:59.999Z')
    expect(iso('2024-01-31T12:00:00.000000Z')).toBe('2024-01-31T12:00:00.000Z')
    expect(iso('2024-01-31 12:00:00+02')).toBe('2024-01-31T10:00:00.000Z')
    expect(iso('infinity')).toBeNull()
    expect(iso('294247-01-10 04:00:54')).not.toBeUndefined()
  })
})

describe('bins', () => {
  test('each value is in its bin, and there are about as many bins as requested', () => {
    const value = fc.double({ min: -1e12, max: 1e12, noNaN: true })
    fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        const [min = 0, middle = 0, max = 0] = [a, b, c].toSorted((x, y) => x - y)
        const bins = numberBins(min, max, 40, false)
        expect(bins.step).toBeGreaterThan(0)
        expect(binOf(bins, min)).toBeGreaterThanOrEqual(0)
        expect(binOf(bins, max) - binOf(bins, min)).toBeLessThanOrEqual(80)
        const [from, to] = binRange(bins, binOf(bins, middle))
        const slack = 1e-9 * Math.max(Math.abs(middle), bins.step)
        expect(middle).toBeGreaterThanOrEqual(from - slack)
        expect(middle).toBeLessThanOrEqual(to + slack)
      }),
    )
  })

  test('bins of integers are at least 1 wide', () => {
    expect(numberBins(0, 7, 40, true).step).toBe(1)
    expect(binRange(numberBins(0, 1, 40, false), 3)).toEqual([0.15, 0.2])
  })

  test('times fall into calendar bins', () => {
    const at = (text: string): number => Date.parse(text)
    const years = timeBins(at('1990-05-01'), at('2024-01-01'), 50)
    expect(years).toEqual({ by: 'months', every: 12 })
    expect(binRange(years, binOf(years, at('1999-12-31T23:59:59Z')))).toEqual([at('1999-01-01'), at('2000-01-01')])
    const weeks = timeBins(at('2023-01-01'), at('2023-12-31'), 60)
    const [from] = binRange(weeks, binOf(weeks, at('2023-06-15')))
    expect(new Date(from).getUTCDay()).toBe(1)
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true, min: new Date('0000-01-01'), max: new Date('9999-01-01') }),
        fc.nat(4e11),
        (start, span) => {
          const time = start.getTime()
          const bins = timeBins(time, time + span, 50)
          const [low, high] = binRange(bins, binOf(bins, time))
          expect(low).toBeLessThanOrEqual(time)
          expect(high).toBeGreaterThan(time)
        },
      ),
    )
  })
})

describe('labels', () => {
  test('times have as many digits as distinguish them', () => {
    const label = (...texts: readonly string[]): string[] => {
      const times = texts.map((text) => Date.parse(text))
      return times.map(timeLabeler(times))
    }
    expect(label('2023-01-01', '2024-01-01')).toEqual(['2023', '2024'])
    expect(label('2023-01-01', '2023-02-01')).toEqual(['2023-01', '2023-02'])
    expect(label('2023-01-01', '2023-01-02')).toEqual(['2023-01-01', '2023-01-02'])
    expect(label('2023-01-01T10:30:00Z')).toEqual(['2023-01-01 10:30'])
    expect(label('-000043-03-15')).toEqual(['-000043-03-15'])
  })

  test('values are sorted in their natural order', () => {
    expect(inOrder(['Wed', 'Mon', 'Sun'])).toEqual(['Mon', 'Wed', 'Sun'])
    expect(inOrder(['item 10', 'item 9'])).toEqual(['item 9', 'item 10'])
    expect(inOrder(['-1', '-10', '2'])).toEqual(['-10', '-1', '2'])
    expect(isOrdered(['Q1', 'Q4'])).toBe(true)
    expect(isOrdered(['2024-01', '2023-12'])).toBe(true)
    expect(isOrdered(['north', 'south'])).toBe(false)
  })

  test('file names are made of titles', () => {
    expect(fileName(' Sales: a/b\u202e\u0000 ', 'png', 'chart')).toBe('Sales a b.png')
    expect(fileName('...', 'svg', 'chart')).toBe('chart.svg')
  })
})

describe('choices', () => {
  const spec: ChartSpec = { mark: 'scatter', x: null, y: null, aggregate: 'none', color: null }

  test('options that can’t be chosen say why', () => {
    const [text] = [columns('VARCHAR')]
    expect(Object.fromEntries(MARKS.map(({ mark }) => [mark, whyNotMark(mark, text)]))).toEqual({
      bar: null,
      line: null,
      area: null,
      scatter: 'needs two columns of numbers or times',
      histogram: 'needs a number or a time',
      box: 'needs a number',
      heatmap: 'needs two columns',
    })
    expect(whyNotAggregate('sum', { ...spec, mark: 'bar' }, 9)).toBe('needs a column to measure')
    expect(whyNotAggregate('none', { ...spec, mark: 'line', y: 'c' }, 1e6)).toBe('too many rows to draw each')
  })

  test('a choice can always be drawn', () => {
    const type = fc.constantFrom('VARCHAR', 'BIGINT', 'DOUBLE', 'DATE', 'BLOB')
    const key = fc.option(fc.constantFrom('c0', 'c1', 'c2', 'gone'))
    const any = fc.record({
      mark: fc.constantFrom<Mark>(...MARKS.map(({ mark }) => mark)),
      x: key,
      y: key,
      color: key,
      size: fc.option(fc.constantFrom('c0', 'c1', 'c2', 'gone'), { nil: undefined }),
      aggregate: fc.constantFrom<ChartSpec['aggregate'][]>('none', 'count', 'sum', 'mean', 'median', 'min', 'max'),
    })
    fc.assert(
      fc.property(fc.array(type, { maxLength: 4 }), any, fc.nat(20_000), (types, wanted, rows) => {
        const fields = columns(...types)
        const found = repaired(wanted, fields, rows)
        if (!found) {
          expect(MARKS.every(({ mark }) => whyNotMark(mark, fields) !== null)).toBe(true)
          return
        }
        const rule = RULES[found.mark]
        for (const [slot, name] of [
          [rule.x, found.x],
          [rule.y, found.y],
          [rule.color, found.color],
          [rule.size ?? null, found.size ?? null],
        ] as const) {
          const field = fields.find((each) => each.key === name)
          expect(name === null ? !slot?.required : field && slot?.takes(field)).toBe(true)
        }
        expect(whyNotAggregate(found.aggregate, found, rows)).toBeNull()
        expect(repaired(found, fields, rows)).toEqual(found)
      }),
      { numRuns: 500 },
    )
  })

  test('another kind of chart gets fields that suit it', () => {
    const names = [
      ['id', 'BIGINT'],
      ['day', 'DATE'],
      ['region', 'VARCHAR'],
      ['channel', 'VARCHAR'],
      ['revenue', 'DOUBLE'],
      ['price', 'DOUBLE'],
    ] as const
    const fields = fieldsOf(names.map(([name, type]) => ({ name, type })))
    const bars: ChartSpec = { mark: 'bar', x: 'region', y: 'revenue', aggregate: 'sum', color: null }
    expect(changed(bars, { mark: 'scatter' }, fields, 9)).toMatchObject({ x: 'price', y: 'revenue', aggregate: 'none' })
    expect(changed(bars, { mark: 'heatmap' }, fields, 9)).toMatchObject({ x: 'region', y: 'channel', color: 'revenue' })
    expect(changed(bars, { mark: 'box' }, fields, 9)).toMatchObject({ x: 'region', y: 'revenue' })
    expect(changed({ ...spec, x: 'price', y: 'revenue' }, { mark: 'box' }, fields, 9)).toMatchObject({
      x: null,
      y: 'revenue',
    })
  })

  test('only dots have a size, which is a number', () => {
    const fields = columns('DOUBLE', 'DOUBLE', 'BIGINT', 'VARCHAR')
    const dots: ChartSpec = { mark: 'scatter', x: 'c0', y: 'c1', aggregate: 'none', color: null }
    const sized = changed(dots, { size: 'c2' }, fields, 9)
    expect(sized).toEqual({ ...dots, size: 'c2' })
    expect(changed(sized, { size: undefined }, fields, 9)).toEqual(dots)
    expect(changed(sized, { size: 'c3' }, fields, 9)).not.toHaveProperty('size')
    expect(changed(sized, { mark: 'histogram' }, fields, 9)).not.toHaveProperty('size')
  })

  test('a newly chosen measure is aggregated', () => {
    const fields = columns('VARCHAR', 'DOUBLE')
    const bars: ChartSpec = { mark: 'bar', x: 'c0', y: null, aggregate: 'count', color: null }
    expect(changed(bars, { y: 'c1' }, fields, 9)).toMatchObject({ y: 'c1', aggregate: 'sum' })
    expect(changed({ ...bars, y: 'c1', aggregate: 'sum' }, { y: null }, fields, 9).aggregate).toBe('count')
  })

  test('further measures differ from others, and only some charts have them', () => {
    const fields = columns('VARCHAR', 'DOUBLE', 'INTEGER')
    const bars: ChartSpec = { mark: 'bar', x: 'c0', y: 'c1', aggregate: 'sum', color: 'c0' }
    const next = nextMeasure(bars, fields, 9)
    expect(next).toEqual({ y: 'c2', aggregate: 'sum', right: false })
    const both = changed(bars, { more: next ? [next] : [] }, fields, 9)
    expect(both).toEqual({ ...bars, color: null, more: [next] })
    expect(nextMeasure(both, fields, 9)).toEqual({ y: 'c1', aggregate: 'mean', right: false })
    // A duplicate, a text column, a missing column.
    const odd = ['c1', 'c0', 'gone', 'c2'].map((y) => ({ y, aggregate: 'sum' as const, right: true }))
    expect(changed(bars, { more: odd }, fields, 9).more).toEqual([{ y: 'c2', aggregate: 'sum', right: true }])
    expect(changed(both, { color: 'c0' }, fields, 9)).toEqual(bars)
    expect(changed(both, { mark: 'scatter' }, fields, 9).more).toBeUndefined()
    expect(changed(both, { y: null }, fields, 9).more).toBeUndefined()
    const lines = changed(both, { mark: 'line', aggregate: 'none' }, fields, 9)
    expect(lines).toMatchObject({ aggregate: 'none', more: [{ y: 'c2', aggregate: 'none' }] })
    expect(changed(lines, { mark: 'bar' }, fields, 9)).toMatchObject({ aggregate: 'sum', more: [{ aggregate: 'sum' }] })
    expect(whyNotFurther('none', both, 9)).toBe('Y is summed up')
    expect(isMeasured(both, 0, { y: 'c1', aggregate: 'sum', right: true })).toBe(true)
    expect(isMeasured(both, 0, { y: 'c2', aggregate: 'sum', right: true })).toBe(false)
  })

  test('there are at most as many measures as colors', () => {
    const fields = columns('VARCHAR', ...Array.from({ length: 12 }, () => 'DOUBLE'))
    let grown: ChartSpec = { mark: 'bar', x: 'c0', y: 'c1', aggregate: 'sum', color: null }
    for (let i = 0; i < 12; i++) {
      const next = nextMeasure(grown, fields, 9)
      if (next) grown = changed(grown, { more: [...(grown.more ?? []), next] }, fields, 9)
    }
    expect(grown.more).toHaveLength(7)
  })
})
