import type { JobSettings } from '../../../tables/recipes/recipe.ts'
import type { OutputStore } from '../../../engine/client.ts'
import type { ToastMessage } from '../../../ui/overlays/toasts.ts'
import { plural } from '../../../ui/format.ts'
import { isSaved, nameOf, type Job, type JobResult } from '../model/job.ts'
import { filesOf, type JobRecord } from '../model/records.ts'
import type { ConvertStore } from './store.ts'

/** What to remove: jobs of this tab by id, and records of other ones. */
export interface Unwanted {
  readonly ids?: readonly string[]
  readonly records?: readonly JobRecord[]
  /** Records of the files that were combined to those; they are removed, too. */
  readonly parts?: readonly JobRecord[]
}

interface RemovalDependencies {
  readonly store: Pick<ConvertStore, 'take' | 'putBack' | 'snapshot'>
  readonly outputs: Pick<OutputStore, 'remove'>
  readonly records: {
    readonly put: (records: readonly JobRecord[]) => Promise<void>
    readonly remove: (ids: readonly string[]) => Promise<void>
  }
  readonly sources: { readonly remove: (ids: readonly string[]) => Promise<void> }
  /** Prevents all tabs from sweeping while the work runs. */
  readonly making: (work: () => Promise<void>) => Promise<void>
  readonly toast: (message: ToastMessage) => void
}

type Thing = Pick<Job, keyof JobSettings | 'result' | 'draft'> & {
  readonly name: string
  readonly combination?: JobRecord['combination']
  /** The combination that a file is part of. */
  readonly usedFor?: string | undefined
}

/**
 * Removes jobs, with a way to undo it while the toast is shown. Records are removed at once, which marks the files for
 * removal: if the page is closed meanwhile, the next start sweeps files without a record. Resolves when the records are
 * removed.
 */
export function remove(deps: RemovalDependencies, { ids = [], records = [], parts = [] }: Unwanted): Promise<void> {
  const taken = deps.store.take(new Set(ids))
  const things: Thing[] = [
    ...taken.map(({ job }) => ({ ...job, name: nameOf(job), usedFor: useOf(job.id, deps.store.snapshot()) })),
    ...records.map((record) => ({ ...record, name: record.fileName })),
  ]
  if (things.length === 0) return Promise.resolve()
  return new Promise((resolve) => {
    void deps.making(async () => {
      const all = [...taken.map(({ job }) => job.id), ...[...records, ...parts].map(({ id }) => id)]
      const gone = deps.records.remove(all)
      const undone = askUndo(deps, things)
      await gone
      resolve()
      if (await undone) {
        deps.store.putBack(taken)
        await deps.records.put([...records, ...parts])
        return
      }
      const files = things.flatMap(({ result }) => filesOf(result))
      // What can't be removed now is swept at the next start.
      await Promise.allSettled([...files.map(({ id }) => deps.outputs.remove(id)), deps.sources.remove(all)])
    })
  })
}

/** Whether the person undoes it; false once the toast has closed, or at once if there's nothing worth restoring. */
function askUndo({ toast }: RemovalDependencies, things: readonly Thing[]): Promise<boolean> {
  if (!things.some(isWorthUndoing)) return Promise.resolve(false)
  return new Promise((resolve) => {
    toast({
      ...words(things),
      action: { label: 'Undo', run: () => resolve(true) },
      onGone: () => resolve(false),
    })
  })
}

/** Whether there's something to lose: outputs that weren't saved elsewhere, or settings made by hand. */
function isWorthUndoing({ result, edits, request, ...made }: Thing): boolean {
  const byHand = [made.usedFor, made.combination, made.split, made.rowCount, made.shape, made.draft]
  return (
    isUnsaved(result) ||
    edits.length > 0 ||
    Object.keys(request).length > 0 ||
    byHand.some((each) => each !== undefined)
  )
}

/** The combination that a file is part of. */
function useOf(id: string, jobs: readonly Job[]): string | undefined {
  const user = jobs.find(({ combination }) => combination?.parts.some(({ job }) => job === id))
  return user && nameOf(user)
}

const isUnsaved = (result: JobResult | null): boolean => result !== null && !isSaved(result)

function words(things: readonly Thing[]): Pick<ToastMessage, 'title' | 'description'> {
  const [only] = things
  const title =
    things.length === 1 && only ? `“${only.name}” removed` : `${plural(things.length, 'conversion')} removed`
  const description = [unsavedIn(things), useIn(things)].filter((sentence) => sentence !== null).join(' ')
  return description === '' ? { title } : { title, description }
}

function unsavedIn(things: readonly Thing[]): string | null {
  const unsaved = things.filter(({ result }) => isUnsaved(result)).length
  if (unsaved === 0) return null
  if (things.length === 1) return 'What it was converted to wasn’t downloaded.'
  if (unsaved === things.length) return 'None of them was downloaded.'
  return `${unsaved} of them ${unsaved === 1 ? 'wasn’t' : 'weren’t'} downloaded.`
}

function useIn(things: readonly Thing[]): string | null {
  const names = [...new Set(things.flatMap(({ usedFor }) => usedFor ?? []))]
  if (names.length === 0) return null
  const pronoun = things.length === 1 ? 'it' : 'them'
  return `${names.map((name) => `“${name}”`).join(' and ')} can’t be combined without ${pronoun}, unless you say so there.`
}
