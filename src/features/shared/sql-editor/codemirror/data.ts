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

/** What the editor's extensions know besides the text. */
export interface EditorData extends ColumnSources {
  readonly session: EditorSession | null
  readonly catalog: Catalog
  readonly words: Words
  /** A column's values, the most frequent first; null if that would take too long, or there's no engine to ask. */
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
 * The engine's descriptions of queries' columns. A look-up never waits: unknown queries are described one by one, and
 * are known the next time.
 */
export class DescribedQueries {
  readonly #session: EditorSession
  #abort = new AbortController()
  readonly #known = new RecentMap<string, readonly ResultColumn[] | null>(MOST)
  #asking = false

  constructor(session: EditorSession) {
    this.#session = session
  }

  /** Cancels the current request. */
  stop(): void {
    this.#abort.abort()
    this.#abort = new AbortController()
  }

  /** Undefined if it isn't known yet, or the engine can't tell. */
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
      // Completion uses the light parse instead.
      if (!signal.aborted) this.#known.set(query, null)
    } finally {
      this.#asking = false
    }
  }
}

/** Values of tables with more rows aren't requested, since the rows may have to be fetched first. */
const MANY = 2_000_000

/** Values of columns from the engine. Each column is requested once. */
export class ColumnValues {
  readonly #ask: AskValues
  readonly #abort = new AbortController()
  readonly #known = new RecentMap<string, Promise<readonly FrequentValue[]>>(MOST)

  constructor(ask: AskValues) {
    this.#ask = ask
  }

  /** Cancels the current request. */
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
      // Not now, because something else is running.
      this.#known.delete(key)
    } catch (error) {
      // Completion works without values. Only cancelled requests are repeated.
      if (isAbort(error)) this.#known.delete(key)
    }
    return []
  }
}
