import { isJsonObject } from '../lib/json.ts'
import { storedText, type AskStorage } from '../lib/stored-text.ts'
import type { Connection, KeptKey, OwnKeys } from './session.ts'

export type RemoteConnection = Extract<Connection, { kind: 'remote' }>

/** What is stored beyond the page: the service, the workspace, and the keys. */
export interface Kept {
  /** Null for the stand-in. */
  readonly remote: RemoteConnection | null
  /** The workspace last open in the stand-in. */
  readonly workspaceId: string | null
  /** Keys for the stand-in's workspaces. */
  readonly keys: OwnKeys
}

export interface Keeper {
  read(): Kept
  /** Changes the stored state, which another tab may have changed meanwhile. */
  change(change: (kept: Kept) => Kept): void
}

const NOTHING: Kept = { remote: null, workspaceId: null, keys: {} }

/** Stores it in the browser's local storage or, if that's forbidden, as long as the page lives. */
export function createKeeper(storage: AskStorage = () => localStorage): Keeper {
  const kept = storedText('rowhouse-session', storage)
  const read = (): Kept => parseKept(kept.read() ?? '')
  return {
    read,
    change: (change) => kept.write(JSON.stringify({ version: 1, ...change(read()) })),
  }
}

/** Parses the stored state. Invalid parts count as missing. */
export function parseKept(text: string): Kept {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return NOTHING
  }
  if (!isJsonObject(value) || value['version'] !== 1) return NOTHING
  const { remote, workspaceId, keys } = value
  return {
    remote: isRemote(remote) ? { ...remote, keys: parseKeys(remote.keys) } : null,
    workspaceId: typeof workspaceId === 'string' ? workspaceId : null,
    keys: parseKeys(keys),
  }
}

function parseKeys(value: unknown): OwnKeys {
  if (!isJsonObject(value)) return {}
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, KeptKey] => isKey(entry[1])))
}

function isRemote(value: unknown): value is RemoteConnection {
  return (
    isJsonObject(value) &&
    value['kind'] === 'remote' &&
    ['baseUrl', 'key', 'workspaceId', 'slug'].every((name) => typeof value[name] === 'string') &&
    ['undefined', 'string'].includes(typeof value['token'])
  )
}

function isKey(value: unknown): value is KeptKey {
  return isJsonObject(value) && typeof value['id'] === 'string' && typeof value['key'] === 'string'
}
