import { formatBytes } from '../../../lib/bytes.ts'
import { freshName, RECIPE_FILE, type FileRecipe, type Recipe } from '../../../tables/recipes/recipe.ts'
import { saveFile } from '../../../ui/save.ts'
import { toast } from '../../../ui/overlays/toasts.ts'
import { plural } from '../../../ui/format.ts'

/** The stored recipes. */
interface Recipes {
  readonly recipes: () => Promise<readonly Recipe[]>
  readonly saveRecipe: (recipe: Recipe) => Promise<void>
}

/** Names of files that may be Table Schemas or Data Packages. */
const SCHEMA_FILE = /(^|[._-])(datapackage|(table-?)?schema)\.json$/i
/** In bytes: recipes and schemas are smaller, and larger files aren't read to find out what they are. */
const LARGEST = 4 * 1024 * 1024

/** Adds recipes, including those made from Table Schemas and Data Packages; returns the other files. */
export async function addRecipes(files: readonly File[], to: Recipes): Promise<readonly File[]> {
  const others: File[] = []
  for (const file of files) {
    if (RECIPE_FILE.test(file.name)) await addRecipe(file, to)
    else if (!(await addSchema(file, to))) others.push(file)
  }
  return others
}

const OFFERED = 'It’s offered for files of the same columns.'

/** Stores a recipe, with another name if its own is taken, and returns it. */
async function keep(recipe: Recipe, { recipes, saveRecipe }: Recipes): Promise<Recipe> {
  const kept = { ...recipe, name: freshName(recipe.name, await recipes()) }
  await saveRecipe(kept)
  return kept
}

async function addRecipe(file: File, to: Recipes): Promise<void> {
  try {
    if (file.size > LARGEST) throw new Error(`It has ${formatBytes(file.size)}, more than any recipe.`)
    const { fromRecipeFile } = await import('../../../tables/files/recipe-file.ts')
    const recipe = await keep(fromRecipeFile(await file.text(), crypto.randomUUID()), to)
    toast({ title: `Recipe “${recipe.name}” added`, description: OFFERED })
  } catch (error) {
    tellRefused(file, error)
  }
}

function tellRefused(file: File, error: unknown): void {
  const description = error instanceof Error ? error.message : 'It can’t be read.'
  toast({ title: `“${file.name}” couldn’t be added`, description, tone: 'bad' })
}

/** Whether a file was a schema. Other JSON is a file to convert, whatever its name. */
async function addSchema(file: File, to: Recipes): Promise<boolean> {
  if (!SCHEMA_FILE.test(file.name) || file.size > LARGEST) return false
  const { fromTableSchema, isTableSchema } = await import('../../../tables/files/table-schema.ts')
  const content = await file.text()
  if (!isTableSchema(content)) return false
  try {
    const { recipes: made, notes } = fromTableSchema(file.name, content, () => crypto.randomUUID(), Date.now())
    const recipes: Recipe[] = []
    for (const recipe of made) recipes.push(await keep(recipe, to))
    const [first] = recipes
    const title =
      recipes.length === 1
        ? `“${file.name}” added as the recipe “${first?.name ?? ''}”`
        : `“${file.name}” added as ${plural(recipes.length, 'recipe')}`
    toast({ title, description: [OFFERED, ...untold('Not taken over', notes)].join(' ') })
  } catch (error) {
    tellRefused(file, error)
  }
  return true
}

/** Saves a recipe as a Table Schema, and reports what that can't express. */
export async function saveAsTableSchema(recipe: FileRecipe): Promise<void> {
  const { toTableSchema } = await import('../../../tables/files/to-table-schema.ts')
  const exported = toTableSchema(recipe)
  if (!exported) {
    const description = 'It describes one table, and this recipe is for files of several.'
    toast({ title: `“${recipe.name}” can’t be a Table Schema`, description, tone: 'bad' })
    return
  }
  const { schema, notes } = exported
  const name = `${fileNameOf(recipe)}.schema.json`
  saveFile(new Blob([JSON.stringify(schema, null, 2), '\n'], { type: 'application/json' }), name)
  if (notes.length > 0) toast({ title: `“${name}” doesn’t say all`, description: untold('Not in it', notes).join(' ') })
}

export const fileNameOf = ({ name }: Recipe): string => name.replace(/[/\\:*?"<>|\p{Cc}]/gu, '_')

const MAX_NOTES = 5

function untold(what: string, notes: readonly string[]): string[] {
  if (notes.length === 0) return []
  const more = notes.length > MAX_NOTES ? [`And ${plural(notes.length - MAX_NOTES, 'thing')} more.`] : []
  return [`${what}: ${notes.slice(0, MAX_NOTES).join(' ')}`, ...more]
}
