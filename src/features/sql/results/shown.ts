import type { RunState, ShownRun } from './types.ts'

/**
 * The rows on the page: of the run, or of the one before it as long as it has none. One that failed before its first row
 * has none.
 */
export function shownRows({ run, earlier }: RunState): ShownRun | null {
  return (
    [run, earlier].find(
      (each) => each?.result && each.result.columns.length > 0 && !(each.error && each.result.rowCount === 0),
    ) ?? null
  )
}
