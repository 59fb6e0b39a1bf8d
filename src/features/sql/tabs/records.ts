import { Store } from '../../../lib/store.ts'
import type { HistoryEntry, SavedQuery } from '../types.ts'
import {
  type Change,
  type Channel,
  keepProblem,
  MOST_HISTORY,
  type SavedChange,
  type SqlDatabase,
} from '../database.ts'

interface RecordsState<T> {
  /** Null until they are read. */
  readonly items: readonly T[] | null
  /** Why they can't be read or stored; null if they can. */
  readonly problem: string | null
}

/** Records of one kind, the same in all windows. */
export class RecordsStore<T> extends Store<RecordsState<T>> {
  protected readonly database: SqlDatabase
  private readonly read: () => Promise<T[]>
  private readonly channel: Channel
  private readonly kind: Exclude<Change['kind'], 'tab'>
  private loading: Promise<void> | null = null
  private readsBegun = 0
  private readsEnded = 0

  constructor(kind: Exclude<Change['kind'], 'tab'>, database: SqlDatabase, channel: Channel, read: () => Promise<T[]>) {
    super({ items: null, problem: null })
    this.database = database
    this.kind = kind
    this.channel = channel
    this.read = read
    channel.listen((change) => {
      // If records haven't been read yet, they will be when needed.
      if (change.kind === kind && this.loading) this.loading = this.fetch()
    })
  }

  load(): Promise<void> {
    this.loading ??= this.fetch()
    return this.loading
  }

  /** Shows a change at once, writes it, and tells the other windows. Returns whether it was written. */
  protected async write(items: (old: readonly T[]) => readonly T[], work: () => Promise<unknown>): Promise<boolean> {
    const endedBefore = this.readsEnded
    if (this.state.items) this.merge({ items: items(this.state.items) })
    try {
      await work()
      this.merge({ problem: null })
      this.channel.tell({ kind: this.kind })
      // A read that overlapped the write may have missed it.
      if (this.readsBegun > endedBefore) await (this.loading = this.fetch())
      return true
    } catch (error) {
      this.merge({ problem: keepProblem(error) })
      return false
    }
  }

  private async fetch(): Promise<void> {
    const turn = ++this.readsBegun
    const found = await this.read().then(
      (items) => ({ items, problem: null }),
      (error) => ({ items: this.state.items ?? [], problem: keepProblem(error) }),
    )
    this.readsEnded++
    if (turn === this.readsBegun) this.merge(found)
    else await this.loading
  }
}

/** Past statements, latest first. */
export class HistoryStore extends RecordsStore<HistoryEntry> {
  constructor(database: SqlDatabase, channel: Channel) {
    super('history', database, channel, () => database.history())
  }

  async add(entry: HistoryEntry): Promise<void> {
    await this.write(
      (old) => [entry, ...old].slice(0, MOST_HISTORY),
      () => this.database.putHistory([entry]),
    )
  }

  /** Removes all. Returns a function that restores them, or null if they couldn't be removed. */
  async clear(): Promise<(() => Promise<void>) | null> {
    let gone: HistoryEntry[] = []
    const done = await this.write(
      () => [],
      async () => {
        gone = await this.database.clearHistory()
      },
    )
    if (!done) return null
    return async () => {
      await this.write(
        (old) => [...old, ...gone].sort((a, b) => b.startedAt - a.startedAt),
        () => this.database.putHistory(gone),
      )
    }
  }
}

/** Saved queries, sorted by name. */
export class SavedStore extends RecordsStore<SavedQuery> {
  constructor(database: SqlDatabase, channel: Channel) {
    super('saved', database, channel, async () => sorted(await database.saved()))
  }

  /** Adds a query, or replaces the one with its id. */
  async put(query: SavedQuery): Promise<boolean> {
    return this.write(
      (old) => sorted([...old.filter(({ id }) => id !== query.id), query]),
      () => this.database.putSaved(query),
    )
  }

  /** Changes a query unless it was removed meanwhile. */
  async change(id: string, change: SavedChange): Promise<boolean> {
    return this.write(
      (old) => sorted(old.map((query) => (query.id === id ? { ...query, ...change } : query))),
      () => this.database.changeSaved(id, change),
    )
  }

  async remove(id: string): Promise<boolean> {
    return this.write(
      (old) => old.filter((query) => query.id !== id),
      () => this.database.removeSaved(id),
    )
  }
}

function sorted(queries: SavedQuery[]): SavedQuery[] {
  return queries.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}
