import { describe, expect, test, vi } from 'vitest'
import { ApiError } from '../api/errors.ts'
import type { ApiClient } from '../api/client.ts'
import type { ConsoleClient } from '../api/console.ts'
import type { ApiKey, Workspace } from '../contract/schemas.ts'
import { createKeeper, parseKept, type Keeper } from './kept.ts'
import type { ChangeTopic, LocalData } from './session.ts'
import { createSessionStore, OWN_KEY_NAME, type SessionDependencies, type StandIn } from './store.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const REMOTE = { baseUrl: 'https://data.example/public/v1/', key: 'sk', workspaceId: 'w9', slug: 'team' }

function workspace(id: string, more: Partial<Workspace> = {}): Workspace {
  return { id, name: `Name ${id}`, slug: id, plan: 'business', created_at: '2026-11-01T00:00:00Z', ...more }
}

function memoryStorage(): Storage {
  const entries = new Map<string, string>()
  return {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
  } as unknown as Storage
}

interface Rig {
  readonly workspaces: Workspace[]
  readonly keys: (ApiKey & { workspaceId: string })[]
  readonly made: string[]
  readonly keeper: Keeper
  readonly change: (topic: ChangeTopic) => void
  readonly deps: SessionDependencies
}

/** A session store over a fake stand-in, whose console has two lists. */
function rig(over: Partial<SessionDependencies> = {}, storage = memoryStorage()): Rig {
  const workspaces = [workspace('w2', { created_at: '2026-11-02T00:00:00Z' }), workspace('w1')]
  const keys: Rig['keys'] = []
  const made: string[] = []
  const listeners = new Set<(topic: ChangeTopic) => void>()
  const keeper = createKeeper(() => storage)
  const console = {
    workspaces: () => Promise.resolve([...workspaces]),
    createWorkspace: ({ name }: { name: string }) => {
      const created = workspace('new', { name })
      workspaces.push(created)
      return Promise.resolve(created)
    },
    apiKeys: (id: string) => Promise.resolve(keys.filter(({ workspaceId }) => workspaceId === id)),
    createApiKey: (id: string, { name, scopes }: { name: string; scopes: ApiKey['scopes'] }) => {
      const key = `sk_live_${keys.length + 1}`
      const record: ApiKey = {
        id: `key${keys.length + 1}`,
        name,
        scopes,
        last4: key.slice(-4),
        created_at: '2026-11-21T00:00:00Z',
        last_used_at: null,
        expires_at: null,
        revoked_at: null,
      }
      keys.push({ ...record, workspaceId: id })
      made.push(`${id} ${name}`)
      return Promise.resolve({ api_key: record, key })
    },
  } as unknown as ConsoleClient
  const standIn: StandIn = {
    apiBaseUrl: 'http://localhost/public/v1',
    console,
    local: {} as LocalData,
    client: (id, key, onUnauthorized) => ({ id, key, onUnauthorized }) as unknown as ApiClient,
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const deps: SessionDependencies = {
    standIn: vi.fn(() => Promise.resolve(standIn)),
    remote: vi.fn(({ token }) => Promise.resolve({ api: {} as ApiClient, console: token ? console : null })),
    keeper,
    lock: (_, work) => work(),
    onReturn: () => () => undefined,
    allowOrigins: vi.fn(() => Promise.resolve()),
    reload: vi.fn(),
    now: () => NOW,
    ...over,
  }
  return { workspaces, keys, made, keeper, deps, change: (topic) => listeners.forEach((listener) => listener(topic)) }
}

describe('the stand-in’s session', () => {
  test('starts when it’s first requested, and only once', async () => {
    const { deps } = rig()
    const store = createSessionStore(deps)
    expect(deps.standIn).not.toHaveBeenCalled()
    expect(store.snapshot().status).toBe('connecting')
    const [one, two] = await Promise.all([store.ready(), store.ready()])
    expect(one).toBe(two)
    expect(deps.standIn).toHaveBeenCalledTimes(1)
    expect(store.snapshot()).toEqual({ status: 'ready', session: one })
  })

  test('opens the oldest workspace first, with a stored key of its own', async () => {
    const { deps, made, keeper } = rig()
    const session = await createSessionStore(deps).ready()
    expect(session).toMatchObject({ workspaceId: 'w1', slug: 'w1', apiBaseUrl: 'http://localhost/public/v1' })
    expect(made).toEqual([`w1 ${OWN_KEY_NAME}`])
    expect(keeper.read().keys).toEqual({ w1: { id: 'key1', key: 'sk_live_1' } })
  })

  test('uses the same key after a reload', async () => {
    const { deps, made } = rig()
    const first = await createSessionStore(deps).ready()
    const second = await createSessionStore(deps).ready()
    expect(second.connection).toEqual(first.connection)
    expect(made.length).toBe(1)
  })

  test.each([
    ['revoked', { revoked_at: '2026-11-21T09:00:00Z' }],
    ['expired', { expires_at: '2026-11-21T09:59:59Z' }],
  ])('creates a new key if the stored one is %s', async (_, end) => {
    const { deps, made, keys } = rig()
    await createSessionStore(deps).ready()
    keys[0] = { ...keys[0]!, ...end }
    const session = await createSessionStore(deps).ready()
    expect(session.connection).toMatchObject({ key: 'sk_live_2' })
    expect(made.length).toBe(2)
  })

  test('creates a new key if the stored one no longer exists', async () => {
    const { deps, made, keys } = rig()
    await createSessionStore(deps).ready()
    keys.splice(0)
    await createSessionStore(deps).ready()
    expect(made.length).toBe(2)
  })

  test('creates a new key if a call shows that the stored one has expired', async () => {
    const { deps, keys } = rig()
    const store = createSessionStore(deps)
    const { api } = await store.ready()
    keys[0] = { ...keys[0]!, revoked_at: '2026-11-21T09:00:00Z' }
    ;(api as unknown as { onUnauthorized: () => void }).onUnauthorized()
    await vi.waitFor(() => expect(store.snapshot()).toMatchObject({ session: { connection: { key: 'sk_live_2' } } }))
  })

  test('switches to another workspace, also after a reload', async () => {
    const { deps } = rig()
    const store = createSessionStore(deps)
    await store.ready()
    const states: string[] = []
    store.subscribe(() => states.push(store.snapshot().status))
    await store.switchWorkspace('w2')
    expect(store.snapshot()).toMatchObject({ session: { workspaceId: 'w2' } })
    // The screens stay, since there's always a session.
    expect(states).toEqual(['ready'])
    expect((await createSessionStore(deps).ready()).workspaceId).toBe('w2')
  })

  test('opens the workspace of the later of two switches, whichever answer comes first', async () => {
    const { deps } = rig()
    const store = createSessionStore(deps)
    await store.ready()
    await Promise.all([store.switchWorkspace('w2'), store.switchWorkspace('w1')])
    expect(store.snapshot()).toMatchObject({ session: { workspaceId: 'w1' } })
    expect((await store.ready()).workspaceId).toBe('w1')
  })

  test('creates a workspace if the last one was deleted', async () => {
    const { deps, workspaces } = rig()
    workspaces.splice(0)
    expect((await createSessionStore(deps).ready()).workspaceId).toBe('new')
  })

  test('announces changes, and reacts to those of its workspace and key', async () => {
    const { deps, workspaces, keys, change } = rig()
    const store = createSessionStore(deps)
    await store.ready()
    const told: ChangeTopic[] = []
    store.onChange((topic) => told.push(topic))
    change('datasets')
    workspaces[1] = { ...workspaces[1]!, slug: 'renamed' }
    change('workspaces')
    await vi.waitFor(() => expect(store.snapshot()).toMatchObject({ session: { slug: 'renamed' } }))
    keys[0] = { ...keys[0]!, revoked_at: '2026-11-21T09:00:00Z' }
    change('keys')
    await vi.waitFor(() => expect(store.snapshot()).toMatchObject({ session: { connection: { key: 'sk_live_2' } } }))
    workspaces.splice(1, 1)
    change('workspaces')
    await vi.waitFor(() => expect(store.snapshot()).toMatchObject({ session: { workspaceId: 'w2' } }))
    expect(told).toEqual(['datasets', 'workspaces', 'keys', 'workspaces'])
  })

  test('stays the same object if a change doesn’t concern it', async () => {
    const { deps, keys, change } = rig()
    const store = createSessionStore(deps)
    const session = await store.ready()
    keys.push({ ...keys[0]!, id: 'other', workspaceId: 'w1' })
    change('keys')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await store.ready()).toBe(session)
  })

  test('says why it can’t be opened, and can be retried', async () => {
    const { deps } = rig()
    const error = new ApiError('unreachable', 'no', { status: 0, requestId: null })
    vi.mocked(deps.standIn).mockRejectedValueOnce(error)
    const store = createSessionStore(deps)
    await expect(store.ready()).rejects.toBe(error)
    const state = store.snapshot()
    expect(state).toMatchObject({ status: 'failed', error })
    if (state.status === 'failed') state.retry()
    expect(store.snapshot().status).toBe('connecting')
    await expect(store.ready()).resolves.toMatchObject({ workspaceId: 'w1' })
  })

  test('uses a key that another tab has stored meanwhile', async () => {
    const { deps, made } = rig()
    await Promise.all([createSessionStore(deps).ready(), Promise.resolve()])
    await createSessionStore({ ...deps, lock: async (_, work) => work() }).ready()
    expect(made.length).toBe(1)
  })
})

describe('a real service’s session', () => {
  test('is stored, allowed, and opened at the next load, without loading the stand-in', async () => {
    const { deps } = rig()
    const store = createSessionStore(deps)
    await store.ready()
    await store.connect(REMOTE)
    expect(deps.allowOrigins).toHaveBeenCalledWith(['https://data.example'])
    expect(deps.reload).toHaveBeenCalledTimes(1)
    vi.mocked(deps.standIn).mockClear()
    const session = await createSessionStore(deps).ready()
    expect(session).toMatchObject({
      apiBaseUrl: 'https://data.example/public/v1',
      workspaceId: 'w9',
      slug: 'team',
      console: null,
      local: null,
      scopes: null,
    })
    expect(deps.standIn).not.toHaveBeenCalled()
    await createSessionStore(deps).connect(null)
    expect(deps.allowOrigins).toHaveBeenLastCalledWith([])
    expect((await createSessionStore(deps).ready()).workspaceId).toBe('w1')
  })

  test('with the operator’s token switches to another workspace with its own key, until it’s disconnected', async () => {
    const { deps, made } = rig()
    await createSessionStore(deps).connect({ ...REMOTE, workspaceId: 'w1', token: 'rhc' })
    const store = createSessionStore(deps)
    expect((await store.ready()).console).not.toBeNull()
    await store.switchWorkspace('w2')
    expect(made).toEqual([`w2 ${OWN_KEY_NAME}`])
    const session = await createSessionStore(deps).ready()
    expect(session).toMatchObject({ workspaceId: 'w2', slug: 'w2', connection: { key: 'sk_live_1', token: 'rhc' } })
    // On the second visit, the key created earlier is used again.
    await store.switchWorkspace('w1')
    await store.switchWorkspace('w2')
    expect(made).toEqual([`w2 ${OWN_KEY_NAME}`, `w1 ${OWN_KEY_NAME}`])
    expect((await store.ready()).connection.key).toBe('sk_live_1')
    await store.connect(null)
    expect(deps.keeper.read()).toEqual({ remote: null, workspaceId: null, keys: {} })
  })

  test('is the one switched to last, even if an earlier switch takes longer', async () => {
    const { deps } = rig()
    await createSessionStore(deps).connect({ ...REMOTE, workspaceId: 'w1', token: 'rhc' })
    const store = createSessionStore(deps)
    await store.ready()
    await Promise.all([store.switchWorkspace('w2'), store.switchWorkspace('w1')])
    expect((await store.ready()).workspaceId).toBe('w1')
  })

  test('returns to the key that the person entered', async () => {
    const { deps, made, keys } = rig()
    await createSessionStore(deps).connect({ ...REMOTE, key: 'sk_live_own9', workspaceId: 'w1', token: 'rhc' })
    const ends = { created_at: '2026-11-21T00:00:00Z', last_used_at: null, expires_at: null, revoked_at: null }
    keys.push({ id: 'own', name: 'Own', scopes: ['datasets:*:read'], last4: 'own9', workspaceId: 'w1', ...ends })
    const store = createSessionStore(deps)
    await store.ready()
    await store.switchWorkspace('w2')
    await store.switchWorkspace('w1')
    expect((await store.ready()).connection.key).toBe('sk_live_own9')
    expect(made).toEqual([`w2 ${OWN_KEY_NAME}`])
  })

  test('uses its workspace’s new name in SQL, and keeps its key', async () => {
    const { deps, made, workspaces } = rig()
    await createSessionStore(deps).connect({ ...REMOTE, workspaceId: 'w1', token: 'rhc' })
    const store = createSessionStore(deps)
    await store.ready()
    workspaces[1] = workspace('w1', { slug: 'north' })
    await store.switchWorkspace('w1')
    expect(await store.ready()).toMatchObject({ slug: 'north', connection: { key: REMOTE.key } })
    expect(made).toEqual([])
  })

  test('without the token can’t switch', async () => {
    const { deps } = rig()
    await createSessionStore(deps).connect(REMOTE)
    const store = createSessionStore(deps)
    await store.ready()
    await expect(store.switchWorkspace('w1')).rejects.toThrow('no longer has this workspace')
    expect((await store.ready()).workspaceId).toBe('w9')
  })

  test('is asked again when the person returns', async () => {
    let back: () => void = () => undefined
    const { deps } = rig({
      onReturn: (listener) => {
        back = listener
        return () => undefined
      },
    })
    deps.keeper.change((kept) => ({ ...kept, remote: { kind: 'remote', ...REMOTE } }))
    const store = createSessionStore(deps)
    await store.ready()
    const told: ChangeTopic[] = []
    store.onChange((topic) => told.push(topic))
    back()
    expect(told).toEqual(['datasets', 'keys', 'workspaces'])
  })
})

describe('the stored state', () => {
  test.each([
    '',
    'null',
    '[]',
    '{"version":2}',
    '{"version":1,"remote":{"kind":"remote"},"keys":{"a":1},"workspaceId":7}',
  ])('is empty for %j', (text) => expect(parseKept(text)).toEqual({ remote: null, workspaceId: null, keys: {} }))

  test('lasts as long as the page if storage is forbidden', () => {
    const keeper = createKeeper(() => {
      throw new DOMException('no', 'SecurityError')
    })
    keeper.change((kept) => ({ ...kept, workspaceId: 'w1' }))
    expect(keeper.read().workspaceId).toBe('w1')
  })
})
