import path from 'node:path'
import { applyEdits, NO_EDITS } from '../../../tables/edits.ts'
import type { ImportPlan } from '../../../tables/plan.ts'
import type { FileRecipe } from '../../../tables/recipes/recipe.ts'
import { convert, type Source } from '../../engine/engine.ts'
import { UsageError } from '../io.ts'
import { look, sourceOf, type Named } from '../reading.ts'
import { refuseOtherColumns } from './held.ts'
import { outcomeOf, type Context, type Outcome, type Work } from './make.ts'
import type { EachSettings, Settings } from './settings.ts'
import { stemOf } from '../../../tables/file-names.ts'
import type { InspectRequest } from '../../../tables/inspect-request.ts'

/** Converts files separately. */
export async function convertEach(
  files: readonly Named[],
  settings: EachSettings,
  context: Context,
): Promise<readonly (Outcome & { readonly file: string })[]> {
  refuseSameNames(files, settings)
  const all: (Outcome & { readonly file: string })[] = []
  for (const file of files) {
    const outcome = await outcomeOf(file.argument, () => workOf(file, settings, context), settings, context)
    all.push({ file: file.argument, ...outcome })
  }
  return all
}

/** Outputs of files with the same name would overwrite each other. */
function refuseSameNames(files: readonly Named[], settings: Settings): void {
  const seen = new Map<string, Named>()
  for (const file of files) {
    const key = path.join(folderOf(file, settings), stemOf(file.path).toLowerCase())
    const other = seen.get(key)
    if (other) {
      throw new UsageError(
        `“${other.argument}” and “${file.argument}” would become files with the same name. Convert them to different folders.`,
      )
    }
    seen.set(key, file)
  }
}

export const folderOf = ({ path: at }: Named, { out }: Settings): string => out ?? path.dirname(at)

async function workOf(file: Named, settings: EachSettings, context: Context): Promise<Work> {
  const source = sourceOf(file)
  const plan = await planOf(file, settings.recipe, settings, context)
  return {
    label: file.argument,
    sources: [source],
    folder: folderOf(file, settings),
    stem: stemOf(file.path),
    isOne: settings.written.shape !== undefined || plan.tables.filter(({ include }) => include).length === 1,
    make: (options) => convert(source, { plan, ...settings.written }, options),
  }
}

/**
 * Inspects a file, and returns the plan with the recipe's changes, if there is one.
 * @throws {Held} if the recipe was made for other columns or sheets
 */
export async function planOf(
  file: Named,
  recipe: FileRecipe | null,
  { request: given, accepts }: Settings,
  { io, progress }: Context,
  source?: Source,
): Promise<ImportPlan> {
  const request: InspectRequest = { ...recipe?.request, ...given }
  const inspection = await look(file, request, io, progress, source)
  if (recipe && !accepts.columns) refuseOtherColumns(recipe, inspection)
  return applyEdits(inspection, recipe?.edits ?? NO_EDITS)
}
