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

/** Adds to the notes how many cells were filled in each column. */
export function addFilled(
  notes: Note[],
  columns: readonly { readonly name: string }[],
  filled: readonly number[],
): void {
  const message = 'Blank cells were filled with the value above.'
  for (const [i, added] of filled.entries()) {
    if (added === 0) continue
    const column = columns[i].name
    const at = notes.findIndex((note) => note.column === column)
    const { count = 0 } = notes[at] ?? {}
    notes.splice(at < 0 ? notes.length : at, 1, { code: 'filled-down', message, column, count: count + added })
  }
}
