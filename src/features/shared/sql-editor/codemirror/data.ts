import { Facet } from '@codemirror/state'
import type { ResultColumn } from '../../../../engine/client.ts'
import type { EditorSession } from '../handle.ts'
import {
  createCatalog,
  type Catalog,
  type ColumnSources,
  createWords,
  type Words,
} from '../../../../lib/duckdb-sql/index.ts'

/** What the editor's extensions know beside the text. */
export interface EditorData extends ColumnSources {
  readonly session: EditorSession | null
  readonly catalog: Catalog
  readonly words: Words
}

export const NO_DATA: EditorData = {
  session: null,
  catalog: createCatalog({ workspaces: [], local: [], temporary: [] }),
  words: createWords(null),
  described: () => undefined,
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
  readonly #known = new Map<string, readonly ResultColumn[] | null>()
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
      this.#keep(query, await this.#session.describe(query, { signal }))
    } catch {
      // Completion does without: the light parse has an answer of its own.
      if (!signal.aborted) this.#keep(query, null)
    } finally {
      this.#asking = false
    }
  }

  #keep(query: string, columns: readonly ResultColumn[] | null): void {
    this.#known.set(query, columns)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest)
  }
}
