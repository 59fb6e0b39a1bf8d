import type { JobSettings } from '../../../tables/recipes/recipe.ts'
import type { OutputStore } from '../../../engine/client.ts'
import type { ToastMessage } from '../../../ui/overlays/toasts.ts'
import { plural } from '../../../ui/format.ts'
import { isSaved, nameOf, type Job, type JobResult } from '../model/job.ts'
import { filesOf, type JobRecord } from '../model/records.ts'
import type { ConvertStore } from './store.ts'

/** What the person wants gone: jobs of this tab by their ids, and records of others. */
export interface Unwanted {
  readonly ids?: readonly string[]
  readonly records?: readonly JobRecord[]
  /** Records of files that were combined into those: they go with them. */
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
  /** Keeps every tab from sweeping as long as the work goes on. */
  readonly making: (work: () => Promise<void>) => Promise<void>
  readonly toast: (message: ToastMessage) => void
}

type Thing = Pick<Job, keyof JobSettings | 'result' | 'draft'> & {
  readonly name: string
  readonly combination?: JobRecord['combination']
  /** What was to be made of it and other files. */
  readonly usedFor?: string | undefined
}

/**
 * Removes jobs, with a way back as long as the toast is there. The records go at once, and that is what says that the
 * files are to go: should the page be left meanwhile, the next start sweeps what no record names. Resolves when the
 * records are gone.
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
      // What can't be removed now is swept when the app next starts.
      await Promise.allSettled([...files.map(({ id }) => deps.outputs.remove(id)), deps.sources.remove(all)])
    })
  })
}

/** Whether the person takes it back; false once the toast is gone, at once where there's nothing to take back. */
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

/** A file that was made and isn't anywhere else yet, or anything made by hand. */
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
