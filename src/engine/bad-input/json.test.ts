import { describe, expect, it } from 'vitest'
import { carried, fileOf, jsonRows, rejectedRows, refusal } from '../testing/bad-input.ts'
import { inspect } from '../testing/run.ts'

/* Invalid JSON, and JSON that is hard to read as a table. */

const json = (text: string): File => fileOf('x.json', text)
const lines = (text: string): File => fileOf('x.ndjson', text)
const lists = (depth: number): string => `[{"a":${'['.repeat(depth)}1${']'.repeat(depth)}}]`

describe('deeply nested values', () => {
  it.each([
    ['lists in an array', `[{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`],
    ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['lists that never end', '['.repeat(100_000)],
  ])('100,000 levels of %s are refused with their place', async (_, text) => {
    const error = await refusal(json(text))
    expect(error).toMatchObject({ code: 'corrupt-file', place: expect.stringMatching(/line 1, column/) as string })
    expect(error.message).toContain('nested')
  })

  it('100,000 levels in a line reject the line', async () => {
    const file = lines(`{"a":1}\n{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n{"a":2}\n`)
    const { result } = await carried(file, 3)
    expect(result.rejected).toMatchObject([{ row: 2, line: 2, reason: 'syntax' }])
    expect(result.rejected[0].raw.length).toBeLessThanOrEqual(10_000)
  })

  it('100 levels are converted, or refused by formats that can’t hold them', async () => {
    for (const target of ['csv', 'json', 'xlsx'] as const) await carried(json(lists(100)), 1, { target })
    for (const target of ['parquet', 'arrow'] as const) {
      const error = await refusal(json(lists(100)), { target })
      expect(error).toMatchObject({ code: 'unwritable', place: 'column “a”' })
    }
  })

  it('60 levels survive conversion to Parquet and Arrow, and back', async () => {
    for (const target of ['parquet', 'arrow'] as const) {
      const { files } = await carried(json(lists(60)), 1, { target })
      expect(await jsonRows(await carried(files[0], 1))).toEqual(JSON.parse(lists(60)))
    }
  })
})

describe('rejected rows', () => {
  it.each([
    ['first', 'oops\n{"a":2}\n{"a":3}\n', 1],
    ['middle', '{"a":1}\n{"a":2\n{"a":3}\n', 2],
    ['last', '{"a":1}\n{"a":2}\n{"a":', 3],
  ])('an invalid %s line, with its number and text', async (_, text, line) => {
    const found = await carried(lines(text), 3)
    const [row] = await rejectedRows(found)
    expect(row).toMatchObject({ row: `${line}`, line: `${line}`, reason: 'syntax', raw: text.split('\n')[line - 1] })
  })

  it('elements that aren’t objects', async () => {
    const { result } = await carried(json('[{"a":1},2,"x",null,[1]]'), 5)
    expect(result.rejected.map(({ reason }) => reason)).toEqual(['shape', 'shape', 'shape', 'shape'])
  })

  it('an object with half a surrogate pair', async () => {
    const { result } = await carried(json('[{"a":"x\\ud800y"},{"a":"b"}]'), 2)
    expect(result.rejected).toMatchObject([{ row: 1, reason: 'encoding' }])
  })

  it('if every line would be rejected, the file is refused', async () => {
    expect(await refusal(lines('a\nb\nc\n'))).toMatchObject({ code: 'corrupt-file', place: 'line 1' })
  })
})

describe('invalid JSON is refused with the place of the error', () => {
  it.each([
    ['cut short', '[{"a":2},{"a":3},{"a":', 'line 1, column 23'],
    ['text after the end', '[{"a":2},{"a":3}] x', 'line 1, column 19'],
    ['a comma too many', '[{"a":2},\n{"a":3},]', 'line 2, column 9'],
    ['single quotes', "[{'a':2}]", 'line 1, column 3'],
    ['nan', '[{"a":nan},{"a":1}]', 'line 1, column 7'],
    ['a comment', '// hi\n[{"a":1}]', 'line 1, column 1'],
    ['CSV', 'a,b\n1,2\n', 'line 1, column 1'],
  ])('%s', async (_, text, place) => {
    expect(await refusal(json(text))).toMatchObject({ code: 'corrupt-file', place })
  })
})

describe('keys and numbers', () => {
  it('the last value of a duplicate key counts, with a note, even if it’s nested', async () => {
    const file = json('[{"a":{"b":1,"b":2},"c":1,"c":3}]')
    const { notes } = (await inspect(file)).inspection.tables[0]
    expect(notes.map(({ code }) => code)).toEqual(['duplicate-keys', 'duplicate-keys-within'])
    expect(await jsonRows(await carried(file, 1))).toEqual([{ a: { b: 2 }, c: 3 }])
  })

  it('numbers too large for any type keep all their digits', async () => {
    const long = '123456789012345678901234567890123456789012345678901234567890'
    const file = json(`[{"a":1e999},{"a":${long}}]`)
    const inJson = await carried(file, 2, { target: 'json' })
    expect(await inJson.files[0].text()).toBe(`[\n{"a":1e999},\n{"a":${long}}\n]\n`)
    const inCsv = await carried(file, 2, { target: 'csv' })
    expect(await inCsv.files[0].text()).toBe(`a\n1e999\n${long}\n`)
  })

  it('HTML as key and value is read as text', async () => {
    const text = '[{"<b>x</b>":"<script>alert(1)</script>"}]'
    expect(await jsonRows(await carried(json(text), 1))).toEqual(JSON.parse(text))
  })
})
