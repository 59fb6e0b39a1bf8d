import Trash from 'lucide-react/icons/trash-2'
import { IconButton } from '../../../ui/Button.tsx'
import { formatWhen, plural } from '../../../ui/format.ts'
import { useNow } from '../../../ui/use-now.ts'
import { useConvert } from '../context.tsx'
import type { Recipe } from '../model/recipe.ts'
import css from './Columns.module.css'

/** The recipes that there are, to be thrown away when they're of no more use. */
export function RecipeList({ recipes }: { readonly recipes: readonly Recipe[] }) {
  const { removeRecipe } = useConvert()
  const now = useNow()
  if (recipes.length === 0) return null
  return (
    <details className={css.recipes}>
      <summary>{plural(recipes.length, 'recipe')} saved so far</summary>
      <ul>
        {recipes.map((recipe) => (
          <li key={recipe.id}>
            <span>{recipe.name}</span>
            <span className={css.faint}>{formatWhen(recipe.createdAt, now)}</span>
            <IconButton label={`Remove recipe ${recipe.name}`} onClick={() => void removeRecipe(recipe.id)}>
              <Trash aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
    </details>
  )
}
