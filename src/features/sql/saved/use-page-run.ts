import { useCallback, useEffect, useState } from 'react'
import { Store } from '../../../lib/store.ts'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { useSql, type Sql } from '../context.tsx'
import { wantedBy } from '../results/execute.ts'
import type { Runner } from '../results/runner.ts'
import { onlyReads } from '../results/text.ts'
import type { SavedQuery } from '../types.ts'

interface PageRun {
  /** Null on the first render. */
  readonly runner: Runner | null
  readonly refresh: () => void
}

/** Id of the runner of a saved query's page. */
export const pageRunner = (id: string): string => `saved-${id}`

/** The page's current runner. */
class CurrentRunner extends Store<Runner | null> {
  private readonly sql: Pick<Sql, 'runner' | 'release'>
  private readonly key: string

  constructor(sql: Pick<Sql, 'runner' | 'release'>, key: string) {
    super(null)
    this.sql = sql
    this.key = key
  }

  take(): Runner {
    const runner = this.sql.runner(this.key)
    if (runner !== this.state) this.set(runner)
    return runner
  }

  release(): void {
    this.sql.release(this.key)
  }
}

/**
 * Runs a saved query for its page: at once if it only reads, and again when its text changes or a missing file has been
 * added. Leaving the page cancels it and frees its memory.
 */
export function usePageRun({ id, text }: SavedQuery, parameters: SavedQuery['parameters']): PageRun {
  const sql = useSql()
  const { catalog } = sql
  const [current] = useState(() => new CurrentRunner(sql, pageRunner(id)))
  const runner = useStore(current)
  const reads = onlyReads(text)
  const refresh = useCallback(
    (values: SavedQuery['parameters']) => {
      // What a statement creates would already exist the second time.
      if (!reads) current.release()
      void current.take().run({ text, part: { kind: 'all' }, where: 'auto', parameters: values })
    },
    [current, reads, text],
  )
  const [first] = useState(parameters)
  useEffect(() => {
    if (reads) refresh(first)
    else current.take()
    return () => current.release()
  }, [current, reads, refresh, first])
  useEffect(
    () =>
      catalog.subscribe(() => {
        const { run, stage } = current.take().snapshot()
        if (reads && stage === 'idle' && run?.error && wantedBy(run.error) !== null) refresh(parameters)
      }),
    [catalog, current, reads, refresh, parameters],
  )
  return { runner, refresh: () => refresh(parameters) }
}
