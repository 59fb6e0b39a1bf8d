import type { Note } from '../../tables/plan.ts'
import { EngineError } from '../errors.ts'
import type { ReadRequest } from '../formats/types.ts'

/* Blank cells that are filled with the value above. */

/** @throws {EngineError} `invalid-plan` if the format has no blank cells */
export function checkFilling({ settings }: Pick<ReadRequest, 'settings'>): void {
  if (settings.kind === 'csv' || settings.kind === 'xlsx') return
  throw new EngineError(
    'invalid-plan',
    'Blanks can be filled with the value above in text tables and workbooks only.',
    {
      remedy: 'Take “fillDown” out of the recipe.',
    },
  )
}

/** Counts filled cells by the column’s name. */
export class FilledCounts {
  private readonly counts = new Map<string, number>()

  add(columns: readonly { readonly name: string }[], filled: readonly number[]): void {
    for (const [i, count] of filled.entries()) this.addTo(columns[i].name, count)
  }

  /** Adds other counts. */
  and(others: FilledCounts | null): this {
    for (const [name, count] of others?.counts ?? []) this.addTo(name, count)
    return this
  }

  get notes(): Note[] {
    const message = 'Blank cells were filled with the value above.'
    return [...this.counts].map(([column, count]) => ({ code: 'filled-down', message, column, count }))
  }

  private addTo(name: string, count: number): void {
    if (count > 0) this.counts.set(name, (this.counts.get(name) ?? 0) + count)
  }
}
