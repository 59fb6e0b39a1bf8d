import type { EditorView } from '@codemirror/view'
import { announce } from '../../../ui/overlays/announce.tsx'
import { NEVER } from '../../../lib/abort.ts'
import { toastFailure } from '../../../ui/overlays/toasts.ts'
import { placeAfter } from './format/format.ts'
import type { SqlProblem, SqlSession, TextRange } from '../../../engine/client.ts'
import type { Ref } from 'react'
import type { Origin, Schema } from '../../../lib/duckdb-sql/index.ts'

/** What the editor needs of a session. */
export type EditorSession = Pick<SqlSession, 'check' | 'describe' | 'dialect'>

/** A column's value as text, and its number of occurrences. */
export interface FrequentValue {
  readonly text: string
  readonly count: number
  /** Whether only the first rows were counted. */
  readonly partial?: boolean
}

/** Asks for a column's most frequent values; null if they aren't available now. */
export type AskValues = (origin: Origin, signal: AbortSignal) => Promise<readonly FrequentValue[] | null>

export interface SqlEditorProps {
  readonly ref?: Ref<SqlEditorHandle>
  /** Its accessible name: “SQL” by default. */
  readonly label?: string
  /** Whether to wrap long lines, also on wide screens. */
  readonly wraps?: boolean
  /** What its keys do, unless they run statements. */
  readonly hint?: string
  /** The tab's id. Each id is a separate document with its own undo history. */
  readonly documentId: string
  readonly value: string
  readonly onChange: (text: string) => void
  /** For background checks and the dialect; null while there's none: then it's a plain SQL editor. */
  readonly session: EditorSession | null
  readonly schema: Schema
  /** Offers values where a column is compared. */
  readonly values?: AskValues
  readonly onRun: (scope: RunScope) => void
  /** Called for Escape, unless the editor itself has something to close. */
  readonly onCancel: () => void
  /** Problems of the last run, with their positions. Editing at a problem removes it. */
  readonly problems: readonly SqlProblem[]
  /** A problem that is shown elsewhere on the screen: it's marked in the text, but not repeated. */
  readonly said?: string | null
}

export interface SqlEditorHandle {
  focus(): void
  /**
   * Inserts at the cursor, replacing the selection; the cursor is then behind it.
   * @param alone inserted instead if the text is empty
   */
  insert(text: string, alone?: string): void
  /** Replaces the whole text, as one step that can be undone. */
  replace(text: string): void
  /** Formats the selection or the whole text; says why if that fails. */
  format(): void
  /** Empty at the cursor (`from` equals `to`) if nothing is selected. */
  selection(): TextRange
  /** Selects a range, scrolls to it and takes the focus. */
  select(range: TextRange): void
}

/** What to run: the statement under the cursor, the selection, or all statements in order. */
export type RunScope = 'statement' | 'selection' | 'all'

/** The editor's commands for the screen. Without an editor, they do nothing. */
export function createHandle(editor: { readonly view: EditorView; flush(): void } | null): SqlEditorHandle {
  const view = editor?.view ?? null
  return {
    focus: () => view?.focus(),
    insert: (text, alone = text) => {
      if (!view) return
      const { doc } = view.state
      const inserted = doc.length > 0 && doc.toString().trim() !== '' ? text : alone
      view.dispatch({ ...view.state.replaceSelection(inserted), userEvent: 'input.paste', scrollIntoView: true })
      view.focus()
    },
    replace: (text) => {
      if (!view) return
      replaceAll(view, text)
      // At the end of a long line, the short lines around it would be out of view.
      view.scrollDOM.scrollLeft = 0
    },
    format: () => {
      if (view) void formatView(view, NEVER)
    },
    selection: () => {
      // The caller needs the text to which the positions belong.
      editor?.flush()
      const main = view?.state.selection.main
      return { from: main?.from ?? 0, to: main?.to ?? 0 }
    },
    select: ({ from, to }) => {
      if (!view) return
      const length = view.state.doc.length
      view.dispatch({
        selection: { anchor: Math.min(from, length), head: Math.min(to, length) },
        scrollIntoView: true,
      })
      view.focus()
    },
  }
}

/** Replaces the whole text as one step. Keeps what is the same at both ends, with cursor and marks in it. */
export function replaceAll(view: EditorView, text: string): void {
  const old = view.state.doc.toString()
  if (old === text) return
  const most = Math.min(old.length, text.length)
  let from = 0
  while (from < most && old.charCodeAt(from) === text.charCodeAt(from)) from++
  let same = 0
  while (same < most - from && old.charCodeAt(old.length - 1 - same) === text.charCodeAt(text.length - 1 - same)) same++
  view.dispatch({
    changes: { from, to: old.length - same, insert: text.slice(from, text.length - same) },
    userEvent: 'input.replace',
  })
}

/** Formats the selection or the whole text; announces it, or says why not. Does nothing once it's aborted. */
export async function formatView(view: EditorView, signal: AbortSignal): Promise<void> {
  try {
    if (await layOut(view, signal)) announce('Formatted.')
  } catch (error) {
    if (!signal.aborted) toastFailure('Can’t format this', error)
  }
}

/**
 * Keeps the selection at its place in the text.
 * @returns whether anything changed
 * @throws {Error} with a message; then the text is unchanged
 */
async function layOut(view: EditorView, signal: AbortSignal): Promise<boolean> {
  const { doc, selection } = view.state
  const { from, to, anchor, head, empty } = selection.main
  const start = empty ? 0 : from
  const before = doc.sliceString(start, empty ? doc.length : to)
  const { format } = await import('./format/client.ts')
  const after = await format(before, signal)
  if (view.state.doc !== doc) throw new Error('The text was changed meanwhile: nothing was formatted.')
  if (after === before) return false
  const at = (position: number): number => start + placeAfter(before, after, position - start)
  view.dispatch({
    changes: { from: start, to: start + before.length, insert: after },
    selection: empty ? { anchor: at(anchor), head: at(head) } : { anchor: start, head: start + after.length },
    userEvent: 'input.format',
    scrollIntoView: true,
  })
  return true
}
