import { StateField, type EditorState, type Text } from '@codemirror/state'
import {
  parseStatement,
  type Parsed,
  findBoundaries,
  statementAt,
  updateBoundaries,
  type Boundaries,
  type Source,
  type StatementPlace,
} from '../../../../lib/duckdb-sql/index.ts'
import { gutter, GutterMarker } from '@codemirror/view'

export function sourceOf(doc: Text): Source {
  return { length: doc.length, slice: (from, to) => doc.sliceString(from, to) }
}

/** Where the document's statements end. */
export const boundaries = StateField.define<Boundaries>({
  create: ({ doc }) => findBoundaries(sourceOf(doc)),
  update: (value, { docChanged, changes, newDoc }) => {
    if (!docChanged) return value
    let fromA = Number.POSITIVE_INFINITY
    let toA = 0
    let toB = 0
    changes.iterChangedRanges((startA, endA, _, endB) => {
      fromA = Math.min(fromA, startA)
      ;[toA, toB] = [endA, endB]
    })
    return updateBoundaries(value, sourceOf(newDoc), { fromA, toA, toB })
  },
})

/** The statement at the cursor, which "Run" runs. */
export const currentStatement = StateField.define<StatementPlace | null>({
  create: (state) => find(state, state.selection.main.head),
  update: (value, { docChanged, selection, state }) =>
    docChanged || selection ? find(state, state.selection.main.head) : value,
})

function find(state: EditorState, position: number): StatementPlace | null {
  return statementAt(sourceOf(state.doc), state.field(boundaries), position)
}

/** Longer statements aren't parsed for names. In characters. */
const LONGEST = 200_000

/** A parsed statement, and its position in the document. */
interface ParsedStatement {
  readonly parsed: Parsed
  readonly start: number
}

let latest: Parsed | null = null

/** The statement at a position in the document, from the previous semicolon to the next. */
export function parsedAt(state: EditorState, position: number): ParsedStatement | null {
  const { ends } = state.field(boundaries)
  const index = ends.filter((end) => end <= position).length
  const start = ends[index - 1] ?? 0
  const end = index < ends.length ? (ends[index] ?? 0) - 1 : state.doc.length
  if (end - start > LONGEST) return null
  const text = state.doc.sliceString(start, end)
  if (latest?.text !== text) latest = parseStatement(text)
  return { parsed: latest, start }
}

class Marker extends GutterMarker {
  override readonly elementClass = 'cm-currentStatement'
}

const MARKER = new Marker()

/** A bar beside the lines of the statement that "Run" runs. */
export const statementGutter = gutter({
  class: 'cm-statementGutter',
  lineMarker: ({ state }, { from, to }) => {
    const place = state.field(currentStatement)
    return place && from <= place.to && to >= place.from ? MARKER : null
  },
  lineMarkerChange: ({ docChanged, startState, state }) =>
    docChanged || startState.field(currentStatement) !== state.field(currentStatement),
})
