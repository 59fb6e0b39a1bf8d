import type { FormatId } from '../contract/formats.ts'
import { isJsonObject } from '../lib/json.ts'
import type { Edits } from './edits.ts'
import type { InspectRequest, Inspection, WriteOptions } from './plan.ts'
import type { Split } from './split.ts'

export type OptionsByFormat = Readonly<Partial<Record<FormatId, WriteOptions>>>

/** Settings that outlive the job: in its record, and in recipes. */
export interface JobSettings {
  readonly request: InspectRequest
  readonly edits: Edits
  readonly target: FormatId
  readonly options: OptionsByFormat
  /** How each table becomes several files; absent where it becomes one. */
  readonly split?: Split
}

/** What a file's columns are called: what tells that next month's file is like this month's. */
export interface Signature {
  readonly format: FormatId
  readonly tables: readonly { readonly name: string | null; readonly sources: readonly string[] }[]
}

/** How the person wanted a file to be read and written, for files of the same columns. Plain data. */
export interface Recipe extends JobSettings {
  readonly id: string
  readonly version: 1
  readonly name: string
  readonly createdAt: number
  /** Columns as found before the settings, and with them: either tells a file that it's for. */
  readonly matches: readonly Signature[]
}

/** What files are called that are recipes. */
export const RECIPE_FILE = /\.recipe\.json$/i

export function signatureOf(inspection: Inspection): Signature {
  return {
    format: inspection.format,
    tables: inspection.tables.map(({ name, columns }) => ({ name, sources: columns.map((column) => column.source) })),
  }
}

export function sameSignature(a: Signature, b: Signature): boolean {
  return (
    a.format === b.format &&
    a.tables.length === b.tables.length &&
    a.tables.every((table, i) => {
      const other = b.tables[i]
      return (
        other !== undefined &&
        table.name === other.name &&
        table.sources.length === other.sources.length &&
        table.sources.every((source, k) => source === other.sources[k])
      )
    })
  )
}

/** A recipe for a file, and how its columns differ from those that the recipe was made for. */
export interface RecipeMatch {
  readonly recipe: Recipe
  /** Columns that the recipe knows and the file hasn't, and the other way round; none where they're the same. */
  readonly missing: readonly string[]
  readonly added: readonly string[]
}

/** Finds the recipe for a file's columns; the same columns are looked up once. */
export type FindRecipe = (found: Signature) => RecipeMatch | null

export function recipeFinder(recipes: readonly Recipe[]): FindRecipe {
  const newest = recipes.toSorted((a, b) => b.createdAt - a.createdAt)
  const known = new WeakMap<Signature, RecipeMatch | null>()
  return (found) => {
    let match = known.get(found)
    if (match === undefined) known.set(found, (match = bestRecipe(newest, found)))
    return match
  }
}

/** The recipe that is most likely for a file of these columns; of equals, the first. Null where none is like it. */
function bestRecipe(newest: readonly Recipe[], found: Signature): RecipeMatch | null {
  const same = newest.find((recipe) => recipe.matches.some((signature) => sameSignature(signature, found)))
  if (same) return { recipe: same, missing: [], added: [] }
  let best: { readonly match: RecipeMatch; readonly likeness: number } | null = null
  for (const recipe of newest) {
    for (const signature of recipe.matches) {
      const difference = differenceOf(signature, found)
      if (!difference || difference.likeness < ALIKE || (best && difference.likeness <= best.likeness)) continue
      const { missing, added, likeness } = difference
      best = { match: { recipe, missing, added }, likeness }
    }
  }
  return best?.match ?? null
}

/** The share of all columns that two files must have in common, at least. */
const ALIKE = 0.5

function differenceOf(
  known: Signature,
  found: Signature,
): { readonly missing: string[]; readonly added: string[]; readonly likeness: number } | null {
  if (known.format !== found.format || known.tables.length !== found.tables.length) return null
  if (known.tables.some((table, i) => table.name !== found.tables[i]?.name)) return null
  const [before, after] = [known, found].map(({ tables }) => tables.map(({ sources }) => new Set(sources)))
  const [missing, added] = [without(before ?? [], after ?? []), without(after ?? [], before ?? [])]
  const all = (after ?? []).reduce((sum, names) => sum + names.size, missing.length)
  const likeness = all === 0 ? 0 : (all - missing.length - added.length) / all
  return { missing, added, likeness }
}

/** Names in the sets of one list that aren't in the others'. */
const without = (these: readonly ReadonlySet<string>[], those: readonly ReadonlySet<string>[]): string[] =>
  these.flatMap((names, i) => [...names].filter((name) => !those[i]?.has(name)))

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
    isJsonObject(value['request']) &&
    isJsonObject(value['options']) &&
    Array.isArray(value['edits']) &&
    Array.isArray(value['matches'])
  )
}
