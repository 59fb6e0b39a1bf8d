import { expect, it } from 'vitest'
import { defaultOptions, type WriteOptions } from '../../tables/plan.ts'
import { parseType } from '../../tables/types.ts'
import { EngineError } from '../errors.ts'
import { MemoryOutputs } from '../storage/output.ts'
import { inspect } from '../testing/run.ts'
import { convertInTwoThreads, secondThread } from '../testing/second-thread.ts'
import { convertFile } from './convert.ts'
import type { FoundRows } from './output-writer.ts'
import { verifyTable } from './verify.ts'
import { QUIET } from '../testing/quiet.ts'
import { planFrom } from '../../tables/edits.ts'

/* Two threads read back a table of several row groups, some of the groups each. */

const ROWS = 5000
const row = (i: number): string => `${i},name ${i % 7},${i / 7},2024-01-${10 + (i % 20)}`
const SOURCE = new File([['id,name,ratio,day', ...Array.from({ length: ROWS }, (_, i) => row(i))].join('\n')], 'a.csv')
const inGroupsOf = (rowGroupSize: number): WriteOptions =>
  ({ ...defaultOptions('parquet'), rowGroupSize }) as WriteOptions

async function request(rowGroupSize: number) {
  const plan = planFrom((await inspect(SOURCE)).inspection)
  return { plan, target: 'parquet', options: inGroupsOf(rowGroupSize) } as const
}

it.each([[700], [2500], [4999], [5000], [10_000]])(
  'finds the same with groups of %i rows as in one thread',
  async (rowGroupSize) => {
    const asked = await request(rowGroupSize)
    const alone = await convertFile(SOURCE, { jobId: 'job', ...asked }, { ...QUIET, storage: new MemoryOutputs() })
    const together = await convertInTwoThreads(SOURCE, asked)
    const [expected, receipt] = [alone.outputs[0].receipts[0], together.outputs[0].receipts[0]]
    expect(receipt.verdict).toBe('match')
    expect(receipt.found.rows).toBe(ROWS)
    expect(receipt.found).toEqual(expected.found)
  },
)

/** A file of eight row groups, what was written to it, and a second thread that reports what it found. */
async function written() {
  const storage = new MemoryOutputs()
  const { outputs } = await convertFile(SOURCE, { jobId: 'job', ...(await request(700)) }, { ...QUIET, storage })
  const [{ id, receipts }] = outputs
  const [{ found: expected }] = receipts
  const plan = planFrom((await inspect(new File([storage.files.get(id) as File], 'a.parquet'))).inspection)
  const columns = plan.tables[0].columns.map(({ name, type }) => ({ name, type: parseType(type) }))
  const shares: FoundRows[] = []
  const thread = secondThread({ storage })
  const telling = {
    readTable: thread.readTable.bind(thread),
    findRows: async (...asked: Parameters<typeof thread.findRows>): Promise<FoundRows> => {
      const share = await thread.findRows(...asked)
      shares.push(share)
      return share
    },
  }
  const readBack = { settings: { kind: 'parquet' }, tables: [null] } as const
  return { file: storage.files.get(id) as File, transfer: { columns, expected }, readBack, telling, shares }
}

it('has each thread read half of the groups', async () => {
  const { file, transfer, readBack, telling, shares } = await written()
  const { differences, found } = await verifyTable(file, 'parquet', transfer, readBack, QUIET, telling)
  expect(differences).toEqual([])
  expect(found.rows).toBe(ROWS)
  // The second, fourth, sixth and eighth group; the last one is smaller.
  expect(shares.map(({ state }) => state.rows)).toEqual([3 * 700 + 100])
})

it('tells a name that differs once, though both threads find it', async () => {
  const { file, transfer, readBack, telling } = await written()
  const renamed = <T extends { readonly name: string }>([first, ...rest]: readonly T[]): T[] => [
    { ...first, name: 'ID' },
    ...rest,
  ]
  const { columns, expected } = transfer
  const sent = { columns: renamed(columns), expected: { ...expected, columns: renamed(expected.columns) } }
  const { differences } = await verifyTable(file, 'parquet', sent, readBack, QUIET, telling)
  expect(differences).toEqual([{ column: 'ID', what: 'name', expected: 'ID', found: 'id' }])
})

it('stops where the other thread fails', async () => {
  const { file, transfer, readBack, telling } = await written()
  const failure = new EngineError('corrupt-file', 'The Parquet file is damaged.')
  let rows = 0
  const seeing = { ...QUIET, progress: (at: { readonly rows: number }) => (rows = at.rows) }
  const failing = { ...telling, findRows: () => Promise.reject(failure) }
  await expect(verifyTable(file, 'parquet', transfer, readBack, seeing, failing)).rejects.toBe(failure)
  expect(rows).toBeLessThan(4 * 700)
})

it('stops the other thread where it fails itself', async () => {
  const { file, transfer, readBack, telling, shares } = await written()
  const failure = new EngineError('corrupt-file', 'The Parquet file is damaged.')
  const failing: typeof QUIET = {
    ...QUIET,
    progress: () => {
      throw failure
    },
  }
  await expect(verifyTable(file, 'parquet', transfer, readBack, failing, telling)).rejects.toBe(failure)
  expect(shares).toEqual([])
})

it('stops in both threads when it’s cancelled', async () => {
  const { file, transfer, readBack, telling, shares } = await written()
  const controller = new AbortController()
  const stopping = { signal: controller.signal, progress: () => controller.abort() }
  const verifying = verifyTable(file, 'parquet', transfer, readBack, stopping, telling)
  await expect(verifying).rejects.toMatchObject({ name: 'AbortError' })
  expect(shares).toEqual([])
})
