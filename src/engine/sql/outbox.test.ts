import { describe, expect, it } from 'vitest'
import type { ResultColumn } from './session-types.ts'
import { Session } from '../testing/session.ts'
import { Outbox } from './outbox.ts'
import type { RunItem } from './protocol.ts'
import { streamStatement } from './stream.ts'

const NEVER = new AbortController().signal

/** Runs a statement. @returns what was sent before its end, and what goes with its summary */
async function sent(sql: string): Promise<{ before: RunItem[][]; rest: readonly RunItem[]; error: unknown }> {
  const { engine, ...session } = await Session.open().then((opened) => ({
    engine: opened.engine,
    call: opened.call(sql),
  }))
  const before: RunItem[][] = []
  const outbox = new Outbox({
    signal: NEVER,
    progress: () => undefined,
    send: (items) => Promise.resolve(void before.push([...items])),
  })
  const error: unknown = await streamStatement(engine, session.call, NEVER, outbox).then(
    () => null,
    (thrown: unknown) => outbox.failed(thrown).catch((same: unknown) => same),
  )
  return { before, rest: await outbox.rest(), error }
}

const rowsIn = (items: readonly RunItem[]): number =>
  items.reduce((sum, item) => sum + ('message' in item ? item.message.rows : 0), 0)
const namesIn = (items: readonly RunItem[]): readonly string[] | undefined =>
  items.flatMap((item): ResultColumn[] => ('columns' in item ? [...item.columns] : [])).map(({ name }) => name)

describe('what a statement gives', () => {
  it('goes with its summary, all in one message, if it is little', async () => {
    const before: unknown[] = []
    const outbox = new Outbox({
      signal: NEVER,
      progress: () => undefined,
      send: (items) => Promise.resolve(void before.push(items)),
    })
    const message = { rows: 1, columns: [] }
    outbox.columns([{ name: 'a', type: 'INTEGER' }])
    outbox.rows({ message, transfer: [], bytes: 4 })
    expect(await outbox.rest()).toEqual([{ columns: [{ name: 'a', type: 'INTEGER' }] }, { message }])
    expect(before).toEqual([])
    outbox.rows({ message, transfer: [], bytes: 2 ** 20 })
    expect(await outbox.rest()).toEqual([])
    expect(before).toHaveLength(1)
  })

  it('is sent before if it is much, and nothing twice', async () => {
    const { before, rest } = await sent('SELECT range AS a FROM range(500_000)')
    expect(before.length).toBeGreaterThan(0)
    expect(namesIn([...before.flat(), ...rest])).toEqual(['a'])
    expect(rowsIn([...before.flat(), ...rest])).toBe(500_000)
  })

  it('is sent before an error, too', async () => {
    const { before, error } = await sent(
      "SELECT CASE WHEN range > 10 THEN error('late') ELSE range END AS a FROM range(20)",
    )
    expect(namesIn(before.flat())).toEqual(['a'])
    expect(String(error)).toContain('late')
  })
})
