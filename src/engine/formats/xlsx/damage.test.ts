import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { tries } from '../../../lib/testing.ts'
import { EngineError } from '../../errors.ts'
import { bookParts, inspect, makeBook, makeZip, readEntryBytes, readRows, type ZipPart } from './testing/read.ts'
import { Row } from './read/row.ts'
import { openZip } from './zip.ts'

const SOUND = new Uint8Array(readFileSync(new URL('./fixtures/report-openpyxl.xlsx', import.meta.url)))

/** Whatever a file contains, it's read, or refused with a message for people. */
async function settles(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const file = new File([bytes], 'damaged.xlsx')
  try {
    const { tables } = await inspect(file)
    for (const { name, rows, rejectedCount } of tables) {
      const read = await readRows(file, { table: name })
      expect(read.rows.length).toBe(rows)
      expect(read.rejected.length).toBe(rejectedCount)
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    expect(['corrupt-file', 'unsupported-format', 'too-large', 'password-protected']).toContain(error.code)
    expect(error.message).toMatch(/^[“A-Z].*\.$/)
  }
}

const edits = fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.constantFrom('set', 'drop', 'double', 'cut')), {
  minLength: 1,
  maxLength: 3,
})

function edited(
  bytes: Uint8Array,
  changes: readonly (readonly [at: number, value: number, how: string])[],
): Uint8Array<ArrayBuffer> {
  let result = new Uint8Array(bytes)
  for (const [position, value, how] of changes) {
    const at = position % Math.max(1, result.length)
    if (how === 'set') result[at] = value
    else if (how === 'drop') result = new Uint8Array([...result.subarray(0, at), ...result.subarray(at + (value % 40))])
    else if (how === 'double')
      result = new Uint8Array([...result.subarray(0, at), ...result.subarray(Math.max(0, at - value))])
    else result = result.slice(0, at)
  }
  return result
}

test('a damaged archive', async () => {
  await fc.assert(
    fc.asyncProperty(edits, (changes) => settles(edited(SOUND, changes))),
    { numRuns: tries(100) },
  )
})

test('damaged parts in a sound archive', async () => {
  const zip = await openZip(new Blob([SOUND]))
  const parts: ZipPart[] = []
  for (const entry of zip.entries.values())
    parts.push({ name: entry.name, data: await readEntryBytes(zip, entry, 1e9) })
  const used = parts.filter(({ name }) => !/docProps|theme|Content_Types/.test(name))
  await fc.assert(
    fc.asyncProperty(fc.nat(used.length - 1), edits, async (which, changes) => {
      const name = used[which].name
      const damaged = parts.map((part) =>
        part.name === name ? { ...part, data: edited(part.data as Uint8Array, changes) } : part,
      )
      await settles(makeZip(damaged))
    }),
    {
      numRuns: tries(150),
      examples: [
        [0, [[1_309_586_955, 10, 'set']]],
        [1, [[910_103_149, 26, 'double']]],
        // A row that begins inside a cell.
        [
          1,
          [
            [1_817_882_595, 131, 'double'],
            [1_682_755_582, 0, 'set'],
            [0, 0, 'set'],
          ],
        ],
        // Two sheets with the same name.
        [
          5,
          [
            [1_482_599_575, 66, 'double'],
            [32_550_614, 132, 'double'],
          ],
        ],
      ],
    },
  )
})

describe('small files of endless content', () => {
  afterEach(() => vi.restoreAllMocks())

  test('rows of nothing: few are held, and none beyond those that Excel has', async () => {
    const copied = vi.spyOn(Row.prototype, 'copy')
    const sheet = `${'<row/>'.repeat(1_100_000)}<row><c><v>2</v></c></row><row/>`
    const file = makeBook({ sheets: [sheet] })
    expect(file.size).toBeLessThan(40_000)
    const [table] = (await inspect(file)).tables
    expect(table).toMatchObject({ rows: 1_048_577, notes: [{ code: 'blank-rows', count: 51_424 }] })
    expect(copied.mock.calls.length).toBeLessThanOrEqual(10_000)
  })

  test('a row of endless texts', async () => {
    const cell = `<c r="A1" t="str"><v>${'x'.repeat(10_000)}</v></c>`
    // Bytes, because creating and encoding such a long string would take longer than reading it.
    const part = Buffer.concat([
      Buffer.from('<worksheet><sheetData><row>'),
      Buffer.alloc(cell.length * 27_000, cell),
      Buffer.from('</row></sheetData></worksheet>'),
    ])
    const [sheet, ...others] = bookParts({ sheets: [part] }).toReversed()
    // Stored, not deflated: compressed to a five-hundredth, it would be refused for its ratio.
    const file = new File([makeZip([...others, { ...sheet, stored: true }])], 'a.xlsx')
    await expect(inspect(file)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(/Row 1 holds over 268 MB/) as string,
    })
  })

  test('a part that declares too much is refused before it’s unpacked', async () => {
    const parts = bookParts({ sheets: ['<row/>'] })
    const read = vi.spyOn(DecompressionStream.prototype, 'readable', 'get')
    const file = new File([makeZip([{ ...parts[1], declare: { size: 100e6 } }])], 'a.xlsx')
    await expect(inspect(file)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(/archive bombs/) as string,
    })
    expect(read).not.toHaveBeenCalled()
  })

  test('thousands of sheets, whose names are all the same', async () => {
    const book = (count: number): Promise<unknown> =>
      inspect(
        makeBook({ sheets: Array.from({ length: count }, () => ''), names: Array.from({ length: count }, () => 'S') }),
      )
    await expect(book(2001)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(/over 2,000 sheets/) as string,
    })
    expect(await book(300)).toMatchObject({ tables: { length: 300, 299: { name: 'S (300)' } } })
  })
})
