import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultOptions, type CsvOptions } from '../../../tables/plan.ts'
import { VARCHAR, type Column } from '../../../tables/types.ts'
import { cellToString } from '../../arrow/text.ts'
import { batchOf, type RandomTable } from '../../testing/arbitrary.ts'
import { expectAlikeInPieces, partsAt, writePieces, writeRows, writeWhole } from '../../testing/pieces.ts'
import { csvReader, csvWriter } from './index.ts'
import { context } from './testing.ts'

/* Rows written on their own and put together, and read from where some of them begin. */

const OPTIONS = defaultOptions('csv') as CsvOptions
const MB = 1024 * 1024

const options: fc.Arbitrary<CsvOptions> = fc.record({
  kind: fc.constant('csv' as const),
  delimiter: fc.constantFrom(',', ';', '\t', '|', ' ', '||', '§'),
  quoteAll: fc.boolean(),
  bom: fc.boolean(),
  lineEnd: fc.constantFrom('\n' as const, '\r\n' as const),
  nullString: fc.constantFrom('', '', 'NULL', '\\N', '1'),
  header: fc.boolean(),
  safeForSpreadsheets: fc.constant(false),
  normalize: fc.constant(false),
})

describe('rows written on their own', () => {
  it('are what one writer writes, put together', () => expectAlikeInPieces(csvWriter, options))

  it('are none where there are none', async () => {
    const columns = [{ name: 'a', type: VARCHAR }]
    const none = batchOf({ columns, cells: [[]] })
    for (const how of [OPTIONS, { ...OPTIONS, header: false }, { ...OPTIONS, bom: true, header: false }]) {
      const { bytes } = await writeWhole(csvWriter, how, columns, [])
      expect((await writePieces(csvWriter, how, columns, [])).bytes).toEqual(bytes)
      expect((await writePieces(csvWriter, how, columns, [[], [none], [none, none]])).bytes).toEqual(bytes)
    }
    expect((await writeRows(csvWriter, { ...OPTIONS, bom: true }, columns, [none])).count).toBe(0)
  })
})

/** Texts that have something to do with where a row begins or ends, some of them wide. */
const cell = fc.option(
  fc.oneof(
    fc.constantFrom('', '\ufeff', '\ufeffa', 'a\nb', '\n', '"\r\n"', '"', '""', ',', 'NULL', '1', ' ', 'é', '🎈', '#'),
    fc
      .tuple(fc.constantFrom('x', 'line\n', '"', '\ufeff', '\r\n', 'ü,'), fc.integer({ min: 40_000, max: 120_000 }))
      .map(([unit, length]) => unit.repeat(Math.ceil(length / unit.length))),
  ),
  { freq: 6 },
)

/** A table of one to three columns whose file is of some megabytes. */
const wideTable: fc.Arbitrary<RandomTable> = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 30, max: 50 }))
  .chain(([width, rows]) =>
    fc.array(fc.array(cell, { minLength: rows, maxLength: rows }), { minLength: width, maxLength: width }),
  )
  .map((cells) => ({ columns: cells.map((_, i) => ({ name: `c${i}\n`, type: VARCHAR })), cells }))

const rowsOf = ({ columns, cells }: RandomTable): (string | null)[][] =>
  cells[0].map((_, row) => columns.map((__, i) => cells[i][row]))

/** The rows of a file's parts, read one by one. */
async function readParts(
  bytes: Uint8Array,
  cuts: readonly number[],
  columns: readonly Column[],
  settings: Parameters<NonNullable<typeof csvReader.parts>['cutter']>[0],
) {
  const wanted = columns.map(({ name, type }, index) => ({ index, source: name, type }))
  const rows: (string | null)[][] = []
  let names: readonly string[] | undefined
  const read = csvReader.parts?.open({ settings, table: null, columns: wanted }, context)
  for (const part of partsAt(bytes, cuts)) {
    for await (const { batch, rejected, names: told } of read?.(part) ?? []) {
      expect(rejected).toEqual([])
      if (part.index === 0) names ??= told
      for (let row = 0; row < batch.numRows; row++) {
        rows.push(columns.map(({ type }, i) => cellToString(type, batch.data.children[i], row)))
      }
    }
  }
  return { rows, names }
}

describe('cuts', () => {
  it('are where rows begin, and the file in parts is the same rows', async () => {
    let most = 0
    await fc.assert(
      fc.asyncProperty(
        wideTable,
        options,
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        async (table, how, step, asOne) => {
          const { columns } = table
          const whole = batchOf(table)
          const batches = Array.from({ length: Math.ceil(whole.numRows / step) }, (_, i) =>
            whole.slice(i * step, (i + 1) * step),
          )
          const { bytes, result } = asOne
            ? await writeWhole(csvWriter, how, columns, batches)
            : await writePieces(
                csvWriter,
                how,
                columns,
                batches.map((batch) => [batch]),
              )
          const [{ cuts = [], settings }] = result.readBack
          let at = (await writeWhole(csvWriter, how, columns, [])).bytes.length
          const begins = new Set<number>()
          for (const batch of batches) {
            begins.add(at)
            const { pieces } = await writeRows(csvWriter, how, columns, [batch])
            at += pieces.reduce((sum, piece) => sum + piece.length, 0)
          }
          expect(at).toBe(bytes.length)
          for (const [i, cut] of cuts.entries()) {
            expect(begins).toContain(cut)
            expect(cut - (cuts[i - 1] ?? 0)).toBeGreaterThanOrEqual(MB)
          }
          most = Math.max(most, cuts.length)
          const read = await readParts(bytes, cuts, columns, settings)
          expect(read.rows).toEqual(rowsOf(table))
          expect(read.names).toEqual(how.header ? columns.map(({ name }) => name) : undefined)
        },
      ),
      { numRuns: 15 },
    )
    expect(most).toBeGreaterThan(1)
  })

  it('may be before a blank line, a mark or quotes', async () => {
    const filler = 'x'.repeat(MB)
    for (const first of [null, '', '\ufeff', '\ufeffa', '"\n"', '\n', 'c']) {
      for (const names of [['c'], ['c', 'd']]) {
        const columns = names.map((name) => ({ name, type: VARCHAR }))
        const values = [filler, first, filler, first, first]
        const table = { columns, cells: names.map((_, i) => (i === 0 ? values : values.map(() => null))) }
        const whole = batchOf(table)
        const batches = [0, 1, 3].map((from, i) => [whole.slice(from, [1, 3, 5][i])])
        for (const header of [true, false]) {
          const { bytes, result } = await writePieces(csvWriter, { ...OPTIONS, header }, columns, batches)
          const [{ cuts = [], settings }] = result.readBack
          expect(cuts).toHaveLength(2)
          expect((await readParts(bytes, cuts, columns, settings)).rows).toEqual(rowsOf(table))
        }
      }
    }
  })
})

it('has no places of its own to cut a file at', async () => {
  const { result } = await writeWhole(csvWriter, OPTIONS, [{ name: 'a', type: VARCHAR }], [])
  expect(csvReader.parts?.cutter(result.readBack[0].settings)).toBeNull()
})
