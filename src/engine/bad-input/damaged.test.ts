import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { EngineError } from '../errors.ts'
import { forgetPoison } from '../formats/parquet/wasm.ts'
import { carried, expectGoodFile, fileOf, randoms, refusal } from '../testing/bad-input.ts'
import { convert } from '../testing/run.ts'

/*
 * Truncated files and files with flipped bits: read in full or refused, but never with fewer rows, and without a hang.
 */

afterEach(forgetPoison)

const ROWS = 3000
const TEXT = `id,v,w\n${Array.from({ length: ROWS }, (_, i) => `${i},v${(i * 7919) % 1000},${i / 4}`).join('\n')}\n`

async function bytesOf(format: 'parquet' | 'arrow' | 'xlsx'): Promise<Uint8Array<ArrayBuffer>> {
  const { files } = await convert(fileOf('x.csv', TEXT), format)
  return new Uint8Array(await files[0].arrayBuffer())
}

/** The number of rows that were read, or the error's code. */
async function outcome(name: string, bytes: Uint8Array): Promise<number | string> {
  forgetPoison()
  try {
    const { result } = await convert(fileOf(name, bytes), 'csv')
    return result.outputs[0].receipts[0].found.rows + result.rejectedCount
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    expect(error.remedy, error.message).toBeTruthy()
    return error.code
  }
}

const FORMATS = ['parquet', 'arrow', 'xlsx'] as const

describe.each(FORMATS)('%s', (format) => {
  it('is refused if it’s cut short anywhere', async () => {
    const bytes = await bytesOf(format)
    const cuts = [8, 9, 12, 30, 100, bytes.length - 1, bytes.length - 4, bytes.length - 9, bytes.length - 22]
    for (let i = 1; i < 40; i++) cuts.push(Math.floor((bytes.length * i) / 40))
    for (const cut of cuts)
      expect(await outcome(`x.${format}`, bytes.subarray(0, cut)), `cut at ${cut}`).toBe('corrupt-file')
    const error = await refusal(fileOf(`x.${format}`, bytes.subarray(0, bytes.length >> 1)))
    expect(error).toMatchObject({ code: 'corrupt-file' })
    expect(error.message).toMatch(/cut short/)
    expect(error.place).toBeTruthy()
  })

  it('with a flipped bit is read in full or refused', async () => {
    const bytes = await bytesOf(format)
    const random = randoms()
    for (let i = 0; i < 80; i++) {
      const damaged = bytes.slice()
      const at = i % 2 === 0 ? random(bytes.length) : bytes.length - 1 - random(Math.min(bytes.length, 1500))
      damaged[at] ^= 1 << random(8)
      const found = await outcome(`x.${format}`, damaged)
      expect(
        [ROWS, 'corrupt-file', 'unsupported-format', 'password-protected', 'too-large', 'not-text'],
        `byte ${at}: ${found}`,
      ).toContain(found)
    }
    forgetPoison()
    await expectGoodFile(format)
  })

  it('followed by other bytes is read in full or refused', async () => {
    const bytes = await bytesOf(format)
    const garbage = new TextEncoder().encode('garbage after the end of the file')
    for (const mixed of [Buffer.concat([bytes, garbage]), Buffer.concat([bytes, bytes.subarray(bytes.length >> 1)])]) {
      expect([ROWS, 'corrupt-file']).toContain(await outcome(`x.${format}`, mixed))
    }
  })
})

describe('a gzip file', () => {
  const gz = gzipSync(TEXT)
  const flipped = (at: number): Uint8Array => Uint8Array.from(gz, (byte, i) => (i === at ? byte ^ 4 : byte))
  const named = (bytes: Uint8Array): File => fileOf('x.csv.gz', bytes)

  it('is refused if it’s cut short anywhere', async () => {
    for (const cut of [3, 5, 10, 11, 20, 1000, gz.length >> 1, gz.length - 8, gz.length - 4, gz.length - 1]) {
      const error = await refusal(named(gz.subarray(0, cut)), { target: 'csv' })
      expect(error, `cut at ${cut}`).toMatchObject({ code: 'corrupt-file', place: 'end of the file' })
      expect(error.message).toMatch(/ends before it is complete/)
    }
  })

  it('is refused if it’s damaged', async () => {
    for (const at of [gz.length - 6, gz.length - 1, gz.length >> 1, 300]) {
      const error = await refusal(named(flipped(at)))
      expect(error, `byte ${at}`).toMatchObject({ code: 'corrupt-file' })
      expect(error.message).not.toMatch(/ends before/)
    }
  })

  it('is refused if anything but zeros or another member follows', async () => {
    const tail = new TextEncoder().encode('something else')
    const error = await refusal(named(Buffer.concat([gz, tail])))
    expect(error).toMatchObject({ code: 'corrupt-file', place: 'end of the file' })
    await carried(named(Buffer.concat([gz, new Uint8Array(512)])), ROWS)
    await carried(named(Buffer.concat([gz, gzipSync('1,2,3\n')])), ROWS + 1)
  })

  it('of NDJSON is refused if it’s cut short', async () => {
    const lines = gzipSync('{"a":1}\n'.repeat(10_000))
    expect(await refusal(fileOf('x.ndjson.gz', lines.subarray(0, 40)))).toMatchObject({ code: 'corrupt-file' })
  })
})

it('other programs’ files are refused if they’re cut short', async () => {
  const arrow = readFileSync(new URL('../../../e2e/fixtures/truncated.parquet', import.meta.url))
  expect(await refusal(fileOf('truncated.parquet', arrow))).toMatchObject({ code: 'corrupt-file' })
  const book = readFileSync(new URL('../formats/xlsx/fixtures/types-libreoffice.xlsx', import.meta.url))
  for (const cut of [100, 1000, book.length >> 1, book.length - 30]) {
    expect(await refusal(fileOf('x.xlsx', book.subarray(0, cut)))).toMatchObject({ code: 'corrupt-file' })
  }
})
