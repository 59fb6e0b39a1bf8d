import { RangeSetBuilder } from '@codemirror/state'
import { Decoration, ViewPlugin, type DecorationSet, type EditorView, type ViewUpdate } from '@codemirror/view'
import { classify, type TokenClass, tokenize } from '../../../../lib/duckdb-sql/index.ts'
import { editorData } from './data.ts'
import { boundaries } from './statements.ts'

const MARKS = Object.fromEntries(
  [
    'keyword',
    'type',
    'function',
    'string',
    'number',
    'comment',
    'quoted',
    'parameter',
    'operator',
    'constant',
    'open',
  ].map((name) => [name, Decoration.mark({ class: `tok-${name}` })]),
) as Record<TokenClass, Decoration>

/** Colors only what is in view: reading starts at the last known start of a token before it. */
export const highlighting = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = decorate(view)
    }

    update({ docChanged, viewportChanged, view, startState, state }: ViewUpdate): void {
      if (docChanged || viewportChanged || startState.facet(editorData) !== state.facet(editorData))
        this.decorations = decorate(view)
    }
  },
  { decorations: ({ decorations }) => decorations },
)

/** Characters to read beyond the view, since a string or comment may continue there. */
const AHEAD = 1024

function decorate({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  const { anchors } = state.field(boundaries)
  const { words } = state.facet(editorData)
  let done = 0
  for (const { from, to } of visibleRanges) {
    const start = anchors.findLast((at) => at <= from) ?? 0
    const text = state.doc.sliceString(start, to + AHEAD)
    const tokens = tokenize(text)
    for (const [index, name] of classify(text, tokens, words).entries()) {
      const token = tokens[index]
      if (!token || !name || start + token.to <= from || start + token.from < done) continue
      if (start + token.from >= to) break
      const cut = name === 'open' && start + text.length < state.doc.length ? 'string' : name
      builder.add(start + token.from, start + token.to, MARKS[cut])
      done = start + token.to
    }
  }
  return builder.finish()
}
