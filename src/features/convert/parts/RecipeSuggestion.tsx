import BookMarked from 'lucide-react/icons/book-marked'
import { createContext, useContext, useMemo, useState, type ReactNode } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { SelectField } from '../../../ui/fields/Field.tsx'
import { listOf, plural } from '../../../ui/format.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { toast } from '../../../ui/overlays/toasts.ts'
import { useConvert, useRecipes } from '../context.tsx'
import { differencesIn, useApplyCombined, useCombineOffer } from './combination/recipe-offer.ts'
import { hasSettings, isBusy, isRead, isUntouched, type Job, settingsOf } from '../model/job.ts'
import {
  type CombinedRecipe,
  type FileRecipe,
  type FindRecipe,
  type JobSettings,
  recipeFinder,
  rowCountBy,
  type RecipeMatch,
} from '../../../tables/recipes/recipe.ts'

import {
  chosenSheets,
  forSheets,
  sureSheets,
  type SheetMatch,
  type SheetNames,
} from '../../../tables/recipes/sheets.ts'
import css from './Card.module.css'

interface Offers {
  readonly find: FindRecipe
  /** Jobs for which one recipe is offered above the cards. */
  readonly together: ReadonlySet<string>
}

const Offered = createContext<Offers>({ find: () => null, together: new Set() })

interface Offer {
  readonly recipe: FileRecipe
  readonly jobs: readonly Job[]
}

const takesRecipe = (job: Job): boolean => isUntouched(job) && isRead(job) && !isBusy(job)

const AS_KNOWN: SheetNames = new Map()

/** A job's settings according to a recipe. */
const settingsBy = (recipe: FileRecipe, sheets: SheetNames): JobSettings =>
  forSheets({ ...settingsOf(recipe), ...rowCountBy(recipe) }, sheets)

const isApplied = ({ recipe, sheets }: RecipeMatch, job: Job): boolean =>
  hasSettings(job, settingsBy(recipe, sureSheets(sheets) ?? AS_KNOWN))

/** The recipe that fits the columns of the most files, if it fits more than one. */
function offerFor(jobs: readonly Job[], find: FindRecipe): Offer | null {
  const byRecipe = new Map<FileRecipe, Job[]>()
  for (const job of jobs) {
    const match = takesRecipe(job) && job.detected ? find(job.detected) : null
    if (!match || differs(match) || isApplied(match, job)) continue
    const others = byRecipe.get(match.recipe)
    if (others) others.push(job)
    else byRecipe.set(match.recipe, [job])
  }
  const [most] = [...byRecipe].sort(([, a], [, b]) => b.length - a.length)
  return most && most[1].length > 1 ? { recipe: most[0], jobs: most[1] } : null
}

const differs = ({ missing, added, sheets }: RecipeMatch): boolean => missing.length + added.length + sheets.length > 0

/** Offers one recipe for all files with its columns, instead of on each card. */
export function RecipeForAll({ jobs, children }: { readonly jobs: readonly Job[]; readonly children: ReactNode }) {
  const recipes = useRecipes()
  const [dismissed, setDismissed] = useState<string | null>(null)
  const [notCombined, setNotCombined] = useState<string | null>(null)
  const apply = useApply()
  const applyCombined = useApplyCombined()
  const find = useMemo(() => recipeFinder(recipes), [recipes])
  const found = useMemo(() => offerFor(jobs, find), [jobs, find])
  const combined = useCombineOffer(jobs, recipes)
  const combine = combined && combined.recipe.id !== notCombined ? combined : null
  const offer = found && found.recipe.id !== dismissed && !combine ? found : null
  // Jobs change ten times a second during progress, but the cards only depend on ids.
  const together = combine?.files.map(({ job }) => job) ?? offer?.jobs ?? []
  const ids = JSON.stringify(together.map(({ id }) => id))
  const offers = useMemo(() => ({ find, together: new Set(JSON.parse(ids) as string[]) }), [find, ids])
  const differences = combine ? differencesIn(combine.files) : []
  return (
    <Offered value={offers}>
      {combine ? (
        <Suggestion
          flush
          title={combineTitle(combine.recipe, combine.files.length, differences.length > 0)}
          onApply={() => applyCombined(combine.recipe, together)}
          onDismiss={() => setNotCombined(combine.recipe.id)}
        >
          {differences.slice(0, NAMED).join(' ')}
          {differences.length > NAMED ? ` And ${plural(differences.length - NAMED, 'more difference')}.` : ''}
        </Suggestion>
      ) : null}
      {offer ? (
        <Suggestion
          flush
          title={`${plural(offer.jobs.length, 'file')} have the columns of your recipe “${offer.recipe.name}”.`}
          onApply={() => apply(offer.recipe, offer.jobs)}
          onDismiss={() => setDismissed(offer.recipe.id)}
        />
      ) : null}
      {children}
    </Offered>
  )
}

const combineTitle = ({ name }: CombinedRecipe, files: number, differ: boolean): string =>
  `${plural(files, 'file')} ${differ ? 'are like those' : 'have the columns'} of your recipe “${name}”, which makes one table of them.`

/** Offers a saved recipe for a file with the same or similar columns, unless something was changed by hand. */
export function RecipeSuggestion({ job }: { readonly job: Job }) {
  const { find, together } = useContext(Offered)
  const [dismissed, setDismissed] = useState(false)
  const [chosen, setChosen] = useState<SheetNames>(new Map())
  const apply = useApply()
  if (dismissed || together.has(job.id) || !job.detected || !isUntouched(job)) return null
  const match = find(job.detected)
  if (!match) return null
  const { recipe } = match
  if (isApplied(match, job)) return job.recipe === recipe.id ? null : <AsInRecipe name={recipe.name} />
  const sheets = chosenSheets(match.sheets, chosen)
  return (
    <Suggestion
      title={
        differs(match)
          ? `This file is like those of your recipe “${recipe.name}”.`
          : `This file has the columns of your recipe “${recipe.name}”.`
      }
      onApply={sheets ? () => apply(recipe, [job], sheets) : null}
      onDismiss={() => setDismissed(true)}
      fields={<SheetChoices match={match} chosen={chosen} onChoose={setChosen} />}
    >
      {sheetsText(match.sheets, match.otherSheets)}
      {match.missing.length > 0 ? `Not in this file: ${named(match.missing)}. ` : ''}
      {match.added.length > 0 ? `Not in the recipe: ${named(match.added)}.` : ''}
    </Suggestion>
  )
}

/** Says that a recipe fits when there is nothing to apply, so that nobody wonders whether it was found. */
function AsInRecipe({ name }: { readonly name: string }) {
  return <p className={css.quiet}>This file is already read and written as your recipe “{name}” says.</p>
}

/** Says which sheet of the recipe a file's sheets correspond to. */
function sheetsText(sheets: readonly SheetMatch[], others: readonly string[]): string {
  const read = sheets.flatMap(({ known, choices }) =>
    choices.length === 1 ? [`Its sheet “${choices[0]}” is read as “${known}”. `] : [],
  )
  return [...read, ...others.map((name) => `Not in the recipe: the sheet “${name}”. `)].join('')
}

interface ChoiceProps {
  readonly match: RecipeMatch
  readonly chosen: SheetNames
  readonly onChoose: (chosen: SheetNames) => void
}

/** Asks which sheet is which if only the person can know. */
function SheetChoices({ match, chosen, onChoose }: ChoiceProps) {
  const open = match.sheets.filter(({ choices }) => choices.length > 1)
  return open.map(({ known, choices }) => (
    <SelectField
      key={known}
      label={`Which sheet is “${known}” of the recipe?`}
      value={chosen.get(known) ?? ''}
      options={[{ value: '', label: 'Choose a sheet' }, ...choices.map((name) => ({ value: name, label: name }))]}
      onChange={(name) => {
        const next = new Map(chosen)
        if (name === '') next.delete(known)
        else next.set(known, name)
        onChoose(next)
      }}
    />
  ))
}

const NAMED = 6

function named(columns: readonly string[]): string {
  return listOf(
    columns.map((name) => name || 'a column without a name'),
    NAMED,
  )
}

/** Applies a recipe to files, with a way to undo it. Skips files with sheets that can't be assigned. */
export function useApply(): (recipe: FileRecipe, jobs: readonly Job[], chosen?: SheetNames) => void {
  const { store } = useConvert()
  return (recipe, jobs, chosen) => {
    const find = recipeFinder([recipe])
    const all = jobs.map((job) => {
      const sheets = (job.detected && find(job.detected)?.sheets) ?? []
      return { job, sheets, names: chosen ?? sureSheets(sheets) }
    })
    const sure = all.flatMap(({ job, names }) => (names ? [{ job, names }] : []))
    const unsure = all.filter(({ names }) => !names).map(({ job }) => `“${job.file.name}”`)
    const notes = all.map(({ sheets, names }) => (chosen || !names ? '' : sheetsText(sheets, []).trim()))
    const left =
      unsure.length > 0 ? `Not to ${unsure.join(', ')}: choose on the card which of the sheets is which.` : ''
    const description = [...new Set([...notes, left])].filter((each) => each !== '').join(' ')
    if (sure.length === 0) {
      toast({ title: `Recipe “${recipe.name}” isn’t applied`, description, tone: 'bad' })
      return
    }
    const before = sure.map(({ job }) => ({ id: job.id, settings: settingsOf(job), by: job.recipe }))
    store.together(sure, ({ job, names }) => store.applySettings(job.id, settingsBy(recipe, names), recipe.id))
    toast({
      title: `Recipe “${recipe.name}” applied${sure.length > 1 ? ` to ${sure.length} files` : ''}`,
      ...(description === '' ? {} : { description }),
      action: {
        label: 'Undo',
        run: () => store.together(before, ({ id, settings, by }) => store.applySettings(id, settings, by)),
      },
    })
  }
}

interface SuggestionProps {
  /** For use above the cards, with their width. */
  readonly flush?: boolean
  readonly title: string
  /** Null while a choice is missing. */
  readonly onApply: (() => void) | null
  readonly onDismiss: () => void
  readonly fields?: ReactNode
  readonly children?: ReactNode
}

function Suggestion({ flush, title, onApply, onDismiss, fields, children }: SuggestionProps) {
  return (
    <Notice
      tone="info"
      live="status"
      flush={flush}
      icon={<BookMarked aria-hidden />}
      actions={
        <>
          <Button size="small" disabled={!onApply} onClick={() => onApply?.()}>
            Apply recipe
          </Button>
          <Button size="small" look="quiet" onClick={onDismiss}>
            Not now
          </Button>
        </>
      }
    >
      <p>
        <strong>{title}</strong> {children}
      </p>
      {fields}
    </Notice>
  )
}
