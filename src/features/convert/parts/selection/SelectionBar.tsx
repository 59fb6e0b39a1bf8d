import Combine from 'lucide-react/icons/combine'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import SplitIcon from 'lucide-react/icons/split'
import Trash from 'lucide-react/icons/trash-2'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Select } from '../../../../ui/fields/Field.tsx'
import { plural, quotedList } from '../../../../ui/format.ts'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import { Menu } from '../../../../ui/overlays/Menu.tsx'
import { toast } from '../../../../ui/overlays/toasts.ts'
import { useStore } from '../../../../ui/hooks/use-store.ts'
import { isFileRecipe } from '../../../../tables/recipes/recipe.ts'
import { useConvert, useRecipes } from '../../context.tsx'
import { isBusy, isRead, tablesOf, type Job } from '../../model/job.ts'
import { useRemove } from '../../queue-actions.ts'
import { TARGETS } from '../JobControls.tsx'
import { useApplyCombined } from '../combination/recipe-offer.ts'
import { useApply } from '../RecipeSuggestion.tsx'
import { RecipesButton } from '../RecipesButton.tsx'
import { isSelectable, SelectAll } from './Selection.tsx'
import css from './Selection.module.css'

const SplitDialog = lazy(() => import('../split/SplitDialog.tsx'))
const OutputPanel = lazy(() => import('../../panels/OutputPanel.tsx'))
const SaveRecipe = lazy(async () => ({ default: (await import('../../panels/Recipes.tsx')).SaveRecipe }))

/** Actions for the selected files. A single file needs no selection. */
export function SelectionBar({ live }: { readonly live: readonly Job[] }) {
  const { selection } = useConvert()
  const ids = useStore(selection)
  const files = live.filter(isSelectable)
  const selected = files.filter(({ id }) => ids.has(id))
  if (!files.some(({ stage }) => stage.kind !== 'failed')) return <RecipesButton />
  const chosen = files.length === 1 ? files : selected
  const only = chosen.length === 1 ? chosen[0] : undefined
  const waits = waitsFor(chosen)
  return (
    <div className={css.bar}>
      <SelectAll live={live} />
      {files.length > 1 || tablesIn(files) > 1 ? <CombineButton selected={selected} waits={waits} /> : null}
      <SplitButton jobs={chosen.filter((job) => isRead(job) && !isBusy(job))} waits={waits} />
      {only?.inspection ? (
        <Suspense>
          <SaveRecipe job={only} label="Save recipe" />
        </Suspense>
      ) : null}
      {selected.length > 0 ? <SelectedActions selected={selected} waits={waits} /> : null}
      <RecipesButton />
    </div>
  )
}

/** Why what is done with all of them has to wait: otherwise it would leave out those that are being read. */
function waitsFor(jobs: readonly Job[]): string | undefined {
  const reading = jobs.filter(({ stage }) => stage.kind === 'reading').length
  return reading === 0 ? undefined : `${plural(reading, 'file')} ${reading === 1 ? 'is' : 'are'} still being read`
}

interface SelectedProps {
  readonly selected: readonly Job[]
  readonly waits: string | undefined
}

const tablesIn = (jobs: readonly Job[]): number => jobs.reduce((sum, job) => sum + tablesOf(job), 0)

/** Most files to name in a message. */
const NAMED = 6

/** Combines the selected tables if there are at least two. */
function CombineButton({ selected, waits }: SelectedProps) {
  const { selection, store } = useConvert()
  const read = selected.filter(isRead)
  const tables = tablesIn(read)
  const combine = (): void => {
    const left = selected.filter((job) => !isRead(job))
    store.combine(new Set(read.map((job) => job.id)))
    selection.set(new Set())
    if (left.length === 0) return
    toast({
      title: `${plural(left.length, 'selected file')} ${left.length === 1 ? 'isn’t' : 'aren’t'} in the table`,
      description: `Not read: ${quotedList(
        left.map(({ file }) => file.name),
        NAMED,
      )}.`,
      tone: 'bad',
    })
  }
  return (
    <Button
      size="small"
      icon={<Combine aria-hidden />}
      disabled={waits !== undefined || tables < 2}
      title={waits ?? (tables < 2 ? 'Select two files or more: their tables become one' : undefined)}
      onClick={combine}
    >
      Combine
    </Button>
  )
}

interface JobsProps {
  readonly jobs: readonly Job[]
  readonly waits: string | undefined
}

function SplitButton({ jobs, waits }: JobsProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        size="small"
        icon={<SplitIcon aria-hidden />}
        disabled={waits !== undefined || jobs.length === 0}
        title={waits ?? (jobs.length === 0 ? 'Select a file: each of its tables becomes several files' : undefined)}
        onClick={() => setOpen(true)}
      >
        Split
      </Button>
      {open && jobs.length > 0 ? (
        <Suspense>
          <SplitDialog jobs={jobs} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

function SelectedActions({ selected, waits }: SelectedProps) {
  const { store } = useConvert()
  const remove = useRemove()
  const [first] = selected
  const free = selected.filter((job) => !isBusy(job))
  const target = selected.every((job) => job.target === first?.target) ? (first?.target ?? '') : ''
  return (
    <>
      <Select
        compact
        aria-label="Format of the selected files"
        className={css.target}
        value={target}
        options={target === '' ? [{ value: '', label: 'Several formats', disabled: true }, ...TARGETS] : TARGETS}
        disabled={free.length === 0}
        onChange={(next) => {
          const chosen = TARGETS.find(({ value }) => value === next)
          if (chosen) store.together(free, ({ id }) => store.setTarget(id, chosen.value))
        }}
      />
      <OptionsButton jobs={target === '' ? [] : free} />
      <ApplyRecipe jobs={free.filter(isRead)} waits={waits} />
      <Button
        size="small"
        look="quiet"
        icon={<Trash aria-hidden />}
        onClick={() => remove({ ids: selected.map(({ id }) => id) })}
      >
        Remove
      </Button>
    </>
  )
}

function OptionsButton({ jobs }: { readonly jobs: readonly Job[] }) {
  const [open, setOpen] = useState(false)
  const [first] = jobs
  return (
    <>
      <Button
        size="small"
        look="quiet"
        icon={<SlidersHorizontal aria-hidden />}
        disabled={!first}
        title={first ? undefined : 'Choose one format for them first'}
        onClick={() => setOpen(true)}
      >
        Options
      </Button>
      {open && first ? (
        <Dialog
          title={`How ${plural(jobs.length, 'file')} ${jobs.length === 1 ? 'is' : 'are'} written`}
          open
          onClose={() => setOpen(false)}
          done="Done"
        >
          <Suspense>
            <OutputPanel job={first} jobs={jobs} />
          </Suspense>
        </Dialog>
      ) : null}
    </>
  )
}

function ApplyRecipe({ jobs, waits }: JobsProps) {
  const recipes = useRecipes()
  const apply = useApply()
  const combine = useApplyCombined()
  if (recipes.length === 0) return null
  return (
    <Menu
      align="start"
      trigger={
        <Button size="small" look="quiet" disabled={waits !== undefined || jobs.length === 0} title={waits}>
          Apply recipe
        </Button>
      }
      items={recipes.map((recipe) => ({
        key: recipe.id,
        label: recipe.name,
        onSelect: () => (isFileRecipe(recipe) ? apply(recipe, jobs) : combine(recipe, jobs)),
      }))}
    />
  )
}
