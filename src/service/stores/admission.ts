import type { Plan } from '../../contract/schemas.ts'
import { endOf } from '../keys.ts'
import { counterId, remainingOf, usedOf, windowsOf } from '../middleware/windows.ts'
import type {
  Admission,
  AdmissionRequest,
  Caller,
  ReadTransaction,
  Records,
  StoreName,
  WriteTransaction,
} from '../ports.ts'

const STORES: readonly StoreName[] = ['keys', 'workspaces', 'counters']

/** A key's owner when it was last used. */
interface Owner {
  readonly keyId: string
  readonly workspaceId: string
  readonly plan: Plan
}

/** `Records.admit` for records without an atomic version of it: in the browser, with the page's clock. */
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
  // A failed write fails the transaction, which reports it. Awaiting each write would cost another round trip.
  for (const write of writing) write.catch(() => undefined)
  return { key, workspace, windows: counted }
}

/**
 * Finds the key's owner. Reads what depends on the owner together with the key, assuming that it hasn't changed, since
 * each round trip takes about a millisecond. If it has, reads again.
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
