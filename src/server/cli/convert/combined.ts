import path from 'node:path'
import { plural } from '../../../lib/counts.ts'
import {
  combineRequest,
  createCombination,
  settingsBy,
  settingsFor,
  withChoices,
  withSources,
  type Combination,
  type PartSource,
} from '../../../tables/combine/combination.ts'
import { quotedList } from '../../../lib/text.ts'
import { withAccepted } from '../../../tables/combine/match.ts'
import { applyEdits } from '../../../tables/edits.ts'
import { memberFor, type MemberMatch } from '../../../tables/recipes/combined.ts'
import { forSheets } from '../../../tables/recipes/sheets.ts'
import { isFileRecipe, type CombinedRecipe } from '../../../tables/recipes/recipe.ts'
import { signatureOf } from '../../../tables/recipes/signature.ts'
import { combine } from '../../engine/engine.ts'
import { openFile } from '../../engine/files.ts'
import { Failed } from '../io.ts'
import { look, sourceOf, type Named } from '../reading.ts'
import { failureOf, sentenceOf } from '../words.ts'
import { folderOf, planOf } from './each.ts'
import { ACCEPT_COLUMNS, Held } from './held.ts'
import { outcomeOf, type Context, type Outcome, type Work } from './make.ts'
import type { CombineSettings } from './settings.ts'

/** The outcome of combining files, for programs. */
export type CombinedTable = Outcome & {
  readonly files: readonly string[]
  /** Columns that might be the same, but weren't joined. */
  readonly proposals: readonly Proposed[]
}

interface Proposed {
  readonly from: string
  readonly into: string
  readonly reason: string
}

/** A file that was read. With a recipe that combines files, also which of the recipe's kinds of files it is. */
type Part = PartSource & Partial<Pick<MemberMatch, 'member' | 'sheets'>>

/** Combines all files into one table. */
export async function combineAll(
  files: readonly Named[],
  settings: CombineSettings,
  context: Context,
): Promise<CombinedTable> {
  const label = plural(files.length, 'file')
  let proposals: readonly Proposed[] = []
  const begin = async (): Promise<Work> => {
    const combination = decided(await begun(files, settings, context), settings)
    proposals = proposalsOf(combination)
    const { files: sources, ...what } = combineRequest(combination)
    return {
      label,
      sources,
      folder: folderOf(files[0], settings),
      stem: combination.name,
      isOne: true,
      make: (options) => combine(sources, { ...what, ...settings.written }, options),
    }
  }
  const outcome = await outcomeOf(label, begin, settings, context)
  if (context.isPlain && outcome.status === 'done') await context.io.out(proposalLines(proposals))
  return { files: files.map(({ argument }) => argument), ...outcome, proposals }
}

/** The combination of the files with the recipe and the options, before anything was accepted. */
async function begun(files: readonly Named[], settings: CombineSettings, context: Context): Promise<Combination> {
  const { recipe, name, fileColumn, rowColumn } = settings
  const parts = await readAll(files, settings, context)
  const find = (id: string): Part | undefined => parts.find((part) => part.id === id)
  const own =
    recipe && !isFileRecipe(recipe)
      ? settingsBy(
          recipe,
          parts.map((part) => ({ ...part, member: part.member ?? 0, sheets: part.sheets ?? new Map() })),
        )
      : settingsFor(parts)
  const choices = {
    ...own.choices,
    ...(fileColumn === null ? {} : { fileColumn }),
    ...(rowColumn === null ? {} : { rowColumn }),
  }
  return withSources(createCombination({ ...own, name: name ?? own.name, choices }), find)
}

/**
 * Inspects all files, even after one that can't be read.
 * @throws {Failed} that says which files can't be combined, and why
 */
async function readAll(files: readonly Named[], settings: CombineSettings, context: Context): Promise<readonly Part[]> {
  const names = namesAmong(files, context)
  const parts: Part[] = []
  const errors: { readonly file: string; readonly error: unknown }[] = []
  for (const [i, file] of files.entries()) {
    try {
      parts.push(await partOf(file, names[i], settings, context))
    } catch (error) {
      context.progress.clear()
      context.io.signal.throwIfAborted()
      errors.push({ file: file.argument, error })
    }
  }
  if (errors.length === 0) return parts
  const lines = errors.flatMap(({ file, error }) => [
    `  ${file}: ${sentenceOf(failureOf(error))}`,
    ...(error instanceof Held ? error.lines.map((line) => `  ${line}`) : []),
  ])
  const [{ error }] = errors
  if (errors.every((each) => each.error instanceof Held) && error instanceof Held) {
    const remedy = `Nothing was made. ${error.remedy ?? ''}`.trim()
    throw new Held(`${plural(errors.length, 'file')} can’t be combined as they are.`, remedy, lines)
  }
  throw new Failed(
    'not-combined',
    `${plural(errors.length, 'file')} can’t be combined:\n${lines.join('\n')}\n`,
    'Nothing was made. Fix them, or leave them out.',
  )
}

async function partOf(file: Named, name: string, settings: CombineSettings, context: Context): Promise<Part> {
  const { recipe } = settings
  const id = placeOf(file, context)
  const given = sourceOf(file)
  const source =
    given instanceof File
      ? new File([given], name, { lastModified: given.lastModified })
      : await openFile(file.path, name)
  if (!recipe || isFileRecipe(recipe)) {
    return { id, file: source, plan: await planOf(file, recipe, settings, context, source) }
  }
  return { id, file: source, ...(await memberOf(file, source, recipe, settings, context)) }
}

/** Inspects a file with the recipe's settings for files of its kind. */
async function memberOf(
  file: Named,
  source: File,
  { combine: { members, ...others } }: CombinedRecipe,
  { request: given }: CombineSettings,
  { io, progress }: Context,
): Promise<Required<Pick<Part, 'plan' | 'member' | 'sheets'>>> {
  const found = await look(file, given, io, progress, source)
  const match = memberFor({ members, ...others }, signatureOf(found))
  if (!match) {
    throw new Failed('other-columns', 'Its columns differ from those of the files that the recipe was made for.')
  }
  const { member, sheets, otherSheets } = match
  if (otherSheets.length > 0) {
    throw new Failed('other-columns', `The recipe doesn’t know ${quotedList(otherSheets)} among its sheets.`)
  }
  const { request, edits } = forSheets(members[member], sheets)
  const isOther = Object.keys(request).length > 0
  const inspection = isOther ? await look(file, { ...request, ...given }, io, progress, source) : found
  return { plan: applyEdits(inspection, edits), member, sheets }
}

/** The values of the file column: file names, with as many of their folders as are needed to be unique. */
function namesAmong(files: readonly Named[], context: Context): string[] {
  const names = files.map(({ path: at }) => path.basename(at))
  if (new Set(names).size === names.length) return names
  const places = files.map((file) => placeOf(file, context))
  const [first, ...others] = places.map((at) => path.dirname(at).split(path.sep))
  const differs = first.findIndex((folder, i) => others.some((folders) => folders[i] !== folder))
  const common = differs < 0 ? first.length : differs
  return places.map((at) => at.split(path.sep).slice(common).join('/'))
}

/** A file's path, treating archives as folders. */
const placeOf = ({ argument }: Named, { io }: Context): string => path.resolve(io.folder, argument)

/**
 * The combination with everything that the person has accepted.
 * @throws {Failed} if it can't be made
 */
function decided(given: Combination, { accepts }: CombineSettings): Combination {
  let combination = accepts.proposals ? withProposals(given) : given
  const { matched, problems } = combination
  if (!matched || matched.inputs.length < 2) {
    throw new Failed('not-combined', 'There is only one table.', 'Name two files or more.')
  }
  if (problems.length > 0) throw new Failed('not-combined', problems.join(' '))
  const { differences } = matched.matching
  if (differences.length === 0) return combination
  if (!accepts.columns) {
    const lines = differences.map(({ message }) => `  ${message}`)
    throw new Held('These files differ from the recipe.', `Nothing was made. ${ACCEPT_COLUMNS}`, lines)
  }
  const accepted = differences.map(({ key }) => key)
  combination = withChoices(combination, withAccepted(combination.choices, accepted))
  return combination
}

/** Joins all columns that are proposed, and repeats that with the proposals that result. */
function withProposals(given: Combination): Combination {
  let combination = given
  for (;;) {
    const { matched, choices } = combination
    const proposals = matched?.matching.proposals ?? []
    const joined = [...choices.joined, ...proposals.map(({ into, from }) => ({ into, from }))]
    const next = withChoices(combination, { ...choices, joined })
    const isLess = (next.matched?.matching.columns.length ?? 0) < (matched?.matching.columns.length ?? 0)
    if (proposals.length === 0 || !isLess) return combination
    combination = next
  }
}

function proposalsOf({ matched }: Combination): Proposed[] {
  const { proposals = [], columns = [] } = matched?.matching ?? {}
  const nameOf = (key: string): string => columns.find((column) => column.key === key)?.name ?? key
  return proposals.map(({ from, into, reason }) => ({ from: nameOf(from), into: nameOf(into), reason }))
}

const proposalLines = (proposals: readonly Proposed[]): string =>
  proposals
    .map(
      ({ from, into, reason }) => `  “${from}” may be “${into}”: ${reason} Add --accept-proposals to make them one.\n`,
    )
    .join('')
