import type duckdb from '@duckdb/node-bindings'
import { setFlagsFromString } from 'node:v8'
import { setImmediate as nextTask } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { expect, it, vi } from 'vitest'
import { Engine } from './engine.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const seen = vi.hoisted(() => ({ isKept: false }))

vi.mock('@duckdb/node-bindings', async (importReal) => {
  const { default: real } = await importReal<{ default: typeof duckdb }>()
  /** Opens a database only after garbage was collected, as where all threads are busy. */
  const open = (path: string, config: object): Promise<duckdb.Database> => {
    const given = new WeakRef(config)
    const late = async (): Promise<duckdb.Database> => {
      for (let round = 0; round < 3; round++) {
        await nextTask()
        collectGarbage()
      }
      seen.isKept = given.deref() !== undefined
      return real.open(path)
    }
    return late()
  }
  return { default: Object.create(real, { open: { value: open } }) as typeof duckdb }
})

it('keeps its configuration while the database opens, since the library frees what is garbage', async () => {
  await new Engine().do(0, { do: 'connect' })
  expect(seen.isKept).toBe(true)
})
