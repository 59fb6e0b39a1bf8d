import BookMarked from 'lucide-react/icons/book-marked'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/toasts.ts'
import { useConvert, useRecipes } from '../context.tsx'
import { settingsOf, type Job } from '../model/job.ts'
import { matchingRecipes } from '../model/recipe.ts'
import { Notice } from '../../../ui/Notice.tsx'

/** Offers what was once saved for files of these columns, as long as nothing was changed by hand. */
export function RecipeSuggestion({ job }: { readonly job: Job }) {
  const { store } = useConvert()
  const recipes = useRecipes()
  const [dismissed, setDismissed] = useState(false)
  const untouched = job.edits.length === 0 && Object.keys(job.request).length === 0
  if (dismissed || !untouched || !job.detected || job.result) return null
  const [recipe] = matchingRecipes(recipes, job.detected)
  if (!recipe) return null
  const apply = (): void => {
    const before = settingsOf(job)
    store.applySettings(job.id, recipe)
    toast({
      title: `Recipe “${recipe.name}” applied`,
      action: { label: 'Undo', run: () => store.applySettings(job.id, before) },
    })
  }
  return (
    <Notice
      tone="info"
      live="status"
      icon={<BookMarked aria-hidden />}
      actions={
        <>
          <Button size="small" look="primary" onClick={apply}>
            Apply recipe
          </Button>
          <Button size="small" look="quiet" onClick={() => setDismissed(true)}>
            Not now
          </Button>
        </>
      }
    >
      <p>
        <strong>This file has the columns of your recipe “{recipe.name}”.</strong>
      </p>
    </Notice>
  )
}
