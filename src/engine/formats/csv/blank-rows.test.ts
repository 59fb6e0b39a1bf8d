import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CsvSettings } from '../../../tables/plan.ts'
import { applyEdits } from '../../../tables/edits.ts'
import { convert, inspect } from '../../testing/run.ts'

const file = (text: string): File => new File([text], 'a.csv')
const codes = (list: readonly { readonly code: string }[] = []): string[] => list.map(({ code }) => code)

async function leftOut(text: string, settings: Partial<CsvSettings> = {}) {
  const request = { settings: { kind: 'csv', blankRows: 'leave-out', ...settings } } as const
  const { result, files } = await convert(file(text), 'csv', undefined, undefined, request)
  const [receipt] = result.outputs[0].receipts
  expect(receipt.verdict).toBe('match')
  return { text: await files[0].text(), receipt }
}

describe('rows without any value', () => {
  const TEXT = 'a,b\n1,2\n,\n\n3,4\n"",\n,\n'

  test('are rows, told, and can be left out', async () => {
    const { inspection } = await inspect(file(TEXT))
    const [table] = inspection.tables
    expect(table.rows).toBe(5)
    expect(inspection.notes.map(({ code, count }) => [code, count])).toEqual([
      ['blank-lines', 1],
      ['blank-rows', 2],
    ])
    const [proposal] = table.proposals ?? []
    expect(proposal).toMatchObject({ label: 'Apply: leave out 2 blank rows', count: 2 })
    expect(proposal.change).toEqual({ kind: 'reading', settings: { kind: 'csv', blankRows: 'leave-out' } })
  })

  test('are left out then, and the receipt says so; what is quoted stays', async () => {
    const { text, receipt } = await leftOut(TEXT)
    expect(text).toBe('a,b\n1,2\n3,4\n"",\n')
    expect(receipt.changes).toContainEqual({ code: 'rows-left-out', message: 'You left out 2 lines.', count: 2 })
    expect(codes(receipt.notes)).toEqual(['blank-lines'])
  })

  test('of one column are its blank lines: nulls, or left out', async () => {
    const { inspection } = await inspect(file('a\n1\n\n3\n'))
    expect(inspection.tables[0].columns[0].nulls).toBe(1)
    expect(inspection.tables[0].proposals).toMatchObject([{ code: 'blank-rows', ambiguous: true }])
    expect((await leftOut('a\n1\n\n3\n')).text).toBe('a\n1\n3\n')
  })

  test('are left out wherever they stand, and no other row is', async () => {
    const cell = fc.constantFrom('', '""', 'x', ' ', '7')
    const rows = fc.array(fc.tuple(cell, cell, cell), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const lines = cells.map((row) => row.join(','))
        const given = { delimiter: ',', quote: '"', escape: '"', header: true, skipLines: 0, trim: false } as const
        const { text } = await leftOut(`a,b,c\n1,2,3\n${lines.map((line) => `${line}\n`).join('')}`, given)
        const kept = lines.filter((line) => line !== ',,')
        expect(text).toBe(`a,b,c\n1,2,3\n${kept.map((line) => `${line}\n`).join('')}`)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a blank column', () => {
  test('can be left out where it has no name either', async () => {
    const { inspection } = await inspect(file(',a,x\n,1,\n,2,\n'))
    const [blank, a, named] = inspection.tables[0].columns
    expect([blank, a, named].map(({ proposals }) => codes(proposals))).toEqual([['blank-column'], [], []])
    const [{ change }] = blank.proposals ?? []
    if (change.kind !== 'column') throw new Error('It’s of the column.')
    const plan = applyEdits(inspection, [{ table: null, columns: [{ source: '', nth: 0, ...change.patch }] }])
    expect(plan.tables[0].columns.map(({ include }) => include)).toEqual([false, true, true])
  })

  test('isn’t proposed of a file without a header', async () => {
    const { inspection } = await inspect(file(',1,2\n,3,4\n'), { settings: { kind: 'csv', header: false } })
    expect(inspection.tables[0].columns[0].proposals).toBeUndefined()
  })

  test('between all columns may be taken for a delimiter of two: that’s a doubt, with the other reading', async () => {
    const { inspection } = await inspect(file('a,,b\n1,,2\n3,,4\n'))
    expect(codes(inspection.notes)).toContain('delimiter-pair')
    const proposal = inspection.tables[0].proposals?.find(({ code }) => code === 'delimiter-pair')
    expect(proposal?.change).toEqual({ kind: 'reading', settings: { kind: 'csv', delimiter: ',' } })
    const apart = await inspect(file('a,,b\n1,,2\n3,,4\n'), { settings: { kind: 'csv', delimiter: ',' } })
    expect(apart.inspection.tables[0].columns.map(({ name }) => name)).toEqual(['a', 'column_2', 'b'])
    expect(codes(apart.inspection.notes)).not.toContain('delimiter-pair')
  })
})
