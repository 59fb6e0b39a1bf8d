import { planChanges } from '../../../tables/changes.ts'
import fc from 'fast-check'
import { expect, vi } from 'vitest'
import type { FormatId } from '../../../contract/formats.ts'
import {
  defaultOptions,
  type CsvOptions,
  type ImportPlan,
  type JsonSettings,
  type WriteOptions,
} from '../../../tables/plan.ts'
import { convertFile } from '../convert.ts'
import { MemoryOutputs, type PendingOutput } from '../../storage/output.ts'
import type { ConvertProgress } from '../protocol.ts'
import { secondThread, type SecondThread } from '../../testing/second-thread.ts'

/* Files that are converted in parts, and what they come to. Tests only. */

export const SETTINGS: JsonSettings = { kind: 'json', compression: null, encoding: 'utf-8', layout: 'lines', path: [] }
const COLUMNS = [
  ['id', 'INTEGER'],
  ['name', 'VARCHAR'],
  ['amount', 'DECIMAL(10,2)'],
  ['ratio', 'DOUBLE'],
  ['day', 'DATE'],
  ['tags', 'VARCHAR[]'],
  ['place', 'STRUCT(city VARCHAR, at DOUBLE[])'],
  ['note', 'VARCHAR'],
] as const

/** @param places of the columns wanted, in their order */
export function planOf(settings: JsonSettings, places: readonly number[] = COLUMNS.map((_, i) => i)): ImportPlan {
  const columns = places.map((index) => {
    const [source, type] = COLUMNS[index]
    return { index, source, name: `${source}\n=`, type, include: true }
  })
  return { format: 'json', settings, tables: [{ name: null, include: true, columns }] }
}

const keys = COLUMNS.map(([name]) => name)
const valuesOf = (i: number, wide: number): unknown[] => [
  i,
  i % 3 === 0 ? `=${i}` : `name ${i}`,
  (i % 1000) / 4,
  i / 7,
  `2024-01-${String((i % 28) + 1).padStart(2, '0')}`,
  i % 4 === 0 ? null : ['a', `+${i}`],
  i % 5 === 0 ? null : { city: 'Ü', at: [i] },
  'n'.repeat((i * 7919) % wide),
]

/** Lines that aren't as the others, and some that are no rows. */
const ODD: readonly (string | Uint8Array)[] = [
  '',
  ' ',
  '\t\r',
  '{"id":1',
  '{"id":2},',
  '{"id":3}{"id":4}',
  'null',
  '[1,"x"]',
  '"text"',
  '\ufeff{"id":5}',
  '{}',
  '{"id":"x"}',
  '{"id":1.5}',
  '{"id":6,"amount":"12345678901"}',
  '{"id":7,"day":"2024-02-30"}',
  '{"id":8,"place":[]}',
  '{"id":9,"ratio":"NaN"}',
  '{"id":10,"tags":["=1"],"place":{"at":[1,"Infinity"]}}',
  '{"id":11,"name":"+1\\n\\"x\\",\\ty"}',
  '{"id":12,"name":"\\ufeff"}',
  '{"name":{"a":1, "b":[2]},"id":13}',
  '{"id":14,\r"name":""}',
  '{"id":15,"name":"","extra":1}',
  '{"id":16,"name":"\u0001"}',
  '{"id":17,"name":"x","id":18}',
  '["a","b"]',
  '[1,"x",2.5]',
  '[]',
  '[2,"=y",1,1,null,null,null,"z","beyond"]',
  Uint8Array.of(0x7b, 0x22, 0x69, 0x64, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d),
  '{"id":"\ud800"}',
  `{"id":${'9'.repeat(40)}}`,
]

export interface Sample {
  readonly file: File
  readonly settings: JsonSettings
}

const lineEnds = fc.constantFrom<readonly string[]>(['\n'], ['\r\n'], ['\n', '\r\n'])
/**
 * @param size of the file, about
 * @param wide characters of the widest row, about: there are two rows to that many bytes
 */
export const sampleOf = (rows: 'objects' | 'arrays', size: number, wide: number): fc.Arbitrary<Sample> =>
  fc
    .record({
      odd: fc.array(fc.tuple(fc.nat(Math.floor((size * 2) / wide)), fc.constantFrom(...ODD)), {
        minLength: 50,
        maxLength: 300,
      }),
      mark: fc.boolean(),
      ends: lineEnds,
      ended: fc.boolean(),
    })
    .map(({ odd, mark, ends, ended }) => {
      const at = new Map<number, (string | Uint8Array)[]>()
      for (const [place, line] of odd) at.set(place, [...(at.get(place) ?? []), line])
      const pieces: Uint8Array[] = []
      /** @returns its bytes */
      const add = (line: string | Uint8Array): number => {
        const [bytes, end] = [Buffer.from(line), Buffer.from(ends[(pieces.length / 2) % ends.length])]
        pieces.push(bytes, end)
        return bytes.length + end.length
      }
      if (rows === 'arrays') for (const line of ['', JSON.stringify(keys)]) add(line)
      for (let i = 0, length = 0; length < size; i++) {
        for (const line of at.get(i) ?? []) length += add(line)
        const values = valuesOf(i, wide)
        length += add(
          JSON.stringify(rows === 'arrays' ? values : Object.fromEntries(keys.map((key, n) => [key, values[n]]))),
        )
      }
      if (!ended) pieces.pop()
      const file = new File([...(mark ? ['\ufeff'] : []), Buffer.concat(pieces)], 'rows.ndjson')
      return { file, settings: { ...SETTINGS, rows, ...(rows === 'arrays' ? { header: true } : {}) } }
    })

/** Outputs of which it's known what is left of them. */
export class WatchedOutputs extends MemoryOutputs {
  readonly left = new Set<string>()
  begun = 0

  override async create(jobId: string): Promise<PendingOutput> {
    const output = await super.create(jobId)
    this.begun++
    this.left.add(output.id)
    const discard = async (): Promise<void> => {
      await output.discard()
      this.left.delete(output.id)
    }
    return { ...output, discard }
  }
}

export interface Run {
  readonly target: FormatId
  readonly options: WriteOptions
  readonly plan: ImportPlan
}

export async function run(file: File, { target, options, plan }: Run, thread?: Omit<SecondThread, 'storage'>) {
  const storage = new WatchedOutputs()
  const progress: ConvertProgress[] = []
  const context = {
    signal: new AbortController().signal,
    progress: (told: ConvertProgress) => progress.push(told),
    storage,
  }
  const startThread = () => secondThread({ ...thread, storage })
  const request = { jobId: 'job', plan, target, options }
  const result = await convertFile(file, request, { ...context, ...(thread ? { startThread } : {}) })
  const kept = async (id: string | undefined): Promise<Buffer> => {
    const written = id === undefined ? undefined : storage.files.get(id)
    return Buffer.from(await (written ?? new Blob()).arrayBuffer())
  }
  const [{ id, receipts, ...output }] = result.outputs
  return {
    output: await kept(id),
    rejectedFile: await kept(result.rejectedFile?.id),
    rejected: result.rejected,
    rejectedCount: result.rejectedCount,
    about: output,
    receipts: receipts.map((receipt) => ({ ...receipt, createdAt: '', duration: null })),
    progress,
  }
}

/** Of a plan: that the conversion has to come upon as many rows. */
const withRows = (plan: ImportPlan, rows: number): ImportPlan => ({
  ...plan,
  tables: plan.tables.map((table) => ({ ...table, found: { rows, notes: [], columns: [] } })),
})

const csv = fc.record({
  kind: fc.constant('csv' as const),
  delimiter: fc.constantFrom(',', ';'),
  quoteAll: fc.boolean(),
  bom: fc.boolean(),
  lineEnd: fc.constantFrom('\n' as const, '\r\n' as const),
  nullString: fc.constantFrom('', 'NULL'),
  header: fc.boolean(),
  safeForSpreadsheets: fc.boolean(),
  normalize: fc.boolean(),
})
export const TARGETS: Record<string, readonly [FormatId, fc.Arbitrary<WriteOptions>]> = {
  CSV: ['csv', csv],
  TSV: ['tsv', fc.boolean().map((safe) => ({ ...(defaultOptions('tsv') as CsvOptions), safeForSpreadsheets: safe }))],
  'JSON lines': ['json', fc.constant({ kind: 'json', layout: 'lines', normalize: false })],
  'a JSON array': ['json', fc.constant({ kind: 'json', layout: 'array', normalize: false })],
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Takes a random time for each part. */
export function paced(pauses: readonly number[]) {
  return vi.fn(async ({ index }: { readonly index: number }) => sleep(pauses[index % pauses.length] ?? 0))
}
export const pausesOf = (...milliseconds: number[]): fc.Arbitrary<number[]> =>
  fc.array(fc.constantFrom(...milliseconds), { minLength: 4, maxLength: 12 })

export async function expectAlike(file: File, how: Run, beforePart?: SecondThread['beforePart']) {
  const alone = await run(file, how)
  const rows = alone.receipts[0].expected.rows + alone.rejectedCount
  const plan = withRows(how.plan, rows)
  const together = await run(file, { ...how, plan }, beforePart ? { beforePart } : {})
  // Not `toEqual`, which would print megabytes.
  expect(together.output.equals(alone.output)).toBe(true)
  expect(together.rejectedFile.equals(alone.rejectedFile)).toBe(true)
  expect(together.rejected).toEqual(alone.rejected)
  expect([together.rejectedCount, together.about]).toEqual([alone.rejectedCount, alone.about])
  // What was changed is told only of a plan that knows what was found.
  const receipts = alone.receipts.map((receipt, i) => ({
    ...receipt,
    changes: [...planChanges(plan, plan.tables[i], how), ...receipt.changes],
  }))
  expect(together.receipts).toEqual(receipts)
  expect(together.receipts[0].verdict).toBe('match')
  for (const phase of ['convert', 'verify']) {
    const [here, there] = [alone, together].map(({ progress }) => progress.filter((step) => step.phase === phase))
    const told = there.map((step) => step.rows)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    // Where there are no rows, there may be nothing to tell.
    if (alone.receipts[0].expected.rows > 0) expect(there.at(-1)).toEqual(here.at(-1))
  }
  return alone
}

/** Of the wide one, too: what is written is in parts as well. */
export const places = fc
  .shuffledSubarray(
    COLUMNS.map((_, i) => i),
    { minLength: 2 },
  )
  .map((some) => [...new Set([...some, 7])])
