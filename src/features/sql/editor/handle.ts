import type { EditorView } from '@codemirror/view'
import { announce } from '../../../ui/announce.ts'
import type { SqlEditorHandle } from '../parts.ts'
import { placeAfter } from './format/format.ts'

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
      if (view) replaceAll(view, text)
    },
    format: async () => {
      if (view && (await formatView(view, new AbortController().signal))) announce('Formatted.')
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

/**
 * Lays out what is selected, else the whole text, and keeps the selection where it was in it.
 *
 * @returns whether that changed anything
 * @throws {Error} in words; the text is as it was
 */
export async function formatView(view: EditorView, signal: AbortSignal): Promise<boolean> {
  const { doc, selection } = view.state
  const { from, to, anchor, head, empty } = selection.main
  const start = empty ? 0 : from
  const before = doc.sliceString(start, empty ? doc.length : to)
  const { format } = await import('./format/client.ts')
  const after = await format(before, signal)
  if (view.state.doc !== doc) throw new Error('The text was changed meanwhile: nothing was laid out.')
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
