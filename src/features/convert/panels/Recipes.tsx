import BookMarked from 'lucide-react/icons/book-marked'
import { useState } from 'react'
import { editsForOthers } from '../../../tables/edits.ts'
import type { Inspection } from '../../../tables/plan.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { Field, TextInput } from '../../../ui/fields/Field.tsx'
import { toast } from '../../../ui/overlays/toasts.ts'
import { useConvert, useRecipes } from '../context.tsx'
import { type Job, settingsOf } from '../model/job.ts'
import { type Recipe, recipeName, sameSignature, signatureOf } from '../../../tables/recipe.ts'
import { RecipeList, UNKEPT } from '../parts/RecipeList.tsx'
import { plural } from '../../../ui/format.ts'
import css from './Columns.module.css'

interface SaveRecipeProps {
  readonly job: Job
  readonly inspection: Inspection
  /** The button's name. */
  readonly label?: string
}

/** Keeps the settings of a file for the next ones of its kind. */
export function SaveRecipe({ job, inspection, label = 'Save as recipe' }: SaveRecipeProps) {
  const { saveRecipe, newId } = useConvert()
  const recipes = useRecipes()
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const same = recipes.find((recipe) => recipe.name === name.trim())
  const save = async (): Promise<void> => {
    const now = signatureOf(inspection)
    const before = job.detected ?? now
    const recipe: Recipe = {
      version: 1,
      id: same?.id ?? newId(),
      name: name.trim(),
      createdAt: Date.now(),
      matches: sameSignature(now, before) ? [now] : [before, now],
      ...settingsOf({ ...job, edits: editsForOthers(job.edits) }),
    }
    setOpen(false)
    try {
      await saveRecipe(recipe)
      toast({ title: `Recipe “${recipe.name}” saved`, description: 'It’s offered for files of the same columns.' })
    } catch {
      toast(UNKEPT)
    }
  }
  const show = (): void => {
    setName(recipeName(job.file.name))
    setOpen(true)
  }
  return (
    <>
      <Button size="small" icon={<BookMarked aria-hidden />} onClick={show}>
        {label}
      </Button>
      <Dialog
        title="Save as recipe"
        open={open}
        onClose={() => setOpen(false)}
        action={
          <Button look="primary" disabled={name.trim() === ''} onClick={() => void save()}>
            {same ? 'Replace' : 'Save'}
          </Button>
        }
      >
        <p className={css.faint}>
          How this file is read, its columns’ names and types, and how it’s written: for the next file with the same
          columns.
        </p>
        <Field label="Name" hint={same ? 'You have a recipe of this name: it will be replaced.' : undefined}>
          {(ids) => <TextInput {...ids} value={name} onChange={setName} />}
        </Field>
        {recipes.length > 0 ? (
          <details className={css.recipes}>
            <summary>{plural(recipes.length, 'recipe')} saved so far</summary>
            <RecipeList />
          </details>
        ) : null}
      </Dialog>
    </>
  )
}
