import { completionStatus } from '@codemirror/autocomplete'
import { diagnosticCount, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { StateEffect, StateField, type Extension } from '@codemirror/state'
import { ViewPlugin, type EditorView, type ViewUpdate } from '@codemirror/view'
import type { SqlProblem } from '../../../../engine/client.ts'
import { statementsIn, type StatementPlace } from '../../../../lib/duckdb-sql/index.ts'
import { lacksArgument, StatementChecks } from './checks.ts'
import { editorData } from './data.ts'
import { boundaries, sourceOf } from './statements.ts'

const REST = 400
/** In texts with more statements, they're only checked when they run. */
const MOST = 60

/** Errors of the last run, with their positions. */
export const setRunProblems = StateEffect.define<readonly SqlProblem[]>()

const runProblems = StateField.define<readonly SqlProblem[]>({
  create: () => [],
  update: (value, { effects, docChanged, changes }) => {
    for (const effect of effects) if (effect.is(setRunProblems)) return effect.value
    if (!docChanged || value.length === 0) return value
    // A changed place may have been fixed.
    return value.flatMap((problem) =>
      changes.touchesRange(problem.from, problem.to)
        ? []
        : { ...problem, from: changes.mapPos(problem.from, 1), to: changes.mapPos(problem.to, -1) },
    )
  },
})

/** Checks statements in the background after typing pauses, and marks problems. */
class Checker {
  readonly #view: EditorView
  #timer: ReturnType<typeof setTimeout> | undefined
  #abort = new AbortController()
  #postponed = 0
  readonly #checks = new StatementChecks()

  constructor(view: EditorView) {
    this.#view = view
    this.#later()
  }

  update({ docChanged, startState, state, viewportChanged, transactions, focusChanged }: ViewUpdate): void {
    const before = startState.facet(editorData)
    const after = state.facet(editorData)
    const isNew = before.session !== after.session || before.catalog !== after.catalog
    if (isNew) this.#checks.forget()
    const ran = transactions.some(({ effects }) => effects.some((effect) => effect.is(setRunProblems)))
    // A run may have created tables that later statements use.
    if (ran) this.#checks.forgetProblems()
    if (docChanged || isNew || ran || viewportChanged || focusChanged) this.#later(ran ? 0 : REST)
  }

  destroy(): void {
    clearTimeout(this.#timer)
    this.#abort.abort()
  }

  #later(milliseconds = REST): void {
    clearTimeout(this.#timer)
    this.#abort.abort()
    this.#timer = setTimeout(() => void this.#check(), milliseconds)
  }

  async #check(): Promise<void> {
    const { state } = this.#view
    // While a name is being chosen, the statement is incomplete. But checking isn't postponed forever, since a list may
    // stay open.
    if (completionStatus(state) === 'active' && this.#postponed < 4) {
      this.#later()
      this.#postponed++
      return
    }
    this.#postponed = 0
    const { signal } = (this.#abort = new AbortController())
    const { session } = state.facet(editorData)
    const source = sourceOf(state.doc)
    const { from, to } = this.#view.viewport
    const places = statementsIn(source, state.field(boundaries), from, to).slice(0, MOST)
    const found: SqlProblem[] = [...state.field(runProblems)]
    if (found.length > 0) this.#show(found)
    const statements = places.map((place) => ({ ...place, text: source.slice(place.from, place.to) }))
    const problems = session ? await this.#checks.check(session, statements, signal) : []
    if (signal.aborted) return
    for (const problem of problems) {
      const isKnown = found.some((other) => other.from === problem.from || other.message === problem.message)
      if (!isKnown && !this.#unfinished(problem.statement, problem)) found.push(problem)
    }
    this.#show(found)
  }

  /** Whether something is missing where the person is still typing. */
  #unfinished({ from, to }: StatementPlace, { message }: SqlProblem): boolean {
    const { state, hasFocus } = this.#view
    const { head } = state.selection.main
    if (!hasFocus) return false
    const line = state.doc.lineAt(head)
    if (from <= head && head <= to && lacksArgument(state.sliceDoc(line.from, head), state.sliceDoc(head, line.to)))
      return true
    return /at end of input/i.test(message) && head >= to && state.doc.lineAt(to).to >= head
  }

  #show(found: readonly SqlProblem[]): void {
    const { state } = this.#view
    if (found.length === 0 && diagnosticCount(state) === 0) return
    const diagnostics = found.map((problem) => toDiagnostic(problem, state.doc.length))
    this.#view.dispatch(setDiagnostics(state, diagnostics))
  }
}

export const problemMarks: Extension = [runProblems, ViewPlugin.fromClass(Checker)]

/** A problem in sentences. Names that may be meant have buttons. */
function problemText({ message, remedy, suggestions }: SqlProblem): string {
  return remedy === undefined || suggestions.length > 0 ? message : `${message} ${remedy}`
}

function toDiagnostic(problem: SqlProblem, length: number): Diagnostic {
  const { from, to, suggestions } = problem
  const start = Math.max(0, Math.min(from, length))
  return {
    from: start,
    to: Math.max(start, Math.min(to, length)),
    severity: 'error',
    message: problemText(problem),
    actions: suggestions.slice(0, 5).map((name) => ({
      name: `Use ${name}`,
      apply: (view, at, end) =>
        view.dispatch({ changes: { from: at, to: end, insert: name }, userEvent: 'input.fix', scrollIntoView: true }),
    })),
  }
}
