import Copy from 'lucide-react/icons/copy'
import Download from 'lucide-react/icons/download'
import FileBraces from 'lucide-react/icons/file-braces'
import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { TextInput } from '../../../ui/fields/Field.tsx'
import { formatWhen } from '../../../ui/format.ts'
import { toast } from '../../../ui/overlays/toasts.ts'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { useConvert, useRecipes } from '../context.tsx'
import { isFileRecipe, type Recipe } from '../../../tables/recipes/recipe.ts'
import { fileNameOf, saveAsTableSchema } from '../store/recipe-files.ts'
import { downloadJson } from '../queue-actions.ts'
import css from '../panels/Columns.module.css'

/** The recipes that there are: to be renamed, copied, taken elsewhere as files, and thrown away. */
export function RecipeList() {
  const recipes = useRecipes()
  return (
    <ul aria-label="Recipes" className={css.recipeList}>
      {recipes.map((recipe) => (
        <Item key={recipe.id} recipe={recipe} />
      ))}
    </ul>
  )
}

function Item({ recipe }: { readonly recipe: Recipe }) {
  const { saveRecipe, removeRecipe, newId } = useConvert()
  const now = useNow()
  const [name, setName] = useState<string | null>(null)
  const save = (changed: Recipe): void => {
    saveRecipe(changed).catch(() => toast(UNKEPT))
  }
  if (name !== null) {
    const rename = (): void => {
      setName(null)
      if (name.trim() !== '' && name.trim() !== recipe.name) save({ ...recipe, name: name.trim() })
    }
    return (
      <li>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            rename()
          }}
        >
          <TextInput compact aria-label={`New name of ${recipe.name}`} value={name} onChange={setName} ref={select} />
          <Button type="submit" size="small" disabled={name.trim() === ''}>
            Rename
          </Button>
        </form>
      </li>
    )
  }
  return (
    <li>
      <span>{recipe.name}</span>
      <span className={css.faint}>{formatWhen(recipe.createdAt, now)}</span>
      <IconButton label={`Rename recipe ${recipe.name}`} onClick={() => setName(recipe.name)}>
        <Pencil aria-hidden />
      </IconButton>
      <IconButton
        label={`Duplicate recipe ${recipe.name}`}
        onClick={() => save({ ...recipe, id: newId(), name: `${recipe.name} (copy)` })}
      >
        <Copy aria-hidden />
      </IconButton>
      <IconButton label={`Export recipe ${recipe.name}`} onClick={() => void exportRecipe(recipe)}>
        <Download aria-hidden />
      </IconButton>
      {isFileRecipe(recipe) ? (
        <IconButton
          label={`Export ${recipe.name} as a Table Schema`}
          title="Export as a Table Schema (Frictionless): columns, types and checks, for other programs"
          onClick={() => void saveAsTableSchema(recipe)}
        >
          <FileBraces aria-hidden />
        </IconButton>
      ) : null}
      <IconButton label={`Remove recipe ${recipe.name}`} onClick={() => void removeRecipe(recipe.id)}>
        <Trash aria-hidden />
      </IconButton>
    </li>
  )
}

/** To be typed over. */
const select = (input: HTMLInputElement | null): void => {
  input?.focus()
  input?.select()
}

export const UNKEPT = {
  title: 'The recipe couldn’t be saved',
  description: 'This browser gives no storage, or it’s full.',
  tone: 'bad',
} as const

async function exportRecipe(recipe: Recipe): Promise<void> {
  const { toRecipeFile } = await import('../../../tables/files/recipe-file.ts')
  downloadJson(toRecipeFile(recipe, location.origin), `${fileNameOf(recipe)}.recipe.json`)
}
