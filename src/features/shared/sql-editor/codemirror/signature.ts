import { StateEffect, StateField, type EditorState, type Extension, type Transaction } from '@codemirror/state'
import { keymap, showTooltip, type Tooltip } from '@codemirror/view'
import { announce } from '../../../../ui/overlays/announce.tsx'
import { parseSignature, signatureFor, callAt, type Call } from '../../../../lib/duckdb-sql/index.ts'
import { editorData } from './data.ts'
import { signatureInfo } from './info.ts'
import { parsedAt } from './statements.ts'

interface Shown {
  /** Position of the call's name in the document. */
  readonly from: number
  readonly call: Call
}

const toggle = StateEffect.define<boolean>()

/** The signature of the function whose arguments are being written. */
const field = StateField.define<Shown | null>({
  create: () => null,
  update: (value, transaction) => {
    for (const effect of transaction.effects)
      if (effect.is(toggle)) return effect.value ? shownAt(transaction.state) : null
    if (!transaction.docChanged && !transaction.selection) return value
    const opens = opensBy(transaction)
    if (!value && !opens) return null
    const next = shownAt(transaction.state)
    if (!next || opens) return next
    // If the cursor leaves the call for a surrounding one, the signature is hidden.
    return value && next.from === transaction.changes.mapPos(value.from) ? next : null
  },
  provide: (self) =>
    showTooltip.compute([self, editorData], (state): Tooltip | null => {
      const shown = state.field(self)
      return shown && { pos: shown.from, above: true, arrow: false, create: () => ({ dom: content(state, shown) }) }
    }),
})

export const signatureHelp: Extension = [
  field,
  keymap.of([
    {
      key: 'Escape',
      run: (view) => {
        if (!view.state.field(field)) return false
        view.dispatch({ effects: toggle.of(false) })
        return true
      },
    },
    {
      key: 'Mod-Shift-Space',
      run: (view) => {
        view.dispatch({ effects: toggle.of(true) })
        const shown = view.state.field(field)
        if (shown) announce(content(view.state, shown).textContent)
        return shown !== null
      },
    },
  ]),
]

function opensBy(transaction: Transaction): boolean {
  if (!transaction.docChanged || !transaction.isUserEvent('input')) return false
  const { head } = transaction.state.selection.main
  return '(,'.includes(transaction.state.sliceDoc(head - 1, head) || ' ')
}

function shownAt(state: EditorState): Shown | null {
  const { main } = state.selection
  const statement = main.empty ? parsedAt(state, main.head) : null
  const call = statement && callAt(statement.parsed.text, main.head - statement.start, statement.parsed.tokens)
  if (!statement || !call || !state.facet(editorData).words.functionNamed(call.name)) return null
  return { from: statement.start + call.from, call }
}

function content(state: EditorState, { call }: Shown): HTMLElement {
  const known = state.facet(editorData).words.functionNamed(call.name)
  const signatures = (known?.signatures ?? []).map(parseSignature)
  const chosen = signatures[signatureFor(signatures, call.argument)]
  return signatureInfo(
    known?.name ?? call.name,
    chosen ?? { parameters: [], returns: '', variadic: false },
    call.argument,
    Math.max(0, signatures.length - 1),
  )
}
