import BookMarked from 'lucide-react/icons/book-marked'
import { createContext, useContext, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { plural } from '../../../ui/format.ts'
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

interface Offers {
  readonly find: FindRecipe
  /** Jobs for which a recipe is offered at once, above their cards. */
  readonly together: ReadonlySet<string>
}

const Offered = createContext<Offers>({ find: () => null, together: new Set() })

interface Offer {
  readonly recipe: FileRecipe
  readonly jobs: readonly Job[]
}

const takesRecipe = (job: Job): boolean => isUntouched(job) && isRead(job) && !isBusy(job)

/** What a job is set to where a recipe is applied to it. */
const settingsBy = (recipe: FileRecipe): JobSettings => ({ ...settingsOf(recipe), ...rowCountBy(recipe) })

const isApplied = (recipe: FileRecipe, job: Job): boolean => hasSettings(job, settingsBy(recipe))

/** The recipe that fits the columns of most files, where it's more than one. */
function offerFor(jobs: readonly Job[], find: FindRecipe): Offer | null {
  const byRecipe = new Map<FileRecipe, Job[]>()
  for (const job of jobs) {
    const match = takesRecipe(job) && job.detected ? find(job.detected) : null
    if (!match || differs(match) || isApplied(match.recipe, job)) continue
    const others = byRecipe.get(match.recipe)
    if (others) others.push(job)
    else byRecipe.set(match.recipe, [job])
  }
  const [most] = [...byRecipe].sort(([, a], [, b]) => b.length - a.length)
  return most && most[1].length > 1 ? { recipe: most[0], jobs: most[1] } : null
}

const differs = ({ missing, added }: RecipeMatch): boolean => missing.length + added.length > 0

/** Offers one recipe for all files with its columns, instead of a card at a time. */
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
  // Progress changes jobs ten times a second; the cards depend on the ids alone.
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

/** Offers what was once saved for files of these columns or like them, as long as nothing was changed by hand. */
export function RecipeSuggestion({ job }: { readonly job: Job }) {
  const { find, together } = useContext(Offered)
  const [dismissed, setDismissed] = useState(false)
  const apply = useApply()
  if (dismissed || together.has(job.id) || !job.detected || !isUntouched(job)) return null
  const match = find(job.detected)
  if (!match || isApplied(match.recipe, job)) return null
  const { recipe } = match
  return (
    <Suggestion
      title={
        differs(match)
          ? `This file is like those of your recipe “${recipe.name}”.`
          : `This file has the columns of your recipe “${recipe.name}”.`
      }
      onApply={() => apply(recipe, [job])}
      onDismiss={() => setDismissed(true)}
    >
      {match.missing.length > 0 ? `Not in this file: ${named(match.missing)}. ` : ''}
      {match.added.length > 0 ? `Not in the recipe: ${named(match.added)}.` : ''}
    </Suggestion>
  )
}

const NAMED = 6

function named(columns: readonly string[]): string {
  const names = columns.slice(0, NAMED).map((name) => name || 'a column without a name')
  return columns.length > NAMED ? `${names.join(', ')} and ${columns.length - NAMED} more` : names.join(', ')
}

/** Takes a recipe over for some files, with a way back. */
export function useApply(): (recipe: FileRecipe, jobs: readonly Job[]) => void {
  const { store } = useConvert()
  return (recipe, jobs) => {
    const before = jobs.map((job) => ({ id: job.id, settings: settingsOf(job) }))
    for (const { id } of jobs) store.applySettings(id, settingsBy(recipe))
    toast({
      title: `Recipe “${recipe.name}” applied${jobs.length > 1 ? ` to ${jobs.length} files` : ''}`,
      action: {
        label: 'Undo',
        run: () => {
          for (const { id, settings } of before) store.applySettings(id, settings)
        },
      },
    })
  }
}

interface SuggestionProps {
  /** Above the cards, as wide as they are. */
  readonly flush?: boolean
  readonly title: string
  readonly onApply: () => void
  readonly onDismiss: () => void
  readonly children?: ReactNode
}

function Suggestion({ flush, title, onApply, onDismiss, children }: SuggestionProps) {
  return (
    <Notice
      tone="info"
      live="status"
      flush={flush}
      icon={<BookMarked aria-hidden />}
      actions={
        <>
          <Button size="small" onClick={onApply}>
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
    </Notice>
  )
}
