import { describe, expect, it } from 'vitest'
import { printType } from '../../../tables/types.ts'
import { ColumnInference } from './column-inference.ts'
import { inferTable } from './table.ts'

const encoder = new TextEncoder()

function observed(texts: readonly string[]): ColumnInference {
  const inference = new ColumnInference()
  for (const text of texts) {
    const bytes = encoder.encode(text)
    inference.observe(bytes, 0, bytes.length)
  }
  return inference
}

function conclusion(inference: ColumnInference) {
  const [{ type, reason, proposals = [] }] = inferTable([inference], { delimiter: ',' }).columns
  return {
    type: printType(type),
    reason,
    labels: proposals.map(({ label, ambiguous }) => label + (ambiguous ? ' ?' : '')),
  }
}

const found = (...texts: string[]) => conclusion(observed(texts))

describe('names of time zones', () => {
  it.each(['UTC', 'GMT', 'Z', 'utc', '+01:00'])('that mean one zone are read: %s', (zone) => {
    for (const date of ['2024-03-01 10:00', '2024-03-01 10:00:00', '01.03.2024 10:00', '1 Mar 2024 10:00 AM'])
      expect([date, found(`${date} ${zone}`, `${date} ${zone}`).type]).toEqual([date, 'TIMESTAMP WITH TIME ZONE'])
  })

  it.each([
    ['2024-03-01 10:00 CET', 'CET', '2024-03-01 10:00:00'],
    ['2024-03-01 10:00:00 EST', 'EST', '2024-03-01 10:00:00'],
    ['2024-03-01T10:00:00.5 PT', 'PT', '2024-03-01 10:00:00.5'],
    ['Fri Mar  1 10:00:00 CET 2024', 'CET', '2024-03-01 10:00:00'],
    ['Mar 1, 2024 10:00 AM PST', 'PST', '2024-03-01 10:00:00'],
    ['31.03.2024 10:00 MSK', 'MSK', '2024-03-31 10:00:00'],
  ])('that may mean several are left out only if a person says so: %s', (text, zone, read) => {
    expect(found(text, text)).toEqual({
      type: 'VARCHAR',
      reason: `All 2 values are dates with times, but “${zone}” may mean several time zones. They stay text until you choose. UTC, GMT, Z and offsets such as +01:00 are read.`,
      labels: [expect.stringContaining(`Apply: ${read}`)],
    })
    expect(found(text, text).labels[0]).toMatch(`, without “${zone}” ?`)
  })

  it('of several zones leave a column text, and the reason is told', () => {
    const reason =
      'The dates are in several time zones, such as “2024-03-01 10:00 CET” and “2024-07-01 10:00 CEST”. An abbreviation can mean more than one zone, so the column stays text. UTC, GMT, Z and offsets such as +01:00 are read.'
    const texts = ['2024-03-01 10:00 CET', '2024-07-01 10:00 CEST', '2024-07-02 10:00 CEST', '2024-12-01 10:00 CET']
    expect(found(...texts)).toEqual({ type: 'VARCHAR', reason, labels: [] })
    const merged = observed(texts.slice(0, 3))
    merged.merge(observed(texts.slice(3)).stats(), 3)
    expect(conclusion(merged)).toEqual({ type: 'VARCHAR', reason, labels: [] })
    const halves = observed([texts[0], texts[0]])
    halves.merge(observed([texts[1], texts[1]]).stats(), 2)
    expect(conclusion(halves)).toEqual({ type: 'VARCHAR', reason, labels: [] })
    expect(found('2024-03-01 10:00 UTC', '2024-03-01 10:00 EST', '2024-03-01 10:00 UTC').reason).toContain(
      '“2024-03-01 10:00 EST”',
    )
  })

  it('are told from halves of the day, and from other words', () => {
    expect(found('2024-03-01 10:00 PM', '2024-03-01 10:00 AM').type).toBe('TIMESTAMP')
    expect(found('2024-03-01 10:00 Berlin', '2024-03-01 10:00 Berlin').reason).toBe('The values are text.')
  })
})
