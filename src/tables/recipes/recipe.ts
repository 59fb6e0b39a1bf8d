import type { FormatId } from '../../contract/formats.ts'
import { isJsonObject } from '../../lib/json.ts'
import { firstFree } from '../../lib/names.ts'
import type { RowCountCheck } from '../checks.ts'
import type { Edits } from '../edits.ts'
import type { WriteOptions } from '../plan.ts'
import type { Shape, Split } from '../reshape/types.ts'
import { memberFor, type CombineRecipe, type MemberMatch } from './combined.ts'
import type { SheetMatch } from './sheets.ts'
import { closest, type Signature } from './signature.ts'
import type { InspectRequest } from '../inspect-request.ts'

export type OptionsByFormat = Readonly<Partial<Record<FormatId, WriteOptions>>>

/** Settings that outlive the job, in its record and in recipes. */
export interface JobSettings {
  readonly request: InspectRequest
  readonly edits: Edits
  readonly target: FormatId
  readonly options: OptionsByFormat
  /** How each table is split into several files; absent if it isn't. */
  readonly split?: Split
  /** The expected number of rows. */
  readonly rowCount?: RowCountCheck
  /** A statement between reading and writing; absent if all rows are written as read. */
  readonly shape?: Shape
}

interface NamedRecipe {
  readonly id: string
  readonly version: 1
  readonly name: string
  readonly createdAt: number
}

/** How to read and write a file, for the next files with the same columns. Plain data. */
export interface FileRecipe extends NamedRecipe, JobSettings {
  /** The columns as found before the settings, and with them: a file that matches either fits the recipe. */
  readonly matches: readonly Signature[]
}

/** How to combine files into one, for the next files like them. Plain data. */
export interface CombinedRecipe
  extends NamedRecipe, Pick<JobSettings, 'target' | 'options' | 'split' | 'shape' | 'rowCount'> {
  readonly combine: CombineRecipe
}

export type Recipe = FileRecipe | CombinedRecipe

/** A recipe's expected number of rows, for a job to which it's applied. */
export const rowCountBy = ({ id, rowCount }: Recipe): Pick<JobSettings, 'rowCount'> =>
  rowCount ? { rowCount: { ...rowCount, recipe: id } } : {}

export const isFileRecipe = (recipe: Recipe): recipe is FileRecipe => !('combine' in recipe)
export const isCombinedRecipe = (recipe: Recipe): recipe is CombinedRecipe => 'combine' in recipe

/** A name that no recipe has: `months`, or `months (2)`. */
export function freshName(name: string, recipes: readonly Pick<Recipe, 'name'>[]): string {
  const taken = new Set(recipes.map((recipe) => recipe.name))
  return firstFree(
    name,
    (fresh) => taken.has(fresh),
    (number) => `${name} (${number})`,
  )
}

/** File names of recipes. */
export const RECIPE_FILE = /\.recipe\.json$/i

/** A recipe for a file, and how the file's columns differ from the recipe's. */
export interface RecipeMatch {
  readonly recipe: FileRecipe
  /** Columns that the file lacks, and columns that the recipe doesn't know; empty if they're the same. */
  readonly missing: readonly string[]
  readonly added: readonly string[]
  /** Sheets with another name, such as another month. If there's more than one choice, the person decides. */
  readonly sheets: readonly SheetMatch[]
  readonly otherSheets: readonly string[]
}

/** Finds the recipe for a file's columns. Results are cached by signature. */
export type FindRecipe = (found: Signature) => RecipeMatch | null

/**
 * Returns the most likely recipe for a file with these columns; if several are equally likely, the newest. Null if none
 * is likely.
 */
export function recipeFinder(recipes: readonly Recipe[]): FindRecipe {
  const newest = recipes.filter(isFileRecipe).toSorted((a, b) => b.createdAt - a.createdAt)
  return onceFor((found) => {
    const match = closest(newest, found, 'differ')
    if (!match) return null
    const { of, missing, added, sheets, otherSheets } = match
    return { recipe: of, missing, added, sheets, otherSheets }
  })
}

/** A recipe that combines files, and the kind that a file is of. */
interface CombinedMatch {
  readonly recipe: CombinedRecipe
  readonly member: MemberMatch
}

/** Finds the recipe that combines a file with these columns with others; if several are equally likely, the newest. */
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

/** Proposes a name: `orders` for `orders-2024-03.csv`. */
export function recipeName(fileName: string): string {
  const stem = fileName.replace(/(\.[a-z0-9]{1,8}){1,2}$/i, '')
  const plain = stem.replace(/[\s._-]*(\(\d+\)|\d[\d._-]*)$/, '').trim()
  return plain || stem || fileName
}

/**
 * The recipes of a backup.
 * @throws {Error} if it isn't a list of recipes of known versions
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
