import type { EditorView } from '@codemirror/view'
import { announce } from '../../../ui/overlays/announce.tsx'
import { NEVER } from '../../../lib/abort.ts'
import { toastFailure } from '../../../ui/overlays/toasts.ts'
import { placeAfter } from './format/format.ts'
import type { SqlProblem, SqlSession, TextRange } from '../../../engine/client.ts'
import type { Ref } from 'react'
import type { Origin, Schema } from '../../../lib/duckdb-sql/index.ts'

/** What the editor asks of a session. */
export type EditorSession = Pick<SqlSession, 'check' | 'describe' | 'dialect'>

/** A value of a column, as text, and how often it's there. */
export interface FrequentValue {
  readonly text: string
  readonly count: number
  /** Whether only the first rows were counted: more may have it. */
  readonly partial?: boolean
}

/** Asks for a column's most frequent values; null when they can't be had now. */
export type AskValues = (origin: Origin, signal: AbortSignal) => Promise<readonly FrequentValue[] | null>

export interface SqlEditorProps {
  readonly ref?: Ref<SqlEditorHandle>
  /** What it's called, for assistive technology: “SQL” by default. */
  readonly label?: string
  /** Whether lines that are too long go on below, on wide screens too. */
  readonly wraps?: boolean
  /** What its keys do, where they do something else than run statements. */
  readonly hint?: string
  /** The tab: another id is another document, with an undo history of its own. */
  readonly documentId: string
  readonly value: string
  readonly onChange: (text: string) => void
  /** For checks in the background and the dialect; null while there's none: then it's a plain SQL editor. */
  readonly session: EditorSession | null
  readonly schema: Schema
  /** Offers values where a column is compared with one. */
  readonly values?: AskValues
  readonly onRun: (scope: RunScope) => void
  /** Esc, when the editor has nothing of its own to close. */
  readonly onCancel: () => void
  /** Of the last run, where they are in the text. They're gone with the next change of that place. */
  readonly problems: readonly SqlProblem[]
  /** What of them stands elsewhere on the screen: it's marked in the text, and not said again. */
  readonly said?: string | null
}

export interface SqlEditorHandle {
  focus(): void
  /**
   * At the cursor, in place of what is selected; the cursor comes after it.
   * @param alone in its place where there's no other text
   */
  insert(text: string, alone?: string): void
  /** The whole text, as one step that can be undone. */
  replace(text: string): void
  /** Lays out what is selected, else the whole text; says why where that can't be. */
  format(): void
  /** Empty (`from` is `to`): the cursor is there. */
  selection(): TextRange
  /** Selects that part, scrolls to it and takes the focus. */
  select(range: TextRange): void
}

/** What of the text is run: the statement under the cursor, what is selected, or all statements one after the other. */
export type RunScope = 'statement' | 'selection' | 'all'

/** What the screen can ask of an editor; before it's there, and after it's gone, it does nothing. */
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
      // Scrolled to the end of a long line, short ones around it would look empty.
      view.scrollDOM.scrollLeft = 0
    },
    format: () => {
      if (view) void formatView(view, NEVER)
    },
    selection: () => {
      // Whoever asks for a place has to have the text that it's in.
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

/** The whole text as one step; what is the same at both ends stays, and so do cursor and marks there. */
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

/** Lays out what is selected, else the whole text; says so, or why it can't. Nothing more once it's aborted. */
export async function formatView(view: EditorView, signal: AbortSignal): Promise<void> {
  try {
    if (await layOut(view, signal)) announce('Formatted.')
  } catch (error) {
    if (!signal.aborted) toastFailure('Can’t format this', error)
  }
}

/**
 * Keeps the selection where it was in the text.
 * @returns whether that changed anything
 * @throws {Error} in words; the text is as it was
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
