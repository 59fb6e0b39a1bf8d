import BookMarked from 'lucide-react/icons/book-marked'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useRecipes } from '../context.tsx'

const RecipeList = lazy(async () => ({ default: (await import('./RecipeList.tsx')).RecipeList }))

/** Opens the list of recipes, whatever is in the queue. Renders nothing if there are none. */
export function RecipesButton() {
  const recipes = useRecipes()
  const [open, setOpen] = useState(false)
  if (recipes.length === 0 && !open) return null
  return (
    <>
      <Button size="small" look="quiet" icon={<BookMarked aria-hidden />} onClick={() => setOpen(true)}>
        Recipes
      </Button>
      {open ? (
        <Dialog
          title="Recipes"
          description="Offered when you add files with the same or similar columns."
          open
          onClose={() => setOpen(false)}
          done="Done"
        >
          <Suspense>
            <RecipeList />
          </Suspense>
        </Dialog>
      ) : null}
    </>
  )
}
