import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonOptions, JsonSettings, ReadSettings, RejectedRow } from '../../../tables/plan.ts'
import { parseType, VARCHAR, type Column } from '../../../tables/types.ts'
import { cellToString } from '../../arrow/text.ts'
import { batchOf, type RandomTable } from '../../testing/arbitrary.ts'
import { expectAlikeInPieces, partsAt, writePieces, writeRows, writeWhole } from '../../testing/pieces.ts'
import type { FilePart, ReadBatch } from '../types.ts'
import { jsonReader, jsonWriter } from './index.ts'
import { fileOf, QUIET } from './testing.ts'

/* Rows written on their own and put together, and files read in parts. */

const ARRAY: JsonOptions = { kind: 'json', layout: 'array', normalize: false }
const LINES: JsonOptions = { kind: 'json', layout: 'lines', normalize: false }
const SETTINGS: JsonSettings = { kind: 'json', compression: null, encoding: 'utf-8', layout: 'lines', path: [] }
const MB = 1024 * 1024

describe('rows written on their own', () => {
  it('are what one writer writes, put together', () => expectAlikeInPieces(jsonWriter, fc.constantFrom(ARRAY, LINES)))

  it('may be none, at first or at all', async () => {
    const columns = [{ name: 'a', type: parseType('INTEGER') }]
    const one = batchOf({ columns, cells: [['1']] })
    const none = one.slice(0, 0)
    const text = async (options: JsonOptions, pieces: Parameters<typeof writePieces>[3]) =>
      Buffer.from((await writePieces(jsonWriter, options, columns, pieces)).bytes).toString()
    for (const pieces of [[], [[]], [[none], [none]]]) {
      expect(await text(ARRAY, pieces)).toBe('[]\n')
      expect(await text(LINES, pieces)).toBe('')
    }
    const late = [[none], [], [none, one], [none], [one, one], [none]]
    expect(await text(ARRAY, late)).toBe('[\n{"a":1},\n{"a":1},\n{"a":1}\n]\n')
    expect(await text(LINES, late)).toBe('{"a":1}\n{"a":1}\n{"a":1}\n')
  })
})

interface Found {
  readonly rows: (string | null)[][]
  readonly rejected: RejectedRow[]
  names: readonly string[] | undefined
}

/** Adds what is read to what was found before. */
async function take(found: Found, reading: AsyncIterable<ReadBatch>, columns: readonly Column[], linesBefore = 0) {
  const before = found.rows.length + found.rejected.length
  for await (const { batch, rejected, names } of reading) {
    found.names ??= names
    found.rejected.push(
      ...rejected.map((row) => ({ ...row, row: row.row + before, line: (row.line ?? 0) + linesBefore })),
    )
    for (let row = 0; row < batch.numRows; row++) {
      found.rows.push(columns.map(({ type }, i) => cellToString(type, batch.data.children[i], row)))
    }
  }
}

const requestFor = (settings: ReadSettings, columns: readonly Column[]) => ({
  settings,
  table: null,
  columns: columns.map(({ name, type }, index) => ({ index, source: name, type })),
})

/** What a file's parts come to, read one by one. */
async function readParts(parts: readonly FilePart[], settings: ReadSettings, columns: readonly Column[]) {
  const found: Found = { rows: [], rejected: [], names: undefined }
  const read = jsonReader.parts?.open(requestFor(settings, columns), QUIET)
  let lines = 0
  for (const part of parts) {
    if (read) await take(found, read(part), columns, lines)
    lines += part.bytes.filter((byte) => byte === 10).length
  }
  return found
}

const cell = fc.option(
  fc.oneof(
    fc.constantFrom('', '\ufeff', '\ufeffa', 'a\nb', '"', '{', '}\n{', '1', 'null', 'é', '🎈', '\\'),
    fc
      .tuple(fc.constantFrom('x', 'line\n', '"', '\ufeff', 'ü,'), fc.integer({ min: 40_000, max: 120_000 }))
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
  .map((cells) => ({ columns: cells.map((_, i) => ({ name: `\ufeff${i}\n`, type: VARCHAR })), cells }))

describe('cuts', () => {
  it('are where rows begin, and the file in parts is the same rows', async () => {
    let most = 0
    await fc.assert(
      fc.asyncProperty(wideTable, fc.integer({ min: 1, max: 9 }), fc.boolean(), async (table, step, asOne) => {
        const { columns, cells } = table
        const whole = batchOf(table)
        const batches = Array.from({ length: Math.ceil(whole.numRows / step) }, (_, i) =>
          whole.slice(i * step, (i + 1) * step),
        )
        const { bytes, result } = asOne
          ? await writeWhole(jsonWriter, LINES, columns, batches)
          : await writePieces(
              jsonWriter,
              LINES,
              columns,
              batches.map((batch) => [batch]),
            )
        const [{ cuts = [], settings }] = result.readBack
        const begins = new Set<number>()
        let at = 0
        for (const batch of batches) {
          begins.add(at)
          const { pieces } = await writeRows(jsonWriter, LINES, columns, [batch])
          at += pieces.reduce((sum, piece) => sum + piece.length, 0)
        }
        for (const [i, cut] of cuts.entries()) {
          expect(begins).toContain(cut)
          expect(cut - (cuts[i - 1] ?? 0)).toBeGreaterThanOrEqual(MB)
        }
        most = Math.max(most, cuts.length)
        const read = await readParts(partsAt(bytes, cuts), settings, columns)
        expect(read.rows).toEqual(cells[0].map((_, row) => columns.map((__, i) => cells[i][row])))
        expect([read.rejected, read.names]).toEqual([[], columns.map(({ name }) => name)])
      }),
      { numRuns: 15 },
    )
    expect(most).toBeGreaterThan(1)
  })

  it('are none of an array: what is between its rows is no line of its own', async () => {
    const columns = [{ name: 'a', type: VARCHAR }]
    const wide = batchOf({ columns, cells: [['x'.repeat(2 * MB)]] })
    const { result } = await writePieces(jsonWriter, ARRAY, columns, [[wide], [wide]])
    expect(result.readBack[0].cuts).toBeUndefined()
  })
})

describe('the lines of a file', () => {
  const cutterOf = (settings: Partial<JsonSettings>) => jsonReader.parts?.cutter({ ...SETTINGS, ...settings })

  it('can be cut, of text as it is', () => {
    const bytes = new TextEncoder().encode('{}\n{"a":"\\n"}\r\n\n[1]')
    const cut = cutterOf({ rows: 'objects' })
    expect(Array.from(bytes, (_, near) => cut?.(bytes, near, 0))).toEqual([
      3, 3, 3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 16, -1, -1, -1,
    ])
    expect(cut?.(bytes, bytes.length, 0)).toBe(-1)
    expect(cutterOf({ rows: 'arrays', header: true })).not.toBeNull()
  })

  it('can’t be told in another layout, in another encoding or when compressed', () => {
    for (const other of [
      { layout: 'array' },
      { layout: 'columns' },
      { encoding: 'windows-1252' },
      { encoding: 'utf-16le' },
      { compression: 'gzip' },
    ] as const) {
      expect(cutterOf(other)).toBeNull()
    }
  })

  const line = fc.constantFrom(
    '{"a":1,"b":"x"}',
    '{"b":"y"}',
    '{"a":null}',
    '',
    ' ',
    '\t\r',
    '{"a":"x"}',
    '{"a":1',
    '[1]',
    '\ufeff{"a":2}',
    '{"a":3}\r',
    '\r{"a":4,\r"b":[1, {"c": 2}]}',
    'null',
    '{"a":5},',
    '{"a":6}{"a":7}',
    '{"b":"\u0001"}',
  )
  const row = fc.constantFrom(
    '["a","b"]',
    '[1,"x"]',
    '[2]',
    '[3,"y",4]',
    '',
    '[null,null]',
    '{"a":1}',
    '["x"]',
    '[5',
    ' [6]\r',
  )

  it('are the same rows wherever they are cut', async () => {
    const columns: Column[] = [
      { name: 'a', type: parseType('INTEGER') },
      { name: 'b', type: VARCHAR },
    ]
    const lines = fc.oneof(
      fc.record({ lines: fc.array(line, { maxLength: 25 }), rows: fc.constant('objects' as const) }),
      fc.record({ lines: fc.array(row, { maxLength: 25 }), rows: fc.constant('arrays' as const) }),
    )
    const places = fc.array(fc.nat(26), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(lines, fc.boolean(), fc.boolean(), places, async (sample, header, ended, cuts) => {
        // The header is in the first part, where the file has one.
        const named = header && sample.rows === 'arrays'
        const all = named ? ['', '["a","b"]', ...sample.lines] : sample.lines
        const settings = { ...SETTINGS, rows: sample.rows, ...(named ? { header } : {}) }
        const bounds = [0, ...cuts.map((cut) => Math.min(cut + 2, all.length)).sort((a, b) => a - b), all.length]
        const texts = bounds.slice(1).map((end, i) =>
          all
            .slice(bounds[i], end)
            .map((text) => `${text}\n`)
            .join(''),
        )
        if (!ended) texts.push((texts.pop() ?? '').slice(0, -1))
        const parts = texts
          .map((text, index) => ({ index, from: 0, bytes: new TextEncoder().encode(text) }))
          .filter(({ index, bytes }) => index === 0 || bytes.length > 0)
        const whole: Found = { rows: [], rejected: [], names: undefined }
        const file = fileOf(`\ufeff${texts.join('')}`)
        await take(whole, jsonReader.read(file, requestFor(settings, columns), QUIET), columns)
        const read = await readParts(parts, settings, columns)
        expect(read.rows).toEqual(whole.rows)
        expect(read.rejected).toEqual(whole.rejected)
      }),
      { numRuns: 400 },
    )
  })
})
