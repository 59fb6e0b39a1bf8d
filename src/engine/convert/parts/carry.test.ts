import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultOptions, type JsonSettings } from '../../../tables/plan.ts'
import { expectAlike, paced, pausesOf, places, planOf, sampleOf, SETTINGS, TARGETS } from './testing.ts'

/* A file that two threads convert in parts comes to what it comes to when one converts all of it. */

const MB = 1024 * 1024
const TO_CSV = { target: 'csv', options: defaultOptions('csv') } as const

describe.each(Object.entries(TARGETS))('lines of JSON, in parts, to %s', (_, [target, how]) => {
  it.each(['objects', 'arrays'] as const)('are the same: %s', async (rows) => {
    const samples = sampleOf(rows, 5 * MB, 80_000)
    await fc.assert(
      fc.asyncProperty(samples, how, places, pausesOf(0, 50), async ({ file, settings }, options, wanted, slow) => {
        const beforePart = paced(slow)
        const { rejectedCount } = await expectAlike(
          file,
          { target, options, plan: planOf(settings, wanted) },
          beforePart,
        )
        expect(rejectedCount).toBeGreaterThan(10)
        expect(beforePart).toHaveBeenCalled()
      }),
      { numRuns: 1 },
    )
  })
})

describe('files of another kind, in parts,', () => {
  const alike = (content: string, settings: JsonSettings = SETTINGS, wanted: readonly number[] = [0, 1]) =>
    expectAlike(new File([content], 'a.ndjson'), { ...TO_CSV, plan: planOf(settings, wanted) })

  it('are the same: many rows, a tenth of them rejected', async () => {
    const lines = Array.from(
      { length: 60_000 },
      (_, i) => `{"id":${i % 10 === 3 ? '"x"' : i},"name":"the name of ${i}"}\r\n`,
    )
    const { rejectedCount, rejected } = await alike(lines.join(''))
    expect(rejectedCount).toBe(6000)
    expect(rejected[1]).toMatchObject({ row: 14, line: 14 })
  })

  it('are the same: a value a line', async () => {
    const values = Array.from({ length: 400 }, (_, i) => (i % 50 === 7 ? '"x"' : String(i)).padEnd(10_000))
    const { rejectedCount } = await alike(values.join('\n'), { ...SETTINGS, rows: 'values' }, [0])
    expect(rejectedCount).toBe(8)
  })

  it('are the same: nothing, nothing but blank lines, nothing but what is rejected, one line', async () => {
    for (const content of ['', '\ufeff', `${' '.repeat(1000)}\n`.repeat(5000), `${'x'.repeat(99)}\n`.repeat(25_000)]) {
      const { receipts } = await alike(content)
      expect(receipts[0].expected.rows).toBe(0)
    }
    expect((await alike(`{"id":1,"name":"${'x'.repeat(5 * MB)}"}`)).receipts[0].expected.rows).toBe(1)
  })

  it('are the same: a header that comes behind more blank lines than a part is long', async () => {
    const blank = `${' '.repeat(1000)}\n`.repeat(2500)
    await alike(`${blank}["id","name"]\n[1,"x"]\n`, { ...SETTINGS, rows: 'arrays', header: true })
  })
})
