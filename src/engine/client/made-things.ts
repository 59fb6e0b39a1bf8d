import { foldName } from '../../lib/names.ts'
import { EngineError } from '../errors.ts'
import type { MadeBy } from '../sql/session-types.ts'
import type { LostThings } from './types.ts'

/** What a session's statements have created in its worker, and what was lost with a worker. */
export class MadeThings {
  private names: readonly string[] = []
  private statements: readonly MadeBy[] = []
  private gone: LostThings | null = null
  /** Whether the person has set a seed for random numbers. */
  isSeeded = false
  /** Whether a transaction is open, whose statements aren't recorded yet. */
  inTransaction = false

  /** Whether nothing would be lost with the worker. */
  get isNothing(): boolean {
    return this.statements.length === 0 && !this.isSeeded
  }

  get lost(): LostThings | null {
    return this.gone
  }

  /** @param names of all current tables and views; null if the worker couldn't list them */
  add(made: readonly MadeBy[], names: readonly string[] | null): void {
    this.names = names ?? this.names
    const all = [...this.statements, ...made]
    // Without tables, nothing is left of statements about them.
    this.statements = names?.length !== 0 ? all : all.filter(({ kind }) => !OF_TABLES.has(kind))
    for (const each of made) this.isThereAgain(each)
  }

  /** What would be lost with the worker, including what is already lost. */
  get atStake(): LostThings | null {
    if (this.statements.length === 0 && !this.inTransaction) return this.gone
    return {
      names: [...new Set([...(this.gone?.names ?? []), ...this.names])],
      statements: [...(this.gone?.statements ?? []), ...this.statements],
      transaction: this.inTransaction || (this.gone?.transaction ?? false),
    }
  }

  /** Takes over what another session lost when it ended. */
  inherit(gone: LostThings): void {
    this.gone = gone
  }

  /** To be called when the worker is gone. */
  lose(): void {
    this.gone = this.atStake
    this.names = []
    this.statements = []
    this.isSeeded = false
    this.inTransaction = false
  }

  forgetLost(): void {
    this.gone = null
  }

  /** Says in an error about an unknown table why it's gone, if it existed before. */
  explained(error: unknown): unknown {
    if (!(error instanceof EngineError) || error.code !== 'unknown-table') return error
    const { details } = error
    const { table } = details as { readonly table: string }
    const folded = foldName(table.replaceAll('"', ''))
    if (!this.gone?.names.some((name) => foldName(name) === folded)) return error
    const since = this.gone?.left ? 'the page was left or the tab closed' : 'the engine has stopped'
    const message = `The temporary table ${table} is gone: ${since} since you created it.`
    return new EngineError('unknown-table', message, { remedy: 'Create it again.', details, cause: error })
  }

  private isThereAgain(made: MadeBy): void {
    const { statements = [] } = this.gone ?? {}
    const written = JSON.stringify(made)
    const at = statements.findIndex((each) => JSON.stringify(each) === written)
    if (!this.gone || at < 0) return
    const rest = statements.filter((_, i) => i !== at)
    const names = this.gone.names.filter((name) => !this.names.includes(name))
    this.gone = rest.length > 0 ? { ...this.gone, names, statements: rest } : null
  }
}

const OF_TABLES: ReadonlySet<MadeBy['kind']> = new Set(['table', 'view', 'index'])
