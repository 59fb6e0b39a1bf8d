import { describe, expect, it, vi } from 'vitest'
import type { FormatId } from '../../../contract/formats.ts'
import { defaultOptions, type CsvOptions, type WriteOptions } from '../../../tables/plan.ts'
import { parseType, type Column } from '../../../tables/types.ts'
import { Fingerprinter } from '../fingerprint/fingerprint.ts'
import { writerOf } from '../../formats/registry.ts'
import { batchOf } from '../../testing/arbitrary.ts'
import { writeWhole } from '../../testing/pieces.ts'
import { secondThread, type SecondThread } from '../../testing/second-thread.ts'
import type { TableTransfer } from '../transfer.ts'
import { verifyTable } from '../verify.ts'

const QUIET = { signal: new AbortController().signal, progress: () => undefined }
const COLUMNS: readonly Column[] = [
  { name: 'id', type: parseType('INTEGER') },
  { name: 'text', type: parseType('VARCHAR') },
]
const ROWS = 60

/** Texts with line ends in them, about 100 kB each. */
const textOf = (row: number): string | null => (row % 7 === 3 ? null : `a${row}\n"`.repeat(20_000 + row * 10))

async function written(format: FormatId, options: WriteOptions = defaultOptions(format)) {
  const rows = Array.from({ length: ROWS }, (_, row) => row)
  const cells = [rows.map(String), rows.map(textOf)]
  const whole = batchOf({ columns: COLUMNS, cells })
  const batches = rows.map((row) => whole.slice(row, row + 1))
  const { bytes, result } = await writeWhole(await writerOf(format), options, COLUMNS, batches)
  const fingerprinter = new Fingerprinter(COLUMNS)
  fingerprinter.add(whole)
  const transfer = { columns: COLUMNS, expected: fingerprinter.finish() } as unknown as TableTransfer
  return { bytes, readBack: result.readBack[0], transfer }
}

/** Verifies some bytes in both ways: what they find has to be the same. */
async function differences(
  format: FormatId,
  bytes: Uint8Array<ArrayBuffer>,
  { readBack, transfer }: Omit<Awaited<ReturnType<typeof written>>, 'bytes'>,
  beforePart: SecondThread['beforePart'] = vi.fn(),
) {
  const file = new File([bytes], 'a')
  const alone = await verifyTable(file, format, transfer, readBack, QUIET)
  const together = await verifyTable(file, format, transfer, readBack, QUIET, secondThread({ beforePart }))
  expect(together).toEqual(alone)
  expect(beforePart).toHaveBeenCalled()
  return together.differences.map(({ column, what }) => [column, what])
}

const LINES = { kind: 'json', layout: 'lines', normalize: false } as const
const CSV = defaultOptions('csv') as CsvOptions

describe.each([
  ['CSV', 'csv', CSV],
  ['CSV with a mark and no header', 'csv', { ...CSV, bom: true, header: false }],
  ['TSV', 'tsv', defaultOptions('tsv')],
  ['JSON lines', 'json', LINES],
] as const)('a file verified in parts: %s', (_, format, options) => {
  const made = written(format, options)

  it('is what was sent, whoever is faster', async () => {
    const { bytes, ...about } = await made
    expect(about.readBack.cuts?.length).toBeGreaterThan(2)
    expect(await differences(format, bytes, about)).toEqual([])
    const slow = vi.fn(() => new Promise<void>((resolve) => setTimeout(resolve, 20)))
    expect(await differences(format, bytes, about, slow)).toEqual([])
  })

  it('has what it differs in told, wherever that is', async () => {
    const { bytes, ...about } = await made
    for (const share of [0.01, 0.5, 0.99]) {
      const changed = bytes.slice()
      changed[changed.indexOf(0x61, Math.floor(bytes.length * share))] = 0x62
      expect(await differences(format, changed, about)).toContainEqual([null, 'row checksum'])
    }
    const cut = bytes.slice(0, about.readBack.cuts?.at(-1))
    expect(await differences(format, cut, about)).toContainEqual([null, 'rows'])
  })
})

it('takes no line end for a row of its own, where a null is a blank line', async () => {
  const columns = [{ name: 'a', type: parseType('VARCHAR') }]
  const cells = [Array.from({ length: 50 }, (_, row) => (row % 4 === 3 ? null : `${row}`.repeat(60_000)))]
  const whole = batchOf({ columns, cells })
  const batches = Array.from({ length: 50 }, (_, row) => whole.slice(row, row + 1))
  for (const options of [CSV, { ...CSV, header: false, bom: true }]) {
    const { bytes, result } = await writeWhole(await writerOf('csv'), options, columns, batches)
    const fingerprinter = new Fingerprinter(columns)
    fingerprinter.add(whole)
    const transfer = { columns, expected: fingerprinter.finish() } as unknown as TableTransfer
    expect(await differences('csv', bytes, { readBack: result.readBack[0], transfer })).toEqual([])
  }
})

it('tells names that aren’t those that were sent', async () => {
  for (const [format, options, name] of [
    ['csv', CSV, 'id'],
    ['json', LINES, '"id"'],
  ] as const) {
    const { bytes, ...about } = await written(format, options)
    const text = Buffer.from(bytes).toString('latin1').replaceAll(name, name.replace('id', 'ID'))
    expect(await differences(format, new Uint8Array(Buffer.from(text, 'latin1')), about)).toContainEqual(['id', 'name'])
  }
})
