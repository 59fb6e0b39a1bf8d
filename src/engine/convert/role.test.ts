import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { defaultOptions } from '../../tables/plan.ts'
import { Channel } from '../channel/channel.ts'
import { inProcess } from '../channel/testing.ts'
import { countMemory } from '../io/wasm-memory.ts'
import type { ConvertCalls } from './calls.ts'
import { openConvert } from './role.ts'
import { planFrom } from '../../tables/edits.ts'

const noThread = (): Worker => {
  throw new Error('a second thread was started')
}
const open = (): Channel<ConvertCalls> =>
  new Channel(inProcess({ convert: () => Promise.resolve(openConvert(noThread)) }), 'convert')

/** The first call loads the formats and compiles the kernel. */
beforeAll(() => open().call('warmUp', null), 120_000)

afterEach(() => vi.restoreAllMocks())

it('inspects and converts a file, and gives the output where there’s no private file system', async () => {
  const channel = open()
  const file = new File(['id,name\n1,a\n2,b\n'], 'a.csv')
  const { inspection } = await channel.call('inspect', { file })
  const request = { jobId: 'job', plan: planFrom(inspection), target: 'tsv', options: defaultOptions('tsv') } as const
  const { outputs, files } = await channel.call('convert', { file, ...request })
  const [output] = outputs
  expect(output?.receipts.map(({ verdict }) => verdict)).toEqual(['match'])
  expect(await files?.get(output?.id ?? '')?.text()).toBe('id\tname\n1\ta\n2\tb\n')
})

it('stops an inspection in the middle of the file', async () => {
  // Each check of the clock finds that a second has passed, so messages are handled between blocks on any machine.
  let seconds = 0
  vi.spyOn(performance, 'now').mockImplementation(() => 1000 * ++seconds)
  const file = new File(['01.02.2024;1.234,5;2,5;x1\n'.repeat(300_000)], 'a.csv')
  const controller = new AbortController()
  const seen: number[] = []
  const inspecting = open().call(
    'inspect',
    { file },
    {
      signal: controller.signal,
      onProgress: ({ bytes }) => {
        seen.push(bytes)
        controller.abort()
      },
    },
  )
  const failed = await inspecting.catch((error: unknown) => error)
  expect(failed).toBe(controller.signal.reason)
  expect(seen).toHaveLength(1)
  expect(seen[0]).toBeLessThan(file.size)
})

it('stops warming up when somebody wants something, and serves them meanwhile', async () => {
  const channel = open()
  const wanted = new AbortController()
  const warming = channel.call('warmUp', null, { signal: wanted.signal })
  await channel.ready
  wanted.abort()
  const inspecting = channel.call('inspect', { file: new File(['id\n1\n'], 'a.csv') })
  await expect(warming).rejects.toBe(wanted.signal.reason)
  expect((await inspecting).inspection.tables[0]?.rows).toBe(1)
})

it('says once its libraries have taken more memory than is held while nothing runs', async () => {
  const channel = open()
  const file = new File(['id\n1\n'], 'a.csv')
  await channel.call('inspect', { file })
  expect(channel.outgrown).toBe(false)
  const memory = new WebAssembly.Memory({ initial: 2048, maximum: 2049 })
  countMemory(memory)
  memory.grow(1)
  await channel.call('inspect', { file })
  expect(channel.outgrown).toBe(true)
})
