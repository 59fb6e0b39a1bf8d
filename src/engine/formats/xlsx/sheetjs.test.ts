import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as XLSX from 'xlsx'
import { inspect, readRows } from './testing/read.ts'

describe('what SheetJS wrote', () => {
  type Value = string | number | boolean | Date | null
  const value: fc.Arbitrary<Value> = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
    fc.integer(),
    fc.boolean(),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((string) => !/_x[0-9a-f]{4}_/i.test(string)),
    fc
      .integer({ min: Date.UTC(1901, 0, 1) / 1000, max: Date.UTC(2200, 0, 1) / 1000 })
      .map((seconds) => new Date(seconds * 1000)),
    fc.constant(null),
  )

  function shown(cell: Value): string | null {
    if (cell instanceof Date) return cell.toISOString().slice(0, 19).replace('T', ' ')
    return cell === null ? null : String(cell)
  }

  test.each([true, false])('random sheets, shared strings %s', async (bookSST) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(value, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
        async (table) => {
          const sheet = XLSX.utils.aoa_to_sheet([['a', 'b', 'c'], ...table], {
            dense: true,
            UTC: true,
            dateNF: 'yyyy-mm-dd hh:mm:ss',
          })
          const book = XLSX.utils.book_new(sheet, 'S')
          const bytes = XLSX.write(book, { type: 'array', bookType: 'xlsx', compression: true, bookSST }) as ArrayBuffer
          // The range is given, because a short row after a blank one would be taken for a footer.
          const settings = { kind: 'xlsx', headerRow: { S: 1 }, range: { S: `A1:C${table.length + 1}` } } as const
          const file = new File([bytes], 's.xlsx')
          const { rows } = await readRows(file, { settings, types: ['VARCHAR', 'VARCHAR', 'VARCHAR'] })
          const kept = table.filter((row) => row.some((cell) => cell !== null))
          expect(rows).toEqual(kept.map((row) => row.map(shown)))
          // The inferred types must hold for every row.
          const inspected = await inspect(file, settings)
          const { rejected } = await readRows(file, { settings })
          expect(rejected).toEqual([])
          expect(inspected.tables[0].rows).toBe(kept.length)
        },
      ),
      { numRuns: 100 },
    )
  })
})
