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
import { freshName, isFileRecipe, type Recipe } from '../../../tables/recipes/recipe.ts'
import { fileNameOf, saveAsTableSchema } from '../store/recipe-files.ts'
import { downloadJson } from '../queue-actions.ts'
import css from '../panels/Columns.module.css'

/** The saved recipes: rename, duplicate, save as file, or delete with a way to undo it. */
export function RecipeList() {
  const recipes = useRecipes()
  const { saveRecipe, removeRecipe } = useConvert()
  const [removed, setRemoved] = useState<readonly Recipe[]>([])
  const gone = removed.filter(({ id }) => !recipes.some((recipe) => recipe.id === id))
  const save = (recipe: Recipe): void => {
    saveRecipe(recipe).catch(() => toast(UNKEPT))
  }
  const remove = (recipe: Recipe): void => {
    setRemoved([...removed.filter(({ id }) => id !== recipe.id), recipe])
    void removeRecipe(recipe.id)
  }
  return (
    <ul aria-label="Recipes" className={css.recipeList}>
      {[...recipes, ...gone].toSorted(byId).map((recipe) =>
        gone.includes(recipe) ? (
          <li key={recipe.id}>
            <span className={css.faint}>{recipe.name}: removed</span>
            <Button
              size="small"
              look="quiet"
              aria-label={`Undo removing recipe ${recipe.name}`}
              ref={focus}
              onClick={() => save(recipe)}
            >
              Undo
            </Button>
          </li>
        ) : (
          <Item key={recipe.id} recipe={recipe} recipes={recipes} save={save} onRemove={() => remove(recipe)} />
        ),
      )}
    </ul>
  )
}

/** Their order in the database. */
const byId = (a: Recipe, b: Recipe): number => (a.id < b.id ? -1 : 1)

interface ItemProps {
  readonly recipe: Recipe
  readonly recipes: readonly Recipe[]
  readonly save: (recipe: Recipe) => void
  readonly onRemove: () => void
}

function Item({ recipe, recipes, save, onRemove }: ItemProps) {
  const { newId } = useConvert()
  const now = useNow()
  const [name, setName] = useState<string | null>(null)
  const [renamed, setRenamed] = useState(false)
  if (name !== null) {
    const given = name.trim()
    const isTaken = recipes.some((other) => other.id !== recipe.id && other.name === given)
    const end = (): void => {
      setName(null)
      setRenamed(true)
    }
    return (
      <li>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (isTaken) return
            end()
            if (given !== '' && given !== recipe.name) save({ ...recipe, name: given })
          }}
        >
          <TextInput
            compact
            aria-label={`New name of ${recipe.name}`}
            aria-invalid={isTaken}
            value={name}
            onChange={setName}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              // Keeps the surrounding dialog open.
              event.stopPropagation()
              end()
            }}
            ref={select}
          />
          {isTaken ? <span role="alert">Another recipe has this name.</span> : null}
          <Button type="submit" size="small" disabled={given === '' || isTaken}>
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
      <IconButton
        label={`Rename recipe ${recipe.name}`}
        ref={renamed ? focus : undefined}
        onClick={() => setName(recipe.name)}
      >
        <Pencil aria-hidden />
      </IconButton>
      <IconButton
        label={`Duplicate recipe ${recipe.name}`}
        onClick={() => save({ ...recipe, id: newId(), name: freshName(`${recipe.name} (copy)`, recipes) })}
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
      <IconButton label={`Remove recipe ${recipe.name}`} onClick={onRemove}>
        <Trash aria-hidden />
      </IconButton>
    </li>
  )
}

/** The element with the focus is gone. */
const focus = (button: HTMLButtonElement | null): void => button?.focus()

/** Selected, so that typing replaces it. */
const select = (input: HTMLInputElement | null): void => {
  input?.focus()
  input?.select()
}

export const UNKEPT = {
  title: 'The recipe couldn’t be saved',
  description: 'This browser provides no storage, or it’s full.',
  tone: 'bad',
} as const

async function exportRecipe(recipe: Recipe): Promise<void> {
  const { toRecipeFile } = await import('../../../tables/files/recipe-file.ts')
  downloadJson(toRecipeFile(recipe, location.origin), `${fileNameOf(recipe)}.recipe.json`)
}
