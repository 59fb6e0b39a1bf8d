import { refusalOf } from '../storage/database.ts'
import { startOf } from './problems/errors.ts'
import { zoneNames, zoneRepairs } from './functions/zones/edits.ts'
import type { Edit } from './parameters.ts'
import type { Written } from './problems/problems.ts'
import { RecentMap } from './recent-map.ts'

/** How often a statement is changed by what the engine said of it: more sums over times with a zone than that has none. */
const MOST = 100

/** A statement was refused, and can be tried once more, changed. */
class Repairable extends Error {
  readonly edits: readonly Edit[]
  readonly failure: unknown

  constructor(edits: readonly Edit[], failure: unknown) {
    super('The statement can be changed so that it runs.')
    this.edits = edits
    this.failure = failure
  }
}

/**
 * What is to be thrown where the engine refused a statement while it was bound: in `Repairs.using` it's tried once more
 * where it can be.
 * @param before bytes that the engine was given before the statement
 * @param failure to be thrown where it can't
 */
export function repairable(cause: unknown, written: Written, before: number, failure: unknown): unknown {
  const edits = editsFor(cause, written, before)
  return edits.length > 0 ? new Repairable(edits, failure) : failure
}

function editsFor(cause: unknown, { statement }: Written, before: number): readonly Edit[] {
  const refusal = refusalOf(cause)
  return refusal ? zoneRepairs(statement, refusal, startOf(refusal, { statement, before })) : []
}

/** Statements that the engine refuses because of times with a zone, and what becomes of them: only it knows where there are any. */
export class Repairs {
  private readonly made = new RecentMap<readonly (readonly Edit[])[]>()
  private readonly edit: (written: Written, edits: readonly Edit[]) => Written

  /** @param edit makes changes to a statement */
  constructor(edit: (written: Written, edits: readonly Edit[]) => Written) {
    this.edit = edit
  }

  clear(): void {
    this.made.clear()
  }

  /**
   * Does something with a statement, and with what becomes of it where the engine refuses it.
   * @param transaction an error would end it: there, nothing is tried, and all is changed that may have to be
   */
  using<T>(
    given: Written,
    transaction: boolean,
    use: (written: Written) => T,
  ): { readonly value: T; readonly written: Written } {
    const key = given.unrepaired ?? given.toEngine(given.statement.text)
    const known = this.made.get(key) ?? []
    const isRepaired = given.unrepaired !== undefined
    const first = isRepaired ? [] : transaction ? [zoneNames(given.statement)] : known
    const made = [...(isRepaired ? known : first)]
    let written = first.reduce<Written>((sum, edits) => this.edit(sum, edits), { ...given, unrepaired: key })
    for (;;) {
      try {
        return { value: use(written), written }
      } catch (error) {
        if (!(error instanceof Repairable)) throw error
        if (made.length >= MOST || !given.naming) throw error.failure
        made.push(error.edits)
        written = this.edit(written, error.edits)
        this.made.set(key, [...made])
      }
    }
  }

  /**
   * What a statement becomes that was let through, but failed at its beginning, as casts of times with a zone do; null
   * when it can't be told otherwise.
   * @param before bytes that the engine was given before the statement
   */
  afterRun(written: Written, cause: unknown, before: number): Written | null {
    const edits = editsFor(cause, written, before)
    if (edits.length === 0) return null
    const key = written.unrepaired ?? ''
    this.made.set(key, [...(this.made.get(key) ?? []), edits])
    return this.edit(written, edits)
  }
}
