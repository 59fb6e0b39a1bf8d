import { expect, it } from 'vitest'
import { pollutions } from './pollutions.ts'
import { load, pollockScore } from './score.ts'
import { makeTable } from './sources.ts'

/* Scores out of 10 for reading damaged files with nothing set by hand. */

const SOURCES = [
  [
    'quotes where needed',
    ['date', 'time', 'sorted_name', 'city', 'quoted_remark', 'amount', 'quantity', 'link', 'phone'],
    {},
  ],
  [
    'all quoted',
    ['id', 'day', 'code', 'name', 'quoted_remark', 'amount', 'share', 'active', 'address'],
    { quoteAll: true },
  ],
  ['no quotes', ['code', 'date', 'city', 'remark', 'amount', 'quantity', 'sparse', 'phone', 'active'], {}],
] as const

it('polluted files', async () => {
  const simple: number[] = []
  const weighted: number[] = []
  for (const [source, columns, style] of SOURCES) {
    const kinds = new Map<string, number[]>()
    let sum = 0
    let weights = 0
    for (const { name, text, rows, weight } of pollutions(makeTable(columns, 83, 7), style)) {
      const score = await load(text).then(
        (found) => pollockScore(rows, found.rows),
        () => 0,
      )
      const of = kinds.get(name) ?? []
      of.push(score)
      kinds.set(name, of)
      sum += score * weight
      weights += weight
    }
    const all = [...kinds.values()].flat()
    const mean = (scores: readonly number[]): number => scores.reduce((a, b) => a + b, 0) / scores.length
    simple.push(mean(all))
    weighted.push(sum / weights)
    console.log(
      `\n${source}: ${all.length} files, simple ${mean(all).toFixed(3)}, weighted ${(sum / weights).toFixed(3)}`,
    )
    for (const [name, scores] of kinds) {
      console.log(`  ${name.padEnd(28)} ${mean(scores).toFixed(3)}  worst ${Math.min(...scores).toFixed(2)}`)
    }
  }
  expect(Math.min(...simple)).toBeGreaterThan(9.9)
  expect(Math.min(...weighted)).toBeGreaterThan(9.6)
})
