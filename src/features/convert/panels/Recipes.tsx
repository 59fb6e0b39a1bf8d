import BookMarked from 'lucide-react/icons/book-marked'
import { useState, type ReactNode } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { FormDialog } from '../../../ui/overlays/Dialog.tsx'
import { NumberField } from '../../../ui/fields/CheckedField.tsx'
import { Check, TextField } from '../../../ui/fields/Field.tsx'
import { toast } from '../../../ui/overlays/toasts.ts'
import { useConvert, useRecipes } from '../context.tsx'
import { recipePartOf, type Combination } from '../../../tables/combine/combination.ts'
import { type Job, keptForOthers, rowCountsOf, settingsOf } from '../model/job.ts'
import { withDraftApplied } from '../model/changes.ts'
import type { RowCountCheck } from '../../../tables/checks.ts'
import { type CombinedRecipe, type FileRecipe, type Recipe, recipeName } from '../../../tables/recipes/recipe.ts'
import { RecipeList, UNKEPT } from '../parts/RecipeList.tsx'
import { plural } from '../../../ui/format.ts'
import css from './Columns.module.css'

/** Saves a file's settings for the next files of its kind. */
export function SaveRecipe({ job, label = 'Save as recipe' }: { readonly job: Job; readonly label?: string }) {
  const own = useRecipes().find(({ id }) => id === job.recipe)
  const make = (): Unnamed<FileRecipe> | null => {
    const file = keptForOthers(job)
    const { rowCount: _, ...settings } = settingsOf(withDraftApplied(job))
    return file && { ...settings, ...file }
  }
  return (
    <SaveButton
      label={label}
      name={own?.name ?? recipeName(job.file.name)}
      make={make}
      job={job}
      saved="It’s offered for files of the same columns."
    >
      How this file is read, its columns’ names and types, and how it’s written: for the next file with the same
      columns.
      {job.plan?.tables.some(({ mends }) => mends && mends.rows.length > 0)
        ? ' Rows that you mended by hand belong to this file alone. What you replaced in all of them is kept.'
        : null}
    </SaveButton>
  )
}

/** Saves how files were combined, for the next files of their kinds. */
export function SaveCombinedRecipe({ job, combination }: { readonly job: Job; readonly combination: Combination }) {
  const { store } = useConvert()
  const make = (): Unnamed<CombinedRecipe> | null => {
    const jobs = new Map(store.snapshot().map((each) => [each.id, each]))
    const combine = recipePartOf(combination, (id) => {
      const file = jobs.get(id)
      return file ? keptForOthers(file) : null
    })
    const { target, options, split, shape } = settingsOf(withDraftApplied(job))
    return combine && { combine, target, options, ...(split ? { split } : {}), ...(shape ? { shape } : {}) }
  }
  return (
    <SaveButton
      label="Save as recipe"
      name={combination.choices.recipe?.name ?? recipeName(`${combination.name}.csv`)}
      disabled={combination.matched === null || combination.problems.length > 0}
      make={make}
      job={job}
      saved="It’s offered for files of the same columns, added together."
    >
      How these files are read, which of their columns are one, and how the table is written: for the next files with
      the same columns.
    </SaveButton>
  )
}

type Limits = Pick<RowCountCheck, 'least' | 'most'>
const USUAL: Limits = { least: 50, most: 200 }

const rowCountFor = ({ least, most }: Limits, job: Job): RowCountCheck => ({ least, most, last: rowCountsOf(job) })

function RowCountFields({
  limits,
  onChange,
}: {
  readonly limits: Limits | null
  readonly onChange: (limits: Limits | null) => void
}) {
  return (
    <>
      <Check
        label="Compare the number of rows with last time’s"
        checked={limits !== null}
        onChange={(on) => onChange(on ? USUAL : null)}
      />
      {limits ? (
        <div className={css.pair}>
          <NumberField
            label="At least, in %"
            error={limits.least > limits.most ? 'This is more than “At most”.' : undefined}
            value={limits.least}
            onChange={(least) => onChange({ ...limits, least })}
          />
          <NumberField label="At most, in %" value={limits.most} onChange={(most) => onChange({ ...limits, most })} />
        </div>
      ) : null}
    </>
  )
}

type Unnamed<T extends Recipe> = Omit<T, 'id' | 'version' | 'name' | 'createdAt'>

interface SaveButtonProps {
  readonly job: Job
  /** The button's label. */
  readonly label: string
  /** A proposed name for the recipe. */
  readonly name: string
  readonly disabled?: boolean
  /** Null if what it needs no longer exists. */
  readonly make: () => Unnamed<FileRecipe> | Unnamed<CombinedRecipe> | null
  /** The message after saving. */
  readonly saved: string
  /** What is saved. */
  readonly children: ReactNode
}

function SaveButton({ job, label, name: proposed, disabled = false, make, saved, children }: SaveButtonProps) {
  const { saveRecipe, newId, store } = useConvert()
  const recipes = useRecipes()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState<string | null>(null)
  const name = typed ?? proposed
  const [limits, setLimits] = useState<Limits | null>(null)
  const [listed, setListed] = useState(false)
  const same = recipes.find((recipe) => recipe.name === name.trim())
  const save = async (): Promise<void> => {
    setOpen(false)
    const made = make()
    if (!made) return
    const recipe: Recipe = { version: 1, id: same?.id ?? newId(), name: name.trim(), createdAt: Date.now(), ...made }
    const counted = limits ? { ...recipe, rowCount: rowCountFor(limits, job) } : recipe
    try {
      await saveRecipe(counted)
      store.update(job.id, (old) => ({ ...old, recipe: recipe.id }))
      toast({ title: `Recipe “${recipe.name}” saved`, description: saved })
    } catch {
      toast(UNKEPT)
    }
  }
  const show = (): void => {
    setTyped(null)
    setLimits(job.rowCount ?? null)
    setListed(false)
    setOpen(true)
  }
  return (
    <>
      <Button size="small" icon={<BookMarked aria-hidden />} disabled={disabled} onClick={show}>
        {label}
      </Button>
      {open ? (
        <FormDialog
          title="Save as recipe"
          onClose={() => setOpen(false)}
          action={same ? 'Replace' : 'Save'}
          disabled={name.trim() === '' || (limits !== null && limits.least > limits.most)}
          onSubmit={() => void save()}
          below={
            recipes.length > 0 || listed ? (
              <details className={css.recipes} onToggle={() => setListed(true)}>
                <summary>{plural(recipes.length, 'recipe')} saved so far</summary>
                <RecipeList />
              </details>
            ) : null
          }
        >
          <p className={css.faint}>{children}</p>
          <TextField
            label="Name"
            hint={same ? 'You have a recipe of this name: it will be replaced.' : undefined}
            value={name}
            // Typing replaces the proposed name.
            onFocus={(event) => event.currentTarget.select()}
            onChange={setTyped}
          />
          <RowCountFields limits={limits} onChange={setLimits} />
        </FormDialog>
      ) : null}
    </>
  )
}
