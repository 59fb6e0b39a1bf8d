import { expect, it } from 'vitest'
import { cellsRight, load } from './score.ts'
import { webFiles } from './web.ts'

/* Files of the web's kinds, read with nothing set by hand: what part of their cells is right. */

const SEEDS = 10

it('files of the web', async () => {
  const faults = new Map<string, number[]>()
  let empty = 0
  for (const { fault, name, text, rows, header } of Array.from({ length: SEEDS }, (_, seed) => [
    ...webFiles(seed),
  ]).flat()) {
    const found = await load(text).catch(() => null)
    if (!found || found.rows.length <= (found.header ? 1 : 0)) empty++
    const right = found && found.header === header ? cellsRight(rows, found.rows) : 0
    if (right < 0.98) {
      const doubts = found?.doubts.join(', ')
      console.log(`  ${name}: ${(right * 100).toFixed(1)} %${doubts ? `, told: ${doubts}` : ''}`)
      if (process.env['SHOW']) console.log(text.slice(0, 400), found?.settings, found?.rows.slice(0, 3))
    }
    faults.set(fault, [...(faults.get(fault) ?? []), right])
  }
  const mean = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0) / all.length
  for (const [fault, all] of faults) console.log(`${fault.padEnd(22)} ${(mean(all) * 100).toFixed(1)} %`)
  const all = mean([...faults.values()].flat())
  console.log(`${'all'.padEnd(22)} ${(all * 100).toFixed(1)} %, ${empty} without rows`)
  expect(empty).toBe(0)
  expect(all).toBeGreaterThanOrEqual(0.98)
})
