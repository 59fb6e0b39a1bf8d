import { lazy, Suspense } from 'react'
import type { SqlEditorProps } from '../parts.ts'
import css from './Editor.module.css'

const Editor = lazy(() => import('./Editor.tsx'))

/** The SQL editor; its code is loaded when it's first shown. Fills the height that it's given. */
export function SqlEditor(props: SqlEditorProps) {
  return (
    <Suspense fallback={<div className={css.editor} aria-busy="true" />}>
      <Editor {...props} />
    </Suspense>
  )
}
