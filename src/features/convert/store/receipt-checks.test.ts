import { describe, expect, it, vi } from 'vitest'
import type { EngineClient } from '../../../engine/client.ts'
import { toReceiptFile } from '../../../tables/files/receipt-file.ts'
import { receipt } from '../../../tables/testing.ts'
import { ReceiptChecks } from './receipt-checks.ts'

const paper = (value: unknown, name = 'a.receipt.json'): File => new File([JSON.stringify(value)], name)
const GOOD = paper(toReceiptFile([receipt()], ''))
const file = (name: string, size: number): File => new File([new Uint8Array(size)], name)

function setUp(client: Partial<EngineClient> = {}) {
  let id = 0
  const checks = new ReceiptChecks(
    { hash: () => Promise.resolve('b'.repeat(64)), verify: () => Promise.resolve([[]]), ...client },
    () => `id${++id}`,
  )
  const foreign: string[] = []
  const add = (...files: readonly File[]) => checks.add([GOOD], files, ({ name }) => foreign.push(name))
  const kinds = () => checks.snapshot()[0]?.checks.map(({ kind }) => kind)
  return { checks, add, foreign, kinds }
}

describe('files added with a receipt', () => {
  it('are compared with it; others are passed on', async () => {
    const { add, kinds, checks } = setUp()
    const other = file('other.csv', 3)
    expect(await add(file('a.parquet', 500), other)).toEqual([other])
    await vi.waitFor(() => expect(kinds()).toEqual(['done', 'waiting']))
    expect(checks.snapshot()[0]?.checks[0]).toMatchObject({ outcome: { tone: 'good' } })
  })

  it('are passed on if only their size is in the receipt', async () => {
    const { add, foreign, kinds } = setUp({ hash: () => Promise.resolve('c'.repeat(64)) })
    expect(await add(file('b.parquet', 500))).toEqual([])
    await vi.waitFor(() => expect(foreign).toEqual(['b.parquet']))
    expect(kinds()).toEqual(['waiting', 'waiting'])
  })

  it('may be added later; those that aren’t in the receipt are named', async () => {
    const { add, checks, kinds } = setUp({ hash: () => Promise.resolve('a'.repeat(64)) })
    await add()
    checks.compare('id1', [file('a.csv', 9), file('z.csv', 1)])
    await vi.waitFor(() => expect(kinds()).toEqual(['waiting', 'done']))
    await vi.waitFor(() => expect(checks.snapshot()[0]?.foreign).toEqual(['z.csv']))
  })

  it('are released when the comparison is cancelled', async () => {
    const hash: EngineClient['hash'] = (_, options) =>
      new Promise((_resolve, reject) => {
        options?.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error))
      })
    const { add, checks, kinds } = setUp({ hash })
    await add(file('a.parquet', 500))
    expect(kinds()).toEqual(['running', 'waiting'])
    checks.cancel('id1', 0)
    await vi.waitFor(() => expect(kinds()).toEqual(['waiting', 'waiting']))
    checks.remove('id1')
    expect(checks.snapshot()).toEqual([])
  })

  it('are reported if they can’t be read', async () => {
    const { add, checks } = setUp({ verify: () => Promise.reject(new Error('cut short')) })
    await add(file('a.parquet', 500))
    await vi.waitFor(() =>
      expect(checks.snapshot()[0]?.checks[0]).toMatchObject({ kind: 'done', outcome: { tone: 'bad' } }),
    )
  })
})

it('a file that isn’t a receipt gets an explanation', async () => {
  const { checks } = setUp()
  await checks.add([paper({ version: 2 }), paper([1], 'b.receipt.json')], [], () => undefined)
  expect(checks.snapshot().map(({ problems }) => problems)).toEqual([
    [expect.stringContaining('a newer Rowhouse')],
    [expect.stringContaining('It isn’t a receipt of version 1.')],
  ])
})
