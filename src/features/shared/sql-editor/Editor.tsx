import { useId, useImperativeHandle, useRef, useEffect, useMemo, useState } from 'react'
import { type AskValues, type EditorSession, type SqlEditorProps, createHandle } from './handle.ts'
import { ProblemBar } from './ProblemBar.tsx'
import { useEditorView } from './use-editor-view.ts'
import css from './Editor.module.css'
import type { EditorView } from '@codemirror/view'
import type { SqlProblem } from '../../../engine/client.ts'
import { setRunProblems } from './codemirror/problems.ts'
import { type Dialect, type Schema, createCatalog, createWords } from '../../../lib/duckdb-sql/index.ts'
import { ColumnValues, DescribedQueries, NO_DATA, type EditorData } from './codemirror/data.ts'

/** CodeMirror for DuckDB's SQL. */
export default function Editor(props: SqlEditorProps) {
  const { ref, session, schema, problems, values } = props
  const hint = useId()
  const host = useRef<HTMLDivElement>(null)
  const data = useEditorData(session, schema, values)
  const { documents, listed } = useEditorView(host, hint, props, data)
  const view = documents?.view ?? null
  useProblems(view, problems)
  useImperativeHandle(ref, () => createHandle(documents), [documents])
  return (
    <div className={css.editor}>
      <div ref={host} className={css.host} />
      <p id={hint} hidden>
        {props.hint ?? RUNS} Ctrl+Space completes. Tab indents; Escape and then Tab leaves the editor.
      </p>
      <ProblemBar problems={listed} said={props.said ?? null} view={view} />
    </div>
  )
}

const RUNS = 'Ctrl+Enter runs the statement at the cursor, Ctrl+Shift+Enter all of them.'

/** Marks errors of the last run. */
function useProblems(view: EditorView | null, problems: readonly SqlProblem[]): void {
  useEffect(() => {
    view?.dispatch({ effects: setRunProblems.of(problems) })
  }, [view, problems])
}

/**
 * Data for the extensions: names in the schema, the engine's keywords and functions, and its descriptions of queries.
 */
function useEditorData(session: EditorSession | null, schema: Schema, ask?: AskValues): EditorData {
  const [dialect, setDialect] = useState<Dialect | null>(null)
  useEffect(() => {
    if (!session) return undefined
    let current = true
    // Without it, standard SQL words are used. If the engine can't start, the screen says so.
    session.dialect().then(
      (known) => current && setDialect(known),
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [session])
  // Answers depend on the schema.
  const known = useMemo(
    () => ({
      catalog: createCatalog(schema),
      queries: session && new DescribedQueries(session),
      values: ask && new ColumnValues(ask),
    }),
    [session, schema, ask],
  )
  useEffect(
    () => () => {
      known.queries?.stop()
      known.values?.stop()
    },
    [known],
  )
  const words = useMemo(() => createWords(dialect, schema.macros), [dialect, schema.macros])
  return useMemo(
    () => ({
      session,
      catalog: known.catalog,
      words,
      described: known.queries?.columns ?? NO_DATA.described,
      values: known.values?.of ?? NO_DATA.values,
    }),
    [session, known, words],
  )
}
