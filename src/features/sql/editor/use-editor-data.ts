import { useEffect, useMemo, useState } from 'react'
import type { Dialect, SqlSession } from '../../../engine/client.ts'
import type { Schema } from '../types.ts'
import type { EditorData } from './codemirror/data.ts'
import { DescribedQueries } from './codemirror/described.ts'
import { createCatalog } from '../language/catalog.ts'
import { createWords } from '../language/dialect.ts'

/** What the extensions know: the schema's names, the engine's words, and what the engine says of queries. */
export function useEditorData(session: SqlSession | null, schema: Schema): EditorData {
  const [dialect, setDialect] = useState<Dialect | null>(null)
  useEffect(() => {
    if (!session) return undefined
    let current = true
    // Without it the words of all SQL do; the screen says by itself when the engine can't start.
    session.dialect().then(
      (known) => current && setDialect(known),
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [session])
  // Another schema, other answers.
  const known = useMemo(
    () => ({ catalog: createCatalog(schema), queries: session && new DescribedQueries(session) }),
    [session, schema],
  )
  useEffect(() => () => known.queries?.stop(), [known])
  const words = useMemo(() => createWords(dialect), [dialect])
  return useMemo(
    () => ({ session, catalog: known.catalog, words, described: known.queries?.columns ?? (() => undefined) }),
    [session, known, words],
  )
}
