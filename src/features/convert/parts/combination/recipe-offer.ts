import { useMemo } from 'react'
import { quotedList } from '../../../../lib/text.ts'
import { memberFor, type MemberMatch } from '../../../../tables/recipes/combined.ts'
import {
  combinedRecipeFinder,
  rowCountBy,
  type CombinedRecipe,
  type Recipe,
} from '../../../../tables/recipes/recipe.ts'
import { forSheets } from '../../../../tables/recipes/sheets.ts'
import { plural } from '../../../../ui/format.ts'
import { toast } from '../../../../ui/overlays/toasts.ts'
import { useConvert } from '../../context.tsx'
import { settingsBy } from '../../../../tables/combine/combination.ts'
import { isBusy, isRead, isUntouched, settingsOf, type Job } from '../../model/job.ts'
import { useRemove } from '../../queue-actions.ts'

interface CombineOffer {
  readonly recipe: CombinedRecipe
  readonly files: readonly MatchedFile[]
}

interface MatchedFile {
  readonly job: Job
  readonly match: MemberMatch
}

/** The recipe that combines the most files, if it combines more than one. */
export function useCombineOffer(jobs: readonly Job[], recipes: readonly Recipe[]): CombineOffer | null {
  const find = useMemo(() => combinedRecipeFinder(recipes), [recipes])
  return useMemo(() => {
    const used = new Set(jobs.flatMap(({ combination }) => combination?.parts.map(({ job }) => job) ?? []))
    const byRecipe = new Map<CombinedRecipe, MatchedFile[]>()
    for (const job of jobs) {
      if (used.has(job.id) || !job.detected || !isUntouched(job) || !isRead(job) || isBusy(job)) continue
      const found = find(job.detected)
      if (found) byRecipe.set(found.recipe, [...(byRecipe.get(found.recipe) ?? []), { job, match: found.member }])
    }
    const [most] = [...byRecipe].sort(([, a], [, b]) => b.length - a.length)
    return most && most[1].length > 1 ? { recipe: most[0], files: most[1] } : null
  }, [jobs, find])
}

/** The differences from the recipe and the files that have them, one sentence each. */
export function differencesIn(files: readonly MatchedFile[]): string[] {
  const labels = (pick: (match: MemberMatch) => readonly string[]): Map<string, string[]> => {
    const byColumn = new Map<string, string[]>()
    for (const { job, match } of files) {
      for (const column of pick(match)) byColumn.set(column, [...(byColumn.get(column) ?? []), job.file.name])
    }
    return byColumn
  }
  const missing = [...labels((match) => match.missing)]
  const added = [...labels((match) => match.added)]
  const sheets = [...labels((match) => match.otherSheets)]
  const renamed = files.flatMap(({ job, match }) =>
    [...match.sheets].map(([known, now]) => ({ file: job.file.name, known, now })),
  )
  const [first] = renamed
  return [
    ...(first
      ? [
          `The sheet “${first.known}” is “${first.now}” in “${first.file}”${renamed.length > 1 ? ', and other sheets are called otherwise, too' : ''}.`,
        ]
      : []),
    ...missing.map(([column, names]) => `“${column}” isn’t in ${quotedList(names)}.`),
    ...added.map(([column, names]) => `“${column}” of ${quotedList(names)} isn’t in the recipe.`),
    ...sheets.map(
      ([sheet, names]) => `The sheet “${sheet}” of ${quotedList(names)} isn’t in the recipe, and not combined.`,
    ),
  ]
}

/** Combines files by a recipe, with a way to undo it. */
export function useApplyCombined(): (recipe: CombinedRecipe, jobs: readonly Job[]) => void {
  const { store, newId } = useConvert()
  const remove = useRemove()
  return (recipe, jobs) => {
    const files = jobs.map((job) => ({ job, match: job.detected && memberFor(recipe.combine, job.detected) }))
    const others = files.filter(({ match }) => !match).map(({ job }) => job.file.name)
    if (others.length > 0 || files.length < 2) {
      const description =
        others.length > 0
          ? `${quotedList(others)} ${others.length === 1 ? 'has' : 'have'} other columns than the files that it was made for.`
          : 'It makes one table of several files. Select two or more.'
      toast({ title: `Recipe “${recipe.name}” can’t be applied`, description, tone: 'bad' })
      return
    }
    const before = jobs.map((job) => ({ id: job.id, settings: settingsOf(job) }))
    const id = newId()
    const members = files.flatMap(({ job, match }) =>
      match ? [{ id: job.id, file: job.file, member: match.member, sheets: match.sheets }] : [],
    )
    store.together(members, ({ id: file, member, sheets }) => {
      const known = recipe.combine.members[member]
      if (known) store.change(file, forSheets(known, sheets))
    })
    store.addCombination(id, settingsBy(recipe, members), {
      ...recipe,
      ...rowCountBy(recipe),
      request: {},
      edits: [],
    })
    toast({
      title: `Recipe “${recipe.name}” applied: ${plural(jobs.length, 'file')} become one table`,
      action: {
        label: 'Undo',
        run: () => {
          remove({ ids: [id] })
          store.together(before, ({ id: file, settings }) => store.applySettings(file, settings))
        },
      },
    })
  }
}
