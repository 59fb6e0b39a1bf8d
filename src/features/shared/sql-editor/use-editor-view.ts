import { historyField } from '@codemirror/commands'
import { forEachDiagnostic, setDiagnosticsEffect } from '@codemirror/lint'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { RecentMap } from '../../../lib/recent-map.ts'
import { useNarrow } from '../../../ui/hooks/use-media.ts'
import { type SqlEditorProps, formatView, replaceAll } from './handle.ts'
import { editorData, type EditorData } from './codemirror/data.ts'
import { setup } from './codemirror/setup.ts'
import type { ListedProblem } from './ProblemBar.tsx'

/** Milliseconds without typing before the text is reported, so that rendering the screen doesn't slow down typing. */
const SOON = 150
/** In longer texts the pause is longer, since creating the string takes long. */
const LONG = 50_000
const PAUSE = 300

/** Creates the editor's view once, and updates it. */
export function useEditorView(
  host: RefObject<HTMLDivElement | null>,
  hint: string,
  props: SqlEditorProps,
  data: EditorData,
): { readonly documents: Documents | null; readonly listed: readonly ListedProblem[] } {
  const [documents, setDocuments] = useState<Documents | null>(null)
  const [listed, setListed] = useState<readonly ListedProblem[]>(NO_PROBLEMS)
  const isNarrow = useNarrow()
  const narrow = isNarrow || props.wraps === true
  const { documentId, value } = props
  const latest = useRef({ props, data, narrow })
  useLayoutEffect(() => {
    latest.current = { props, data, narrow }
  })
  useEffect(() => {
    if (!host.current) return undefined
    const made = new Documents(host.current, hint, () => latest.current, setListed)
    setDocuments(made)
    return () => {
      made.destroy()
      setDocuments(null)
    }
  }, [host, hint])
  useEffect(() => documents?.show(documentId, value), [documents, documentId, value])
  useEffect(() => documents?.reconfigure(data, narrow), [documents, data, narrow])
  return { documents, listed }
}

/** Always the same array, so that keys that don't change problems render nothing. */
const NO_PROBLEMS: readonly ListedProblem[] = []

interface KeptState {
  readonly doc: string
}

const FIELDS = { history: historyField }
const KEPT = 50
const KEPT_LENGTH = 200_000
const kept = new RecentMap<string, KeptState>(KEPT)

interface Latest {
  readonly props: SqlEditorProps
  readonly data: EditorData
  readonly narrow: boolean
}

/** A view that shows one of several documents. */
class Documents {
  readonly view: EditorView
  readonly #latest: () => Latest
  readonly #extensions: Extension
  readonly #changing = new Compartment()
  #id: string
  /** The last text reported, or set from outside: it comes back as the value. */
  #given: string
  #owner: (text: string) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #abort = new AbortController()

  constructor(
    parent: HTMLElement,
    hint: string,
    latest: () => Latest,
    list: (problems: readonly ListedProblem[]) => void,
  ) {
    this.#latest = latest
    const { documentId, value } = latest().props
    this.#id = documentId
    this.#given = value
    this.#owner = latest().props.onChange
    this.#extensions = [
      setup({
        run: (scope) => {
          // Rendered at once, so that the caller's handler has the text that it's to run.
          flushSync(() => void this.flush())
          latest().props.onRun(scope)
        },
        cancel: () => latest().props.onCancel(),
        format: () => void formatView(this.view, this.#abort.signal),
      }),
      EditorView.contentAttributes.of({
        'aria-label': latest().props.label ?? 'SQL',
        // It's focusable anyway, but some tools don't recognize that.
        tabindex: '0',
        'aria-multiline': 'true',
        'aria-describedby': hint,
        'aria-keyshortcuts': 'Control+Enter',
      }),
      EditorView.updateListener.of(({ docChanged, transactions, state, startState }) => {
        if (docChanged) this.#changed()
        const marked = transactions.some(({ effects }) => effects.some((effect) => effect.is(setDiagnosticsEffect)))
        if (marked || (docChanged && state !== startState)) list(listProblems(state))
      }),
      EditorView.domEventHandlers({ blur: () => void this.flush() }),
    ]
    this.view = new EditorView({ parent, state: this.#create(value) })
    addEventListener('pagehide', () => this.flush(), { signal: this.#abort.signal })
  }

  /** Shows another document, or the same one after a change from outside. */
  show(id: string, value: string): void {
    if (id !== this.#id) {
      this.flush()
      this.#keep()
      this.#id = id
      this.#given = value
      this.view.setState(this.#create(value))
      return
    }
    // Unreported typing here is later than what another window typed.
    if (value === this.#given || this.flush()) return
    this.#given = value
    replaceAll(this.view, value)
  }

  reconfigure(data: EditorData, narrow: boolean): void {
    this.view.dispatch({ effects: this.#changing.reconfigure(changeable(data, narrow)) })
  }

  destroy(): void {
    this.flush()
    this.#keep()
    this.#abort.abort()
    this.view.destroy()
  }

  /** Keeps a document's undo history and cursor until it's shown again. */
  #keep(): void {
    const { state } = this.view
    if (state.doc.length > KEPT_LENGTH) return
    kept.set(this.#id, state.toJSON(FIELDS) as KeptState)
  }

  #create(doc: string): EditorState {
    const { data, narrow } = this.#latest()
    const extensions = [this.#extensions, this.#changing.of(changeable(data, narrow))]
    const before = kept.get(this.#id)
    return before?.doc === doc
      ? EditorState.fromJSON(before, { extensions }, FIELDS)
      : EditorState.create({ doc, extensions })
  }

  #changed(): void {
    // Another document may be shown by the time the text is reported, so remember this one's owner.
    this.#owner = this.#latest().props.onChange
    const long = this.view.state.doc.length > LONG
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.flush(), long ? PAUSE : SOON)
  }

  /**
   * Reports the text if the owner has another one.
   * @returns whether it did
   */
  flush(): boolean {
    if (this.#timer === undefined) return false
    clearTimeout(this.#timer)
    this.#timer = undefined
    const text = this.view.state.doc.toString()
    if (text === this.#given) return false
    this.#given = text
    this.#owner(text)
    return true
  }
}

function changeable(data: EditorData, narrow: boolean): Extension {
  return [editorData.of(data), narrow ? EditorView.lineWrapping : []]
}

function listProblems(state: EditorState): readonly ListedProblem[] {
  const problems: ListedProblem[] = []
  forEachDiagnostic(state, ({ message, actions }, from, to) => {
    problems.push({ from, to, message, actions: actions ?? [], line: state.doc.lineAt(from).number })
  })
  return problems.length > 0 ? problems : NO_PROBLEMS
}
