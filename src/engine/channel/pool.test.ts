import { expect, it } from 'vitest'
import { NEVER } from '../../lib/abort.ts'
import { Channel } from './channel.ts'
import { ChannelPool } from './pool.ts'
import { fakeWorkers } from './testing.ts'

/**
 * A pool that starts workers in advance.
 * @param fails whether the nth worker can't be started
 */
function poolAhead(fails: (nth: number) => boolean): { pool: ChannelPool<object>; started: () => number } {
  const { start } = fakeWorkers()
  let started = 0
  const open = (): Channel<object> => {
    if (fails(++started)) throw new Error(`worker ${started} can’t be started`)
    return new Channel<object>(start, 'query')
  }
  return { pool: new ChannelPool({ open, limit: 2, ahead: true }), started: () => started }
}

it('serves a user whose worker runs, even if the worker for the next user can’t be started', async () => {
  const { pool, started } = poolAhead((nth) => nth === 2)
  expect(await pool.use(NEVER, async () => 'answer')).toBe('answer')
  expect(started()).toBe(2)
  expect(pool.busy).toBe(false)
})

it('tells a user that their worker can’t be started, and serves the next one', async () => {
  const { pool } = poolAhead((nth) => nth === 1)
  await expect(pool.use(NEVER, async () => 'answer')).rejects.toThrow('worker 1')
  expect(pool.busy).toBe(false)
  expect(await pool.use(NEVER, async () => 'answer')).toBe('answer')
})
