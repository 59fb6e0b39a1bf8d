import type { ConvertResult } from '../../../engine/convert/protocol.ts'
import { failedChecks, whyHeld } from '../../../tables/outputs.ts'
import type { Inspection } from '../../../tables/plan.ts'
import { recipeFinder, type FileRecipe } from '../../../tables/recipes/recipe.ts'
import { signatureOf } from '../../../tables/recipes/signature.ts'
import { Failed } from '../io.ts'
import { checkLines, rejectedLines } from '../words.ts'
import type { Settings } from './settings.ts'

/** Something that a person has to agree to first. */
export class Held extends Failed {
  readonly lines: readonly string[]
  readonly result: ConvertResult | null

  constructor(message: string, remedy: string, lines: readonly string[], result: ConvertResult | null = null) {
    super('held', message, remedy)
    this.lines = lines
    this.result = result
  }
}

export const ACCEPT_COLUMNS = 'To accept that, add --accept-other-columns.'
const REMEDY_SHEETS = 'Apply the recipe in the app and save it again, or rename the sheets.'

/** @throws {Held} if the recipe was made for other columns or sheets */
export function refuseOtherColumns(recipe: FileRecipe, inspection: Inspection): void {
  const match = recipeFinder([recipe])(signatureOf(inspection))
  if (!match) {
    throw new Held('Its tables or columns differ from those that the recipe was made for.', ACCEPT_COLUMNS, [])
  }
  const { missing, added, sheets } = match
  if (sheets.length > 0) {
    const lines = sheets.map(
      ({ known, choices }) => `  “${known}” may be ${choices.map((name) => `“${name}”`).join(' or ')}`,
    )
    throw new Held('Its sheets have other names than those that the recipe was made for.', REMEDY_SHEETS, lines)
  }
  if (missing.length + added.length === 0) return
  const list = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ')
  throw new Held('Its columns differ from those that the recipe was made for.', ACCEPT_COLUMNS, [
    ...(missing.length > 0 ? [`  not in the file: ${list(missing)}`] : []),
    ...(added.length > 0 ? [`  not in the recipe: ${list(added)}`] : []),
  ])
}

/** @throws {Held} if there are rejected rows or failed checks that weren't accepted */
export function refuseHeld(result: ConvertResult, accepts: Settings['accepts']): void {
  const failed = accepts.checks ? [] : failedChecks(result)
  const count = accepts.rows ? 0 : result.rejectedCount
  if (failed.length === 0 && count === 0) return
  const flags = [...(count > 0 ? ['--accept-rejected'] : []), ...(failed.length > 0 ? ['--accept-failed-checks'] : [])]
  const remedy = `Nothing was made. Fix the file, or accept this with ${flags.join(' and ')}.`
  const lines = [...(count > 0 ? rejectedLines(result.rejected, count) : []), ...checkLines(failed)]
  const why = whyHeld({ outputs: accepts.checks ? [] : result.outputs, rejectedCount: count })
  throw new Held(
    `${why.replace(' and isn’t in the file', '').replace(' and aren’t in the file', '')}.`,
    remedy,
    lines,
    result,
  )
}
