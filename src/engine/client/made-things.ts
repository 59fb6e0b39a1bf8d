import { foldName } from '../../lib/names.ts'
import { EngineError } from '../errors.ts'
import type { MadeBy } from '../sql/session-types.ts'
import type { LostThings } from './types.ts'

/** What a session's statements have made in its worker, and what went with a worker. */
export class MadeThings {
  private names: readonly string[] = []
  private statements: readonly MadeBy[] = []
  private gone: LostThings | null = null
  /** Random numbers follow from a seed that the person chose. */
  isSeeded = false
  /** A transaction is open, whose statements aren't among those that made something yet. */
  inTransaction = false

  /** Nothing would go with the worker. */
  get isNothing(): boolean {
    return this.statements.length === 0 && !this.isSeeded
  }

  get lost(): LostThings | null {
    return this.gone
  }

  /** @param names of all tables and views that there are now; null where the worker couldn't tell */
  add(made: readonly MadeBy[], names: readonly string[] | null): void {
    this.names = names ?? this.names
    const all = [...this.statements, ...made]
    // What was made of tables went with the last of them.
    this.statements = names?.length !== 0 ? all : all.filter(({ kind }) => !OF_TABLES.has(kind))
    for (const each of made) this.isThereAgain(each)
  }

  /** What would be gone without the worker, with what is gone already. */
  get atStake(): LostThings | null {
    if (this.statements.length === 0 && !this.inTransaction) return this.gone
    return {
      names: [...new Set([...(this.gone?.names ?? []), ...this.names])],
      statements: [...(this.gone?.statements ?? []), ...this.statements],
      transaction: this.inTransaction || (this.gone?.transaction ?? false),
    }
  }

  /** Another session had that, and has ended. */
  inherit(gone: LostThings): void {
    this.gone = gone
  }

  /** The worker is gone. */
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

  /** An error about a table that was there before, in those words. */
  explained(error: unknown): unknown {
    if (!(error instanceof EngineError) || error.code !== 'unknown-table') return error
    const { details } = error
    const { table } = details as { readonly table: string }
    const folded = foldName(table.replaceAll('"', ''))
    if (!this.gone?.names.some((name) => foldName(name) === folded)) return error
    const since = this.gone?.left ? 'the page was left or the tab closed' : 'the engine has stopped'
    const message = `The temporary table ${table} is gone: ${since} since it was made.`
    return new EngineError('unknown-table', message, { remedy: 'Make it again.', details, cause: error })
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
