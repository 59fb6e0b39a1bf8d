import type { FormatId } from '../../contract/formats.ts'
import { isJsonObject } from '../../lib/json.ts'
import { firstFree } from '../../lib/names.ts'
import type { RowCountCheck } from '../checks.ts'
import type { Edits } from '../edits.ts'
import type { InspectRequest, WriteOptions } from '../plan.ts'
import type { Shape, Split } from '../reshape/types.ts'
import { memberFor, type CombineRecipe, type MemberMatch } from './combined.ts'
import type { SheetMatch } from './sheets.ts'
import { closest, type Signature } from './signature.ts'

export type OptionsByFormat = Readonly<Partial<Record<FormatId, WriteOptions>>>

/** Settings that outlive the job: in its record, and in recipes. */
export interface JobSettings {
  readonly request: InspectRequest
  readonly edits: Edits
  readonly target: FormatId
  readonly options: OptionsByFormat
  /** How each table becomes several files; absent where it becomes one. */
  readonly split?: Split
  /** What its number of rows is compared with. */
  readonly rowCount?: RowCountCheck
  /** The statement that shapes what is read, before it's written; absent where all rows are written as they are. */
  readonly shape?: Shape
}

interface NamedRecipe {
  readonly id: string
  readonly version: 1
  readonly name: string
  readonly createdAt: number
}

/** How the person wanted a file to be read and written, for files of the same columns. Plain data. */
export interface FileRecipe extends NamedRecipe, JobSettings {
  /** Columns as found before the settings, and with them: either tells a file that it's for. */
  readonly matches: readonly Signature[]
}

/** How the person wanted files to become one, for files like them. Plain data. */
export interface CombinedRecipe
  extends NamedRecipe, Pick<JobSettings, 'target' | 'options' | 'split' | 'shape' | 'rowCount'> {
  readonly combine: CombineRecipe
}

export type Recipe = FileRecipe | CombinedRecipe

/** What a recipe says of the number of rows, for a job that it's applied to. */
export const rowCountBy = ({ id, rowCount }: Recipe): Pick<JobSettings, 'rowCount'> =>
  rowCount ? { rowCount: { ...rowCount, recipe: id } } : {}

export const isFileRecipe = (recipe: Recipe): recipe is FileRecipe => !('combine' in recipe)
export const isCombinedRecipe = (recipe: Recipe): recipe is CombinedRecipe => 'combine' in recipe

/** A name that no recipe has yet: `months`, or `months (2)`. */
export function freshName(name: string, recipes: readonly Pick<Recipe, 'name'>[]): string {
  const taken = new Set(recipes.map((recipe) => recipe.name))
  return firstFree(
    name,
    (fresh) => taken.has(fresh),
    (number) => `${name} (${number})`,
  )
}

/** What files are called that are recipes. */
export const RECIPE_FILE = /\.recipe\.json$/i

/** A recipe for a file, and how its columns differ from those that the recipe was made for. */
export interface RecipeMatch {
  readonly recipe: FileRecipe
  /** Columns that the recipe knows and the file hasn't, and the other way round; none where they're the same. */
  readonly missing: readonly string[]
  readonly added: readonly string[]
  /** Sheets that are called otherwise, by another month: where there's one choice, it's that, else the person's. */
  readonly sheets: readonly SheetMatch[]
  readonly otherSheets: readonly string[]
}

/** Finds the recipe for a file's columns; the same columns are looked up once. */
export type FindRecipe = (found: Signature) => RecipeMatch | null

/** The recipe that is most likely for a file of some columns; of equals, the newest. Null where none is like it. */
export function recipeFinder(recipes: readonly Recipe[]): FindRecipe {
  const newest = recipes.filter(isFileRecipe).toSorted((a, b) => b.createdAt - a.createdAt)
  return onceFor((found) => {
    const match = closest(newest, found, 'differ')
    if (!match) return null
    const { of, missing, added, sheets, otherSheets } = match
    return { recipe: of, missing, added, sheets, otherSheets }
  })
}

/** A recipe that combines files, and which of its kinds of files each file is of. */
interface CombinedMatch {
  readonly recipe: CombinedRecipe
  readonly member: MemberMatch
}

/** Finds the recipe that combines files of some columns with others; of equals, the newest. */
export function combinedRecipeFinder(recipes: readonly Recipe[]): (found: Signature) => CombinedMatch | null {
  const newest = recipes.filter(isCombinedRecipe).toSorted((a, b) => b.createdAt - a.createdAt)
  return onceFor((found) => {
    let best: CombinedMatch | null = null
    for (const recipe of newest) {
      const member = memberFor(recipe.combine, found)
      if (member && (!best || member.likeness > best.member.likeness)) best = { recipe, member }
    }
    return best
  })
}

function onceFor<T>(find: (found: Signature) => T): (found: Signature) => T {
  const known = new WeakMap<Signature, { readonly match: T }>()
  return (found) => {
    let entry = known.get(found)
    if (!entry) known.set(found, (entry = { match: find(found) }))
    return entry.match
  }
}

/** A name that says what it's for, to begin with: `orders-2024-03.csv` is `orders`. */
export function recipeName(fileName: string): string {
  const stem = fileName.replace(/(\.[a-z0-9]{1,8}){1,2}$/i, '')
  const plain = stem.replace(/[\s._-]*(\(\d+\)|\d[\d._-]*)$/, '').trim()
  return plain || stem || fileName
}

/**
 * The recipes of a backup.
 * @throws {Error} when it isn't a list of them, each of a version that's known
 */
export function recipesIn(exported: unknown): Recipe[] {
  if (!Array.isArray(exported) || !exported.every(isRecipe)) throw new Error('The recipes in it can’t be read.')
  return exported
}

function isRecipe(value: unknown): value is Recipe {
  return (
    isJsonObject(value) &&
    value['version'] === 1 &&
    typeof value['id'] === 'string' &&
    typeof value['name'] === 'string' &&
    typeof value['createdAt'] === 'number' &&
    typeof value['target'] === 'string' &&
    isJsonObject(value['options']) &&
    (isJsonObject(value['combine'])
      ? Array.isArray(value['combine']['members'])
      : isJsonObject(value['request']) && Array.isArray(value['edits']) && Array.isArray(value['matches']))
  )
}
