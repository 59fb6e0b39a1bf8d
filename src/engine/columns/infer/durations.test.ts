import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printType, scalar } from '../../../tables/types.ts'
import { cellToString } from '../../arrow/text.ts'
import { nativeText } from '../../testing/oracle.ts'
import { makeColumnBuilder } from '../builder.ts'
import { parseInterval } from '../builders/intervals.ts'
import { ColumnInference } from './column-inference.ts'
import type { Source } from './kinds.ts'
import { inferTable, textMeanings } from './table.ts'

const encoder = new TextEncoder()

function observed(texts: readonly string[], source: Source = 'text'): ColumnInference {
  const inference = new ColumnInference(source)
  for (const text of texts) {
    const bytes = encoder.encode(text)
    inference.observe(bytes, 0, bytes.length)
  }
  return inference
}

function found(...texts: readonly string[]) {
  const [{ type, reason, proposals = [] }] = inferTable([observed(texts)], { delimiter: ',' }).columns
  return {
    type: printType(type),
    reason,
    labels: proposals.map(({ label, ambiguous }) => label + (ambiguous ? ' ?' : '')),
  }
}

/** The texts as a column of durations has them; null for those that are none. */
function asIntervals(texts: readonly string[], dateFormat?: string): (string | null)[] {
  const builder = makeColumnBuilder(scalar('INTERVAL'), { dateFormat })
  for (const text of texts) {
    const bytes = encoder.encode(text)
    if (!builder.appendText(bytes, 0, bytes.length)) builder.appendNull()
  }
  const data = builder.finish()
  return texts.map((_, row) => cellToString(scalar('INTERVAL'), data, row))
}

describe('durations', () => {
  it('of more than a day are such, as they stand there', () => {
    expect(found('30:15:00', '08:00:00', '100:59:59.5')).toMatchObject({ type: 'INTERVAL', labels: [] })
    expect(asIntervals(['30:15:00', '08:00:00', '100:59:59.5'])).toEqual(['30:15:00', '08:00:00', '100:59:59.5'])
    expect(printType(observed(['30:15:00', '08:00:00'], 'json').column().type)).toBe('INTERVAL')
  })

  it('are none where the end of a day is all that is beyond times of day', () => {
    expect(found('08:00:00', '12:00:00').type).toBe('TIME')
    expect(found('08:00:00', '24:00:00').type).toBe('VARCHAR')
    expect(found('24:00:00', '24:00:01').type).toBe('INTERVAL')
    const merged = observed(['24:00:00'])
    merged.merge(observed(['24:10:00']).stats(), 1)
    expect(printType(merged.column().type)).toBe('INTERVAL')
  })

  it.each([
    [['1h 5m', '2h', '45m 10s'], 'Apply: 01:05:00'],
    [['PT1H30M', 'P1DT2H', 'PT45S'], 'Apply: 01:30:00'],
    [['1 hour 30 minutes', '2 hours'], 'Apply: 01:30:00'],
    [['2d 4h', '1d'], 'Apply: 2 days 04:00:00'],
    [['1h05', '10h30'], 'Apply: 01:05:00 ?'],
    [['P1M', 'P1Y'], 'Apply: 1 month ?'],
    [['1:05:30', '30:15:00', '08:00:00'], 'Apply: 01:05:30'],
    [['90 min', '1 h 30 min'], 'Apply: 01:30:00'],
    [['8:30', '1 h 30 min'], 'Apply: 08:30:00'],
    [['1 h 30 min', '8:30'], 'Apply: 01:30:00'],
  ])('in words, ISO 8601, or hours and minutes are proposed: %j', (texts, label) => {
    const { type, reason, labels } = found(...texts)
    expect([type, labels]).toEqual(['VARCHAR', [label]])
    expect(reason).toBe(
      label.endsWith('?')
        ? `All ${texts.length} values are texts, which may be durations such as “${texts[0]}”.`
        : `All ${texts.length} values are durations, such as “${texts[0]}”. They stay text until you choose.`,
    )
    expect(asIntervals(texts)).not.toContain(null)
  })

  it.each([
    [
      ['16:47', '12:05'],
      ['16:47:00 (time of day) ?', '16:47:00 (hours and minutes) ?', '00:16:47 (minutes and seconds) ?'],
    ],
    [
      ['+0:15', '-1:00'],
      ['00:15:00 (hours and minutes) ?', '00:00:15 (minutes and seconds) ?'],
    ],
    [
      ['5:06', '12:45'],
      ['05:06:00 (time of day) ?', '05:06:00 (hours and minutes) ?', '00:05:06 (minutes and seconds) ?'],
    ],
    [
      ['1:05:30', '2:10:05'],
      ['01:05:30 (time of day) ?', '01:05:30 (duration) ?'],
    ],
    [
      ['9:05:10', '10:20:30'],
      ['09:05:10 (time of day) ?', '09:05:10 (duration) ?'],
    ],
    [
      ['8:30', '7:45', '38:15'],
      ['08:30:00 (hours and minutes) ?', '00:08:30 (minutes and seconds) ?'],
    ],
    [
      ['08:30', '-2:30'],
      ['08:30:00 (hours and minutes) ?', '00:08:30 (minutes and seconds) ?'],
    ],
    [
      ['58:12', '1:02:03', '1:10:45'],
      ['00:58:12 (minutes and seconds) ?', '58:12:00 (hours and minutes) ?'],
    ],
    [['1:23.456', '1:24.01', '59:59'], ['00:01:23.456 (minutes and seconds)']],
  ])('of which more than one reading fits are asked about: %j', (texts, expected) => {
    const { type, labels } = found(...texts)
    expect([type, labels]).toEqual(['VARCHAR', expected.map((label) => `Apply: ${label}`)])
    const merged = new ColumnInference()
    for (const text of texts) merged.merge(observed([text]).stats(), 0)
    const proposals = inferTable([merged], { delimiter: ',' }).columns[0].proposals ?? []
    expect(proposals).toHaveLength(expected.length)
    for (const { change } of proposals) {
      if (change.kind !== 'column') expect.fail('It changes no column.')
      const builder = makeColumnBuilder(scalar(change.patch.type === 'TIME' ? 'TIME' : 'INTERVAL'), change.patch.format)
      for (const text of texts) expect(builder.appendText(encoder.encode(text), 0, text.length)).toBe(true)
    }
  })

  it.each([
    ['Duration', ['00:52:31', '01:07:45'], ['00:52:31 (duration)', '00:52:31 (time of day)']],
    ['elapsed_time', ['1:20:30', '09:05:10'], ['01:20:30 (duration)', '01:20:30 (time of day)']],
    [
      'avgPace',
      ['05:06', '04:58'],
      ['00:05:06 (minutes and seconds)', '05:06:00 (hours and minutes)', '05:06:00 (time of day)'],
    ],
    [
      'Dauer',
      ['08:30', '8:15'],
      ['08:30:00 (hours and minutes)', '00:08:30 (minutes and seconds)', '08:30:00 (time of day)'],
    ],
    [
      'durée',
      ['05:06', '01:05:06'],
      ['00:05:06 (minutes and seconds)', '05:06:00 (hours and minutes)', '05:06:00 (time of day)'],
    ],
    ['x', ['00:12:05', '00:00:45', '00:59:59.5'], ['00:12:05 (duration)', '00:12:05 (time of day)']],
  ])('are asked about where the name %s or their length says so, though they look like times of day', (...given) => {
    const [name, texts, expected] = given
    const whole = inferTable([observed(texts)], { delimiter: ',' }, [name])
    const merged = new ColumnInference()
    for (const [i, text] of texts.entries()) merged.merge(observed([text]).stats(), i)
    expect(inferTable([merged], { delimiter: ',' }, [name])).toEqual(whole)
    const [{ type, reason, proposals = [] }] = whole.columns
    expect([printType(type), proposals.map(({ label }) => label)]).toEqual([
      'VARCHAR',
      expected.map((label) => `Apply: ${label}`),
    ])
    expect(reason).toContain(name === 'x' ? 'as all are shorter than an hour' : 'as the name says')
    expect(proposals.every(({ ambiguous }) => ambiguous)).toBe(true)
    for (const { change } of proposals) {
      if (change.kind !== 'column') expect.fail('It changes no column.')
      const builder = makeColumnBuilder(scalar(change.patch.type === 'TIME' ? 'TIME' : 'INTERVAL'), change.patch.format)
      for (const text of texts) expect(builder.appendText(encoder.encode(text), 0, text.length)).toBe(true)
    }
  })

  it.each([
    ['Start', ['08:00', '09:30']],
    ['Break', ['00:12:05', '01:00:00', '00:30:00']],
    ['x', ['00:12:05', '00:00:45']],
    ['x', ['00:00:00', '00:00:00', '00:00:00']],
    ['Tempolimit', ['05:06', '04:58']],
    ['Running', ['05:06', '04:58']],
  ])('aren’t asked about in %s: %j', (name, texts) => {
    const [{ type, proposals }] = inferTable([observed(texts)], { delimiter: ',' }, [name]).columns
    expect([printType(type), proposals]).toEqual(['TIME', undefined])
  })

  it('are proposed for JSON and workbooks, too, by the name of the column', () => {
    const texts = observed(['00:52:31', '01:07:45'], 'json').stats()
    const of = (name: string) =>
      textMeanings([{ texts, type: scalar('TIME') }], [name])[0].proposals?.map(({ label }) => label)
    expect([of('duration')?.[0], of('start')]).toEqual(['Apply: 00:52:31 (duration)', undefined])
  })

  it('in minutes and seconds may have more than an hour', () => {
    expect(asIntervals(['5:06', '-75:30', '1:23,4', '1:02:03', '5:60'], '%M:%S')).toEqual([
      '00:05:06',
      '-01:15:30',
      '00:01:23.4',
      '01:02:03',
      null,
    ])
  })

  it.each(['1h 5x', 'PT', 'P', '1.5h 2m', '5m 1h', 'h', '1h60', '30:61:00', '5 mm', '1 hat'])(
    'aren’t what only looks so: %s',
    (text) => {
      expect(parseInterval(text)).toBeNull()
      expect(found('30:15:00', text).type).toBe('VARCHAR')
      expect(found('1h 5m', text).labels).toEqual([])
    },
  )

  it('of one unit alone are left as they are: “12h” may be a time of day', () => {
    expect(found('12h', '14h')).toEqual({ type: 'VARCHAR', reason: 'The values are text.', labels: [] })
    expect(found('12h', '14h', '1h 30m').labels).toEqual(['Apply: 12:00:00'])
  })

  it.each([
    ['8:30', '24:00'],
    ['8:30', '08:30:00'],
    ['08:00', '38:75'],
  ])('aren’t times of day: %s, %s', (...texts) => {
    const { type, labels } = found(...texts)
    expect([type === 'INTERVAL', labels]).toEqual([false, []])
  })

  it('in minutes alone are numbers with their unit', () => {
    expect(found('90 min', '45 min').labels).toEqual(['Apply: 90 (min)'])
  })

  it('are what native DuckDB makes of them', async () => {
    const count = fc.option(fc.nat(200), { nil: 0 })
    const words = fc
      .tuple(fc.nat(900), count, count, count)
      .map(([days, hours, minutes, seconds]) =>
        [
          days > 500 ? '' : `${days} days`,
          hours > 0 ? `${hours} ${hours % 2 ? 'hours' : 'h'}` : '',
          minutes > 0 ? `${minutes} ${minutes % 2 ? 'minutes' : 'min'}` : '',
          `${seconds}${seconds % 3 ? '' : '.25'} seconds`,
        ]
          .filter(Boolean)
          .join(' '),
      )
    const clock = fc
      .tuple(fc.nat(5000), fc.nat(59), fc.nat(59))
      .map(([hours, ...parts]) => [hours, ...parts.map((part) => String(part).padStart(2, '0'))])
      .map((parts) => (Number(parts[0]) % 3 === 0 ? `-${parts.slice(0, 2).join(':')}` : parts.join(':')))
    const printed = fc
      .tuple(
        fc.integer({ min: -40, max: 40 }),
        fc.integer({ min: -40, max: 40 }),
        fc.integer({ min: -9e11, max: 9e11 }),
      )
      .map(([months, days, micros]) => ({ months, days, micros }))
    const texts = fc.sample(fc.oneof(words, clock), 200)
    const values = texts.map((text) => `('${text}')`).join(', ')
    const rows = await nativeText(`SELECT CAST(t AS INTERVAL) FROM (VALUES ${values}) v(t)`)
    expect(asIntervals(texts)).toEqual(rows.flat())
    const made = fc
      .sample(printed, 200)
      .map(({ months, days, micros }) => `(to_months(${months}) + to_days(${days}) + to_microseconds(${micros}))`)
    const prints = (await nativeText(`SELECT i FROM (VALUES ${made.join(', ')}) v(i)`)).flat().map(String)
    expect(asIntervals(prints)).toEqual(prints)
  })
})
