import { describe, expect, it, vi } from 'vitest'
import type { Output } from '../../../engine/client.ts'
import { createJob, type Job, type JobResult } from '../model/job.ts'
import { receipt } from '../../../tables/testing.ts'
import { withHashes } from '../../../tables/outputs.ts'
import { hashesOf, Sealing } from './sealing.ts'

const { sha256: _, ...output } = receipt().output
const { sha256: __, ...source } = receipt().source
const unsealed = receipt({ output, source })
const made: Output = { id: 'j/out', name: 'a.parquet', mimeType: '', size: 500, receipts: [unsealed] }
const result: JobResult = {
  target: 'parquet',
  outputs: [made],
  rejectedCount: 0,
  rejected: [],
  rejectedFile: null,
  agreed: false,
  finishedAt: 0,
}
const file = new File(['x'], 'a.csv')

function setUp() {
  const hashed: string[] = []
  let hold: Promise<void> | null = null
  const client = {
    hash: async ({ name }: File, options?: { readonly signal?: AbortSignal }) => {
      await hold
      options?.signal?.throwIfAborted()
      hashed.push(name)
      return (name === 'a.csv' ? 'a' : 'b').repeat(64)
    },
    outputs: {
      file: ({ name }: { readonly name: string }) => Promise.resolve(new File(['y'], name)),
      remove: () => Promise.resolve(),
      hold: () => undefined,
      sweep: () => Promise.resolve(),
    },
  }
  return { client, hashed, holdUntil: (until: Promise<void>) => void (hold = until) }
}

describe('hashes on receipts', () => {
  it('belong to sources and outputs', async () => {
    const { client, hashed } = setUp()
    const sealed = withHashes(result, await hashesOf(result, [file], client))
    expect(sealed.outputs[0]?.receipts).toEqual([receipt()])
    await hashesOf(sealed, [file], client)
    expect(hashed).toEqual(['a.csv', 'a.parquet'])
  })

  it('belong to the files that are available', async () => {
    const { client } = setUp()
    const sealed = withHashes(result, await hashesOf(result, [], client))
    expect(sealed.outputs[0]?.receipts).toEqual([receipt({ source })])
  })

  it('belong to each file that was combined', async () => {
    const { client, hashed } = setUp()
    const part = { ...source, rows: 1, rejectedRows: 0, rowChecksum: '0000000000000000' }
    const combined = {
      ...result,
      outputs: [{ ...made, receipts: [receipt({ output, source, sources: [part, part] })] }],
    }
    const sealed = withHashes(combined, await hashesOf(combined, [file, file], client))
    expect(sealed.outputs[0]?.receipts[0]?.sources?.map(({ sha256 }) => sha256)).toEqual([
      'a'.repeat(64),
      'a'.repeat(64),
    ])
    expect(sealed.outputs[0]?.receipts[0]?.source).not.toHaveProperty('sha256')
    expect(hashed).toEqual(['a.csv', 'a.parquet'])
  })
})

it('a table that was split has a hash for each of its files', async () => {
  const { client, hashed } = setUp()
  const parts = ['x.csv', 'y.csv'].map((name) => ({ name, size: 1, rows: 1, rowChecksum: '0000000000000000' }))
  const first = { ...made, name: 'x.csv', receipts: [receipt({ output, parts })] }
  const split = { ...result, outputs: [first, { ...made, id: 'j/y', name: 'y.csv', receipts: [] }] }
  const sealed = withHashes(split, await hashesOf(split, [], client))
  expect(hashed).toEqual(['x.csv', 'y.csv'])
  expect(sealed.outputs[0]?.receipts[0]?.parts?.map(({ sha256 }) => sha256)).toEqual(['b'.repeat(64), 'b'.repeat(64)])
  expect(sealed.outputs[0]?.receipts[0]?.output).toEqual(output)
})

describe('sealing', () => {
  it('waits while something else runs, and keeps changes made meanwhile', async () => {
    const { client, hashed, holdUntil } = setUp()
    let job: Job = { ...createJob('j', file, 0), result }
    let kept = 0
    const sealing = new Sealing(client, { update: (_id, change) => (job = change(job)), keep: () => kept++ })
    sealing.add({ id: 'j', outputs: [made], sources: [file] })
    let go = (): void => undefined
    const held = new Promise<void>((resolve) => (go = resolve))
    holdUntil(held)
    void sealing.resume()
    sealing.pause()
    go()
    await held
    expect(hashed).toEqual([])
    job = { ...job, result: { ...result, agreed: true } }
    await sealing.resume()
    expect(job.result).toMatchObject({ agreed: true, outputs: [{ receipts: [receipt()] }] })
    expect(kept).toBe(1)
    await sealing.resume()
    expect(kept).toBe(1)
  })

  it('doesn’t change the receipt of a later conversion', async () => {
    const { client } = setUp()
    const later = { ...result, outputs: [{ ...made, id: 'k/out' }] }
    let job: Job = { ...createJob('j', file, 0), result: later }
    const sealing = new Sealing(client, { update: (_id, change) => (job = change(job)), keep: vi.fn() })
    sealing.add({ id: 'j', outputs: [made], sources: [file] })
    await sealing.resume()
    expect(job.result).toBe(later)
  })
})
