import { Store } from '../../../lib/store.ts'
import { storedText, type AskStorage } from '../../../lib/stored-text.ts'
import type { SqlTab } from '../types.ts'
import { type Channel, keepProblem, type SqlDatabase } from '../database.ts'

/** Delay after typing before a tab is written, in milliseconds. */
const PAUSE = 300
/** Delay before a failed write is tried again, in milliseconds. */
const RETRY = 5000

interface TabsState {
  /** In order; null until they are read. */
  readonly tabs: readonly SqlTab[] | null
  /** Why they can't be stored; null if they can. */
  readonly problem: string | null
}

interface TabsDependencies {
  readonly database: Pick<SqlDatabase, 'tabs' | 'tab' | 'putTab' | 'removeTab'>
  readonly channel: Channel
  readonly drafts: Drafts
  readonly now: () => number
  readonly newId: () => string
  /** Called when another window's version has replaced what was typed here (`mine`). */
  readonly onOverwritten: (mine: SqlTab) => void
  readonly onRemoved: (id: string) => void
  readonly pause?: number
}

type TabChange = Partial<Omit<SqlTab, 'id' | 'updatedAt'>>

/**
 * The editor's tabs, the same in all windows of this browser. If two windows change a tab, the later change wins, and
 * `onOverwritten` gets the other version.
 */
export class TabsStore extends Store<TabsState> {
  private readonly deps: TabsDependencies
  private readonly dirty = new Map<string, ReturnType<typeof setTimeout>>()
  private readonly writing = new Set<string>()
  /** Tabs whose text was last changed in this window. */
  private readonly own = new Set<string>()
  private readonly removed = new Set<string>()
  private loading: Promise<void> | null = null
  private leaving = false

  constructor(deps: TabsDependencies) {
    super({ tabs: null, problem: null })
    this.deps = deps
    deps.channel.listen((change) => {
      if (change.kind === 'tab') void this.refresh(change.id)
    })
  }

  /** Reads the tabs, including drafts that a closed page couldn't write to the database. */
  load(): Promise<void> {
    this.loading ??= this.read()
    return this.loading
  }

  find(id: string): SqlTab | null {
    return this.state.tabs?.find((tab) => tab.id === id) ?? null
  }

  /** Adds a tab, at the end or after another one. */
  add(tab: Partial<Omit<SqlTab, 'updatedAt' | 'order'>> = {}, after: string | null = null): SqlTab {
    const tabs = this.state.tabs ?? []
    const made: SqlTab = {
      id: this.deps.newId(),
      title: nextTitle(tabs),
      text: '',
      parameters: {},
      where: 'auto',
      view: 'grid',
      chart: null,
      ...tab,
      order: orderAfter(tabs, after),
      updatedAt: this.deps.now(),
    }
    this.put(made)
    void this.write(made.id)
    return made
  }

  change(id: string, change: TabChange): void {
    const tab = this.find(id)
    if (!tab) return
    if (change.text !== undefined && change.text !== tab.text) this.own.add(id)
    const changed = { ...tab, ...change, updatedAt: Math.max(this.deps.now(), tab.updatedAt + 1) }
    this.put(changed)
    if (this.leaving) this.deps.drafts.put([changed])
    this.later(id)
  }

  /** Moves a tab to an index, from 0. */
  move(id: string, to: number): void {
    const tabs = this.state.tabs ?? []
    const others = tabs.filter((tab) => tab.id !== id)
    const before = others[to - 1]?.order
    const next = others[to]?.order
    const order =
      before === undefined ? (next ?? 1) - 1 : next === undefined ? before + 1 : before + (next - before) / 2
    this.change(id, { order })
  }

  /** Removes a tab. Returns a function that restores it. */
  remove(id: string): () => void {
    const tab = this.find(id)
    if (!tab) return () => undefined
    this.drop(id)
    void this.keep(async () => {
      const later = await this.deps.database.removeTab(tab)
      // Another window has typed meanwhile.
      if (later && !this.find(id)) this.take(later)
      if (!later) this.deps.channel.tell({ kind: 'tab', id })
    })
    return () => {
      if (this.find(id)) return
      this.removed.delete(id)
      this.put({ ...tab, updatedAt: this.deps.now() })
      void this.write(id)
    }
  }

  /** Writes all pending changes. */
  async flush(): Promise<void> {
    await Promise.all([...this.dirty.keys()].map((id) => this.write(id)))
  }

  /** Call when the page may close. Editors that report their text later are still handled. */
  leave(): void {
    this.leaving = true
    const waiting = [...new Set([...this.dirty.keys(), ...this.writing])].flatMap((id) => this.find(id) ?? [])
    this.deps.drafts.put(waiting)
    void this.flush()
  }

  /** Call when the page is shown again. */
  comeBack(): void {
    this.leaving = false
  }

  private async read(): Promise<void> {
    await this.keep(async () => {
      const drafts = this.deps.drafts.take()
      const kept = new Map((await this.deps.database.tabs()).map((tab) => [tab.id, tab]))
      for (const draft of drafts) {
        if (draft.updatedAt > (kept.get(draft.id)?.updatedAt ?? 0)) {
          kept.set(draft.id, await this.deps.database.putTab(draft))
        }
      }
      // What was added, changed or closed here while they were read is newer.
      for (const tab of this.state.tabs ?? []) kept.set(tab.id, tab)
      for (const id of this.removed) kept.delete(id)
      this.merge({ tabs: sorted([...kept.values()]) })
    })
    if (!this.state.tabs) this.merge({ tabs: [] })
  }

  /** Another window changed the tab. */
  private async refresh(id: string): Promise<void> {
    // If tabs haven't been read yet, they will be when needed.
    if (!this.loading) return
    await this.loading
    const kept = await this.deps.database.tab(id).catch(() => null)
    if (kept === null) return
    if (kept) this.take(kept)
    else if (this.find(id) && !this.dirty.has(id) && !this.writing.has(id)) this.drop(id)
    // If it was closed there while typing here, the next write restores it.
  }

  /** Takes over another window's version, unless this window's is newer. */
  private take(kept: SqlTab): void {
    const { id } = kept
    const here = this.find(id)
    if (this.removed.has(id) && !here) this.removed.delete(id)
    if (here && here.updatedAt >= kept.updatedAt) return
    const timer = this.dirty.get(id)
    clearTimeout(timer)
    this.dirty.delete(id)
    this.put(kept)
    if (here && this.own.delete(id) && here.text !== kept.text && here.text.trim() !== '') {
      this.deps.onOverwritten(here)
    }
  }

  private later(id: string, pause = this.deps.pause ?? PAUSE): void {
    clearTimeout(this.dirty.get(id))
    this.dirty.set(
      id,
      setTimeout(() => void this.write(id), pause),
    )
  }

  private async write(id: string): Promise<void> {
    clearTimeout(this.dirty.get(id))
    this.dirty.delete(id)
    const tab = this.find(id)
    if (!tab) return
    this.writing.add(id)
    const done = await this.keep(async () => {
      const kept = await this.deps.database.putTab(tab)
      // Closed during the write.
      if (this.removed.has(id)) await this.deps.database.removeTab(tab)
      else if (kept !== tab) this.take(kept)
      this.deps.channel.tell({ kind: 'tab', id })
    })
    this.writing.delete(id)
    if (!done && !this.dirty.has(id) && this.find(id)) this.later(id, RETRY)
  }

  /** Records whether storing works, for `problem`. */
  private async keep(work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      if (this.state.problem) this.merge({ problem: null })
      return true
    } catch (error) {
      const problem = keepProblem(error)
      if (this.state.problem !== problem) this.merge({ problem })
      return false
    }
  }

  private put(tab: SqlTab): void {
    const others = (this.state.tabs ?? []).filter(({ id }) => id !== tab.id)
    this.merge({ tabs: sorted([...others, tab]) })
  }

  private drop(id: string): void {
    clearTimeout(this.dirty.get(id))
    this.dirty.delete(id)
    this.own.delete(id)
    this.removed.add(id)
    this.merge({ tabs: (this.state.tabs ?? []).filter((tab) => tab.id !== id) })
    this.deps.onRemoved(id)
  }
}

function sorted(tabs: SqlTab[]): SqlTab[] {
  return tabs.sort((a, b) => a.order - b.order || a.id.localeCompare(b.id))
}

function orderAfter(tabs: readonly SqlTab[], after: string | null): number {
  const at = after === null ? -1 : tabs.findIndex(({ id }) => id === after)
  const here = tabs[at]
  if (!here) return (tabs.at(-1)?.order ?? 0) + 1
  const next = tabs[at + 1]
  return next ? here.order + (next.order - here.order) / 2 : here.order + 1
}

/** `Query 1`, `Query 2`: the first free number. */
export function nextTitle(tabs: readonly Pick<SqlTab, 'title'>[]): string {
  const taken = new Set(tabs.map(({ title }) => title.toLowerCase()))
  let n = 1
  while (taken.has(`query ${n}`)) n++
  return `Query ${n}`
}

/** Key in local storage. */
const DRAFTS_NAME = 'rowhouse-sql-drafts'

/**
 * Tabs with pending changes when the page was closed. Local storage is synchronous; the database wouldn't finish in
 * time.
 */
interface Drafts {
  put(tabs: readonly SqlTab[]): void
  /** Returns and removes them. */
  take(): readonly SqlTab[]
}

export function createDrafts(storage: AskStorage = () => localStorage): Drafts {
  const kept = storedText(DRAFTS_NAME, storage)
  const read = (): readonly SqlTab[] => {
    try {
      const value: unknown = JSON.parse(kept.read() ?? '[]')
      return Array.isArray(value) ? value.filter(isTab) : []
    } catch {
      return []
    }
  }
  return {
    put(tabs) {
      if (tabs.length === 0) return
      const ids = new Set(tabs.map(({ id }) => id))
      // Keep those of another window that was closed just before.
      const others = read().filter(({ id }) => !ids.has(id))
      kept.write(JSON.stringify([...others, ...tabs]))
    },
    take() {
      const tabs = read()
      kept.write(null)
      return tabs
    },
  }
}

function isTab(value: unknown): value is SqlTab {
  if (typeof value !== 'object' || value === null) return false
  const tab = value as Readonly<Record<string, unknown>>
  return (
    ['id', 'title', 'text', 'where', 'view'].every((name) => typeof tab[name] === 'string') &&
    typeof tab['order'] === 'number' &&
    typeof tab['updatedAt'] === 'number' &&
    typeof tab['parameters'] === 'object' &&
    tab['parameters'] !== null
  )
}
