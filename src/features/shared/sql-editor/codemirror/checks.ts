import type { SqlProblem } from '../../../../engine/client.ts'
import { RecentMap } from '../../../../lib/recent-map.ts'
import type { EditorSession } from '../handle.ts'
import { tokenize, nameOf, sameName, type StatementPlace } from '../../../../lib/duckdb-sql/index.ts'

/** Longer statements are only checked when they run. In characters. */
const LONGEST = 100_000
const KEPT = 500

export interface CheckedStatement extends StatementPlace {
  readonly text: string
}

/** A problem with its position in the document, and its statement. */
interface FoundProblem extends SqlProblem {
  readonly statement: CheckedStatement
}

/** Binds statements without running them. Results are kept until they may have changed. */
export class StatementChecks {
  readonly #known = new RecentMap<string, readonly SqlProblem[]>(KEPT)

  forget(): void {
    this.#known.clear()
  }

  /** A statement that ran may have created what others lacked. */
  forgetProblems(): void {
    this.#known.deleteWhere((problems) => problems.length > 0)
  }

  /** Empty once the signal is aborted. Statements that can't be checked have no problems until they run. */
  async check(
    session: EditorSession,
    statements: readonly CheckedStatement[],
    signal: AbortSignal,
  ): Promise<readonly FoundProblem[]> {
    const found: FoundProblem[] = []
    const made: string[] = []
    for (const statement of statements) {
      const { text, from } = statement
      for (const problem of text.length <= LONGEST ? await this.#problems(session, text, signal) : [])
        if (!namesOneOf(text, problem, made))
          found.push({ ...problem, from: from + problem.from, to: from + problem.to, statement })
      if (signal.aborted) return []
      made.push(...namesMade(text))
    }
    return found
  }

  async #problems(session: EditorSession, text: string, signal: AbortSignal): Promise<readonly SqlProblem[]> {
    const known = this.#known.get(text)
    if (known) return known
    try {
      const problems = await session.check(text, { signal })
      this.#known.set(text, problems)
      return problems
    } catch {
      return []
    }
  }
}

/** Whether an argument is missing at the cursor, as editors close parentheses by themselves: `round(`, `round(1, )`. */
export function lacksArgument(before: string, after: string): boolean {
  return /[(,]\s*$/.test(before) && /^\s*\)/.test(after)
}

/** Names that a statement creates: later statements may use them before they exist. */
function namesMade(text: string): string[] {
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
