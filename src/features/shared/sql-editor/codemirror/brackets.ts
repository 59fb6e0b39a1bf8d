import { RangeSet } from '@codemirror/state'
import { Decoration, ViewPlugin, type DecorationSet, type EditorView, type ViewUpdate } from '@codemirror/view'
import { parsedAt } from './statements.ts'

const MATCHING = Decoration.mark({ class: 'cm-matchingBracket' })
const ALONE = Decoration.mark({ class: 'cm-nonmatchingBracket' })

/** Marks the bracket at the cursor and its partner; those in strings and comments are none. */
export const bracketMatching = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = decorate(view)
    }

    update({ docChanged, selectionSet, view }: ViewUpdate): void {
      if (docChanged || selectionSet) this.decorations = decorate(view)
    }
  },
  { decorations: ({ decorations }) => decorations },
)

function decorate({ state }: EditorView): DecorationSet {
  const { main } = state.selection
  const statement = main.empty ? parsedAt(state, main.head) : null
  if (!statement) return Decoration.none
  const { parsed, start } = statement
  const { tokens, partners } = parsed
  const cursor = main.head - start
  const opener = tokens.findIndex(({ from, to }, at) => {
    const touches = (place: number | undefined): boolean => place === cursor || place === cursor - 1
    return to - from === 1 && (partners[at] ?? 0) > 0 && (touches(from) || touches(tokens[partners[at] ?? 0]?.from))
  })
  const open = tokens[opener]
  if (!open) return Decoration.none
  const close = tokens[partners[opener] ?? 0]
  const mark = close && isPair(parsed.text.charAt(open.from), parsed.text.charAt(close.from)) ? MATCHING : ALONE
  const places = mark === MATCHING && close ? [open, close] : [open]
  return RangeSet.of(places.map(({ from, to }) => mark.range(start + from, start + to)))
}

function isPair(open: string, close: string): boolean {
  return ['()', '[]', '{}'].includes(open + close)
}
