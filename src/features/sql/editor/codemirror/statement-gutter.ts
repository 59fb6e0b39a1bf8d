import { gutter, GutterMarker } from '@codemirror/view'
import { currentStatement } from './statements.ts'

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
