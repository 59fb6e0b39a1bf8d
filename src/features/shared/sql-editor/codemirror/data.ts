import { Facet } from '@codemirror/state'
import type { ResultColumn } from '../../../../engine/client.ts'
import { isAbort } from '../../../../lib/abort.ts'
import { RecentMap } from '../../../../lib/recent-map.ts'
import type { AskValues, EditorSession, FrequentValue } from '../handle.ts'
import {
  createCatalog,
  type Catalog,
  type ColumnSources,
  createWords,
  type Origin,
  type Words,
} from '../../../../lib/duckdb-sql/index.ts'

/** What the editor's extensions know beside the text. */
export interface EditorData extends ColumnSources {
  readonly session: EditorSession | null
  readonly catalog: Catalog
  readonly words: Words
  /** A column's values, the most frequent first; null where they'd cost too much, or nobody can be asked. */
  readonly values: (origin: Origin) => Promise<readonly FrequentValue[]> | null
}

export const NO_DATA: EditorData = {
  session: null,
  catalog: createCatalog({ workspaces: [], local: [], temporary: [] }),
  words: createWords(null),
  described: () => undefined,
  values: () => null,
}

export const editorData = Facet.define<EditorData, EditorData>({ combine: ([first]) => first ?? NO_DATA })

const MOST = 200
const LONGEST = 20_000

/**
 * What the engine says of queries' columns. Looking up never waits: what isn't known yet is asked for, one query at a
 * time, and is there the next time.
 */
export class DescribedQueries {
  readonly #session: EditorSession
  #abort = new AbortController()
  readonly #known = new RecentMap<string, readonly ResultColumn[] | null>(MOST)
  #asking = false

  constructor(session: EditorSession) {
    this.#session = session
  }

  /** Ends what is being asked. */
  stop(): void {
    this.#abort.abort()
    this.#abort = new AbortController()
  }

  /** Undefined when it's not known, or the engine can't tell. */
  readonly columns = (query: string): readonly ResultColumn[] | undefined => {
    const known = this.#known.get(query)
    if (known === undefined) void this.#ask(query)
    return known ?? undefined
  }

  async #ask(query: string): Promise<void> {
    if (this.#asking || query.trim() === '' || query.length > LONGEST) return
    this.#asking = true
    const { signal } = this.#abort
    try {
      this.#known.set(query, await this.#session.describe(query, { signal }))
    } catch {
      // Completion does without: the light parse has an answer of its own.
      if (!signal.aborted) this.#known.set(query, null)
    } finally {
      this.#asking = false
    }
  }
}

/** Rows of a table above which its values aren't asked for: they may have to be fetched first. */
const MANY = 2_000_000

/** What the engine says of columns' values: each column is asked for once. */
export class ColumnValues {
  readonly #ask: AskValues
  readonly #abort = new AbortController()
  readonly #known = new RecentMap<string, Promise<readonly FrequentValue[]>>(MOST)

  constructor(ask: AskValues) {
    this.#ask = ask
  }

  /** Ends what is being asked. */
  stop(): void {
    this.#abort.abort()
  }

  readonly of = (origin: Origin): Promise<readonly FrequentValue[]> | null => {
    if (origin.rowCount !== null && origin.rowCount > MANY) return null
    const key = JSON.stringify([origin.source, origin.column])
    const known = this.#known.get(key)
    if (known) return known
    const asked = this.#asked(origin, key)
    this.#known.set(key, asked)
    return asked
  }

  async #asked(origin: Origin, key: string): Promise<readonly FrequentValue[]> {
    try {
      const values = await this.#ask(origin, this.#abort.signal)
      if (values) return values
      // Not now: something else runs.
      this.#known.delete(key)
    } catch (error) {
      // Without values one goes on writing. What was only stopped is asked for again.
      if (isAbort(error)) this.#known.delete(key)
    }
    return []
  }
}
