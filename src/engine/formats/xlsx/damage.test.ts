import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EngineError } from '../../errors.ts'
import { inspect, makeZip, readRows, type ZipPart } from './read-testing.ts'
import { openZip, readEntryBytes } from './zip-read.ts'

const SOUND = new Uint8Array(readFileSync(new URL('./fixtures/report-openpyxl.xlsx', import.meta.url)))

/** Whatever is in a file: it's read, or refused with words for people. */
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
    { numRuns: 300 },
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
      numRuns: 400,
      examples: [
        [0, [[1_309_586_955, 10, 'set']]],
        // Two sheets of one name.
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
