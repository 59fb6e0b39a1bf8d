import { useId, useImperativeHandle, useRef } from 'react'
import type { SqlEditorProps } from '../parts.ts'
import { ProblemBar } from './ProblemBar.tsx'
import { useEditorData } from './use-editor-data.ts'
import { useEditorView } from './use-editor-view.ts'
import { useProblems } from './use-problems.ts'
import { createHandle } from './handle.ts'
import css from './Editor.module.css'

/** CodeMirror with DuckDB's SQL. */
export default function Editor(props: SqlEditorProps) {
  const { ref, session, schema, problems } = props
  const hint = useId()
  const host = useRef<HTMLDivElement>(null)
  const data = useEditorData(session, schema)
  const { documents, listed } = useEditorView(host, hint, props, data)
  const view = documents?.view ?? null
  useProblems(view, problems)
  useImperativeHandle(ref, () => createHandle(documents), [documents])
  return (
    <div className={css.editor}>
      <div ref={host} className={css.host} />
      <p id={hint} hidden>
        Ctrl+Enter runs the statement at the cursor, Ctrl+Shift+Enter all of them. Ctrl+Space completes. Tab indents;
        Escape and then Tab leaves the editor.
      </p>
      <ProblemBar problems={listed} view={view} />
    </div>
  )
}
