import { setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { StateEffect, StateField, type Extension } from '@codemirror/state'
import { ViewPlugin, type EditorView, type ViewUpdate } from '@codemirror/view'
import type { SqlProblem, SqlSession } from '../../../../engine/client.ts'
import { tokenize } from '../language/lexer.ts'
import { nameOf, sameName } from '../language/names.ts'
import { statementsIn, type StatementPlace } from '../language/statements.ts'
import { editorData } from './data.ts'
import { boundaries, sourceOf } from './statements.ts'

const REST = 400
/** More statements than that, and longer ones, are checked when they're run. */
const MOST = 60
const LONGEST = 100_000
const KEPT = 500

/** What the last run said is wrong, where it is. */
export const setRunProblems = StateEffect.define<readonly SqlProblem[]>()

const runProblems = StateField.define<readonly SqlProblem[]>({
  create: () => [],
  update: (value, { effects, docChanged, changes }) => {
    for (const effect of effects) if (effect.is(setRunProblems)) return effect.value
    if (!docChanged || value.length === 0) return value
    // A place that was changed may have been put right.
    return value.flatMap((problem) =>
      changes.touchesRange(problem.from, problem.to)
        ? []
        : { ...problem, from: changes.mapPos(problem.from, 1), to: changes.mapPos(problem.to, -1) },
    )
  },
})

/** Has statements checked in the background, some time after the last key, and marks what is wrong. */
class Checker {
  readonly #view: EditorView
  #timer: ReturnType<typeof setTimeout> | undefined
  #abort = new AbortController()
  #known = new Map<string, readonly SqlProblem[]>()

  constructor(view: EditorView) {
    this.#view = view
    this.#later()
  }

  update({ docChanged, startState, state, viewportChanged, transactions, focusChanged }: ViewUpdate): void {
    const before = startState.facet(editorData)
    const after = state.facet(editorData)
    const isNew = before.session !== after.session || before.catalog !== after.catalog
    if (isNew) this.#known = new Map()
    const ran = transactions.some(({ effects }) => effects.some((effect) => effect.is(setRunProblems)))
    // A run may have made tables that statements after it name.
    if (ran) this.#known = new Map([...this.#known].filter(([, problems]) => problems.length === 0))
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
    const { signal } = (this.#abort = new AbortController())
    const { state } = this.#view
    const { session } = state.facet(editorData)
    const source = sourceOf(state.doc)
    const { from, to } = this.#view.viewport
    const places = statementsIn(source, state.field(boundaries), from, to).slice(0, MOST)
    const made: string[] = []
    const found: SqlProblem[] = [...state.field(runProblems)]
    this.#show(found, places)
    for (const place of places) {
      const text = source.slice(place.from, place.to)
      const problems = session && text.length <= LONGEST ? await this.#problems(session, text, signal) : []
      if (signal.aborted) return
      for (const problem of problems) {
        const at = { ...problem, from: place.from + problem.from, to: place.from + problem.to }
        const told = found.some((other) => other.from === at.from || other.message === at.message)
        if (!told && !namesOneOf(text, problem, made) && !this.#unfinished(place, problem)) found.push(at)
      }
      made.push(...namesMade(text))
    }
    this.#show(found)
  }

  /** Whether the person is still writing at the end that something is missing at. */
  #unfinished({ to }: StatementPlace, { message }: SqlProblem): boolean {
    const { state, hasFocus } = this.#view
    const { head } = state.selection.main
    return hasFocus && /at end of input/i.test(message) && head >= to && state.doc.lineAt(to).to >= head
  }

  /** Marks problems; where statements are still to be checked, those marks that they have stay until then. */
  #show(found: readonly SqlProblem[], unchecked: readonly StatementPlace[] = []): void {
    if (unchecked.length > 0 && found.length === 0) return
    this.#view.dispatch(
      setDiagnostics(
        this.#view.state,
        found.map((problem) => toDiagnostic(problem, this.#view.state.doc.length)),
      ),
    )
  }

  async #problems(session: SqlSession, text: string, signal: AbortSignal): Promise<readonly SqlProblem[]> {
    const known = this.#known.get(text)
    if (known) return known
    try {
      const problems = await session.check(text, { signal })
      this.#known.set(text, problems)
      const [oldest] = this.#known.keys()
      if (this.#known.size > KEPT && oldest !== undefined) this.#known.delete(oldest)
      return problems
    } catch {
      // Checks are a courtesy: what fails here is told when it's run.
      return []
    }
  }
}

export const problemMarks: Extension = [runProblems, ViewPlugin.fromClass(Checker)]

function toDiagnostic({ from, to, message, suggestions }: SqlProblem, length: number): Diagnostic {
  const start = Math.max(0, Math.min(from, length))
  return {
    from: start,
    to: Math.max(start, Math.min(to, length)),
    severity: 'error',
    message,
    actions: suggestions.slice(0, 5).map((name) => ({
      name: `Use ${name}`,
      apply: (view, at, end) =>
        view.dispatch({ changes: { from: at, to: end, insert: name }, userEvent: 'input.fix', scrollIntoView: true }),
    })),
  }
}

/** The tables that a statement makes: those after it may name them before they're there. */
export function namesMade(text: string): string[] {
  const tokens = tokenize(text.slice(0, 2000)).filter(({ kind }) => kind !== 'comment')
  const words = tokens.map((token) => nameOf(text, token))
  if (!/^create$/i.test(words[0] ?? '')) return []
  const at = words.findIndex((word, index) => index < 6 && /^(?:table|view|macro|function|type)$/i.test(word))
  if (at === -1) return []
  const name = /^if$/i.test(words[at + 1] ?? '') ? at + 4 : at + 1
  return words.slice(name, name + 1)
}

function namesOneOf(text: string, { from, to, message }: SqlProblem, names: readonly string[]): boolean {
  const marked = text.slice(from, to).replace(/^"|"$/g, '')
  return names.some((name) => sameName(name, marked) || message.toLowerCase().includes(` ${name.toLowerCase()} `))
}
