import type { Plan } from '../../contract/schemas.ts'
import { endOf } from '../keys.ts'
import { counterId, remainingOf, usedOf, windowsOf } from '../middleware/windows.ts'
import type { Admission, AdmissionRequest, ReadTransaction, Records, StoreName, WriteTransaction } from '../ports.ts'

const STORES: readonly StoreName[] = ['keys', 'workspaces', 'counters']

/** Whose a key was when it was last used. */
interface Owner {
  readonly keyId: string
  readonly workspaceId: string
  readonly plan: Plan
}

type Caller = NonNullable<Admission['caller']>

/** `Records.admit` where it takes a transaction: in the browser, by the page's clock. */
export function createAdmission(records: Pick<Records, 'read' | 'write'>): Records['admit'] {
  const owners = new Map<string, Owner>()
  return async (request) => {
    const { now, counts } = request
    const look = async (transaction: ReadTransaction): Promise<Admission> => {
      return { now, caller: await callerOf(transaction, owners, request), counted: false }
    }
    if (!counts) return records.read(STORES, look)
    const enter = async (transaction: WriteTransaction): Promise<Admission> => {
      const looked = await look(transaction)
      const { caller } = looked
      if (!caller || endOf(caller.key, now) || caller.windows.some((window) => remainingOf(window) === 0)) return looked
      return { now, caller: count(transaction, caller, now), counted: true }
    }
    return records.write(STORES, enter, { durability: 'relaxed' })
  }
}

function count(transaction: WriteTransaction, { key, workspace, windows }: Caller, now: number): Caller {
  const counted = windows.map((window) => ({ ...window, used: window.used + 1 }))
  const writing = [
    transaction.put('keys', { ...key, lastUsedAt: now }),
    ...counted.map((window) => {
      const { start, used } = window
      return transaction.put('counters', { id: counterId(key.id, window), start, count: used })
    }),
  ]
  // One that fails fails the transaction, which says so. Waiting for each takes a round to the disk more.
  for (const write of writing) write.catch(() => undefined)
  return { key, workspace, windows: counted }
}

/**
 * Whose key it is. What depends on the key is asked for together with it, as if it were still whose it was last time:
 * each round to the disk and back takes about a millisecond. What turns out to be another's is asked for again.
 */
async function callerOf(
  transaction: ReadTransaction,
  owners: Map<string, Owner>,
  { hash, endpoint, now }: AdmissionRequest,
): Promise<Caller | null> {
  const last = owners.get(hash)
  const used = (keyId: string, plan: Plan) => usedOf(transaction, keyId, windowsOf(plan, [endpoint], now))
  const [[key], lastWorkspace, lastWindows] = await Promise.all([
    transaction.by('keys', 'hash', hash),
    last && transaction.get('workspaces', last.workspaceId),
    last && used(last.keyId, last.plan),
  ])
  const workspace =
    key?.workspaceId === last?.workspaceId
      ? lastWorkspace
      : key && (await transaction.get('workspaces', key.workspaceId))
  if (!key || !workspace) return null
  const same = key.id === last?.keyId && workspace.plan === last.plan
  const windows = (same && lastWindows) || (await used(key.id, workspace.plan))
  owners.set(hash, { keyId: key.id, workspaceId: workspace.id, plan: workspace.plan })
  return { key, workspace, windows }
}
