import type { ApiClient } from '../api/client.ts'
import type { ConsoleClient } from '../api/console.ts'
import type { ApiKey, Scope, Workspace } from '../contract/schemas.ts'
import { asError } from '../lib/errors.ts'
import { Listeners, Store } from '../lib/store.ts'
import type { Keeper, Kept, RemoteConnection } from './kept.ts'
import type { ChangeTopic, LocalData, OwnKeys, Session, SessionState, SessionStore } from './session.ts'

/** The stand-in, once it's running. */
export interface StandIn {
  /** Absolute, up to and including the version segment. */
  readonly apiBaseUrl: string
  readonly console: ConsoleClient
  readonly local: LocalData
  /** @param onUnauthorized called when the key is no longer valid */
  client(workspaceId: string, key: string, onUnauthorized: () => void): ApiClient
  /** Calls back when its records changed, in this tab or another. */
  onChange(listener: (topic: ChangeTopic) => void): () => void
}

export interface SessionDependencies {
  /** Starts the stand-in. Called once, and again only after a failure. */
  readonly standIn: () => Promise<StandIn>
  readonly remote: (connection: RemoteConnection) => Promise<Pick<Session, 'api' | 'console'>>
  readonly keeper: Keeper
  /** Runs work while no other tab runs work with the same name. */
  readonly lock: <T>(name: string, work: () => Promise<T>) => Promise<T>
  /** Calls back when the person returns to the page. */
  readonly onReturn: (listener: () => void) => () => void
  /** Allows the page to connect to these origins in addition to its own, from its next load on. */
  readonly allowOrigins: (origins: readonly string[]) => Promise<void>
  readonly reload: () => void
  readonly now: () => number
}

/** Name of the key that the app creates for itself. */
export const OWN_KEY_NAME = 'Rowhouse in this browser'
const OWN_SCOPES: readonly Scope[] = ['datasets:*:read', 'datasets:*:write']
/** Where the app's own keys are stored: those for a server belong to the connection. */
interface KeysPlace {
  of(kept: Kept): OwnKeys
  put(kept: Kept, keys: OwnKeys): Kept
}
const LOCAL_KEYS: KeysPlace = { of: ({ keys }) => keys, put: (kept, keys) => ({ ...kept, keys }) }
const REMOTE_KEYS: KeysPlace = {
  of: ({ remote }) => remote?.keys ?? {},
  put: (kept, keys) => ({ ...kept, remote: kept.remote && { ...kept.remote, keys } }),
}
const TOPICS: readonly ChangeTopic[] = ['datasets', 'keys', 'workspaces']

/** Nothing starts before the first call of `ready`. */
export function createSessionStore(dependencies: SessionDependencies): SessionStore {
  return new CurrentSession(dependencies)
}

class CurrentSession extends Store<SessionState> implements SessionStore {
  private readonly deps: SessionDependencies
  private readonly changes = new Listeners<[topic: ChangeTopic]>()
  readonly onChange = this.changes.add
  private opening: Promise<Session> | null = null
  private standIn: Promise<StandIn> | null = null
  /** Number of the latest opening: results of earlier ones are ignored. */
  private turn = 0
  /** The workspace last switched to. */
  private wanted: string | null = null
  private stopWatching: () => void = () => undefined

  constructor(deps: SessionDependencies) {
    super({ status: 'connecting' })
    this.deps = deps
  }

  ready(): Promise<Session> {
    return this.opening ?? this.open()
  }

  async switchWorkspace(id: string): Promise<void> {
    const session = this.state.status === 'ready' ? this.state.session : null
    this.wanted = id
    if (session?.connection.kind === 'remote') await this.switchAtServer(session.connection, session.console, id)
    else this.deps.keeper.change((kept) => ({ ...kept, workspaceId: id }))
    await this.open()
  }

  async connect(remote: Omit<RemoteConnection, 'kind' | 'keys'> | null): Promise<void> {
    const connection = remote && { kind: 'remote' as const, ...remote }
    await this.deps.allowOrigins(
      connection ? [new URL(connection.baseUrl).origin, ...(connection.fileOrigins ?? [])] : [],
    )
    this.deps.keeper.change((kept) => ({ ...kept, remote: connection }))
    // Reload, because the page's policy, which is fixed at load, names whom it may talk to, and because a running
    // stand-in would answer in the service's place.
    this.deps.reload()
  }

  private open(): Promise<Session> {
    const turn = ++this.turn
    // Screens stay while one session replaces another.
    if (this.state.status !== 'ready') this.set({ status: 'connecting' })
    const opening = this.session().then(
      (session) => {
        if (turn !== this.turn) return this.ready()
        this.set({ status: 'ready', session })
        return session
      },
      (cause: unknown) => {
        if (turn !== this.turn) return this.ready()
        const error = asError(cause)
        this.set({ status: 'failed', error, retry: () => void this.open().catch(() => undefined) })
        throw error
      },
    )
    // Callers get the error. Without a caller, it isn't an unhandled rejection.
    opening.catch(() => undefined)
    this.opening = opening
    return opening
  }

  private async session(): Promise<Session> {
    const { remote } = this.deps.keeper.read()
    return remote ? this.remoteSession(remote) : this.localSession()
  }

  private async remoteSession(connection: RemoteConnection): Promise<Session> {
    const clients = await this.deps.remote(connection)
    this.watch(this.deps.onReturn(() => TOPICS.forEach((topic) => this.changes.tell(topic))))
    return {
      connection,
      apiBaseUrl: connection.baseUrl.replace(/\/+$/, ''),
      workspaceId: connection.workspaceId,
      slug: connection.slug,
      scopes: null,
      ...clients,
      local: null,
    }
  }

  /** Stores the current key, which the person may have entered, for when they return to this workspace. */
  private async keepKey(console: ConsoleClient, { workspaceId, key }: RemoteConnection): Promise<void> {
    const known = await console.apiKeys(workspaceId)
    const left = known.find((one) => this.isValid(one) && key.endsWith(one.last4))
    if (!left) return
    this.deps.keeper.change((kept) =>
      REMOTE_KEYS.put(kept, { ...REMOTE_KEYS.of(kept), [workspaceId]: { id: left.id, key } }),
    )
  }

  /** Makes another workspace of the server the connected one, with a key of the app's own. */
  private async switchAtServer(connection: RemoteConnection, console: ConsoleClient | null, id: string): Promise<void> {
    const all = (await console?.workspaces()) ?? []
    const workspace = all.find((one) => one.id === id)
    const current = all.find((one) => one.id === connection.workspaceId)
    if (!console || !workspace) throw new Error('The service no longer has this workspace.')
    if (current && current !== workspace) await this.keepKey(console, connection)
    const { key } = current === workspace ? connection : await this.key(console, id, REMOTE_KEYS)
    // Another one was chosen meanwhile.
    if (this.wanted !== id) return
    this.deps.keeper.change(({ remote, ...kept }) => ({
      ...kept,
      remote: remote && { ...remote, workspaceId: id, slug: workspace.slug, key },
    }))
  }

  private async localSession(): Promise<Session> {
    this.standIn ??= this.deps.standIn()
    const standIn = await this.standIn.catch((error: unknown) => {
      this.standIn = null
      throw error
    })
    const workspace = await this.workspace(standIn)
    const { key, scopes } = await this.key(standIn.console, workspace.id, LOCAL_KEYS)
    this.watch(
      standIn.onChange((topic) => {
        if (topic !== 'datasets') void this.checkAgain(standIn)
        this.changes.tell(topic)
      }),
    )
    return {
      connection: { kind: 'stand-in', workspace, key },
      apiBaseUrl: standIn.apiBaseUrl,
      workspaceId: workspace.id,
      slug: workspace.slug,
      scopes,
      // A key may expire without any record being written, at the end of a rotation's grace period.
      api: standIn.client(workspace.id, key, () => void this.checkAgain(standIn)),
      console: standIn.console,
      local: standIn.local,
    }
  }

  /** The workspace last open, or else the oldest one, which is created if there's none. */
  private async workspace(standIn: StandIn): Promise<Workspace> {
    const { workspaceId } = this.deps.keeper.read()
    const all = await standIn.console.workspaces()
    const oldest = all.toSorted((a, b) => a.created_at.localeCompare(b.created_at))[0]
    const found = all.find(({ id }) => id === workspaceId) ?? oldest
    const workspace = found ?? (await standIn.console.createWorkspace({ name: 'My workspace' }))
    if (workspace.id !== workspaceId) this.deps.keeper.change((kept) => ({ ...kept, workspaceId: workspace.id }))
    return workspace
  }

  /** The key that this browser has stored for the workspace; a new one if there's none, or it's no longer valid. */
  private key(
    console: ConsoleClient,
    workspaceId: string,
    keys: KeysPlace,
  ): Promise<{ key: string; scopes: readonly Scope[] }> {
    return this.deps.lock('rowhouse-session-key', async () => {
      const kept = keys.of(this.deps.keeper.read())[workspaceId]
      const known = await console.apiKeys(workspaceId)
      const found = known.find(({ id }) => id === kept?.id)
      if (kept && found && this.isValid(found)) return { key: kept.key, scopes: found.scopes }
      const made = await console.createApiKey(workspaceId, { name: OWN_KEY_NAME, scopes: OWN_SCOPES })
      this.deps.keeper.change((old) =>
        keys.put(old, { ...keys.of(old), [workspaceId]: { id: made.api_key.id, key: made.key } }),
      )
      return { key: made.key, scopes: made.api_key.scopes }
    })
  }

  private isValid({ revoked_at: revoked, expires_at: expires }: ApiKey): boolean {
    const now = this.deps.now()
    return [revoked, expires].every((end) => end === null || Date.parse(end) > now)
  }

  /** Opens the session again if its workspace or key has changed. */
  private async checkAgain(standIn: StandIn): Promise<void> {
    const { turn, state } = this
    if (state.status !== 'ready' || state.session.connection.kind !== 'stand-in') return
    const { workspace } = state.session.connection
    try {
      const now = (await standIn.console.workspaces()).find(({ id }) => id === workspace.id)
      const kept = this.deps.keeper.read().keys[workspace.id]
      const own = now && (await standIn.console.apiKeys(now.id)).find(({ id }) => id === kept?.id)
      const same = own && this.isValid(own) && JSON.stringify(now) === JSON.stringify(workspace)
      if (!same && turn === this.turn) await this.open()
    } catch {
      // The next call that needs it reports the error.
    }
  }

  private watch(stop: () => void): void {
    this.stopWatching()
    this.stopWatching = stop
  }
}
