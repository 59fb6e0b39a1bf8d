import { planProblems } from '../edits.ts'
import {
  choicesBy,
  combinePlan,
  inputTable,
  matchColumns,
  matchProblems,
  NO_CHOICES,
  type MatchChoices,
  type Matching,
} from './match.ts'
import type { CombineInput, CombinePlan, RecipePlace } from './plan.ts'
import type { ImportPlan } from '../plan.ts'
import type { CombineMember, CombineRecipe, MemberMatch } from '../recipes/combined.ts'
import type { CombinedRecipe } from '../recipes/recipe.ts'
import { stemOf } from '../file-names.ts'

/* Tables of several files that are combined into one. */

/** What is stored of a combination. Plain data. */
export interface CombinationSettings {
  /** Name of the output, without extension. */
  readonly name: string
  readonly parts: readonly CombinationPart[]
  readonly choices: MatchChoices
}

/** A table of a file in the queue. */
interface CombinationPart extends RecipePlace {
  readonly job: string
  readonly fileName: string
  /** Size of the file in bytes. */
  readonly size: number
  /** Sheet name; null for a file with a single table. */
  readonly table: string | null
}

/** Tables of files in the queue that are combined into one. */
export interface Combination extends CombinationSettings {
  /** Null while a file is being read, or isn't in the queue. */
  readonly matched: Matched | null
  /** Why it can't be converted yet. */
  readonly problems: readonly string[]
  /** Names of files that are no longer in the queue. */
  readonly gone: readonly string[]
}

interface Matched {
  readonly files: readonly File[]
  readonly inputs: readonly CombineInput[]
  readonly matching: Matching
}

/** What a combination needs from a file in the queue. */
export interface PartSource {
  readonly id: string
  readonly file: File
  /** Null until it's known. */
  readonly plan: ImportPlan | null
}

export function createCombination(settings: CombinationSettings): Combination {
  return { ...settings, matched: null, problems: [], gone: [] }
}

/** A combination of all included tables of these files. */
export function settingsFor(sources: readonly PartSource[]): CombinationSettings {
  const parts = sources.flatMap(({ id, file, plan }) => {
    const tables = plan?.tables.filter(({ include }) => include) ?? []
    return tables.map(({ name }) => ({ job: id, fileName: file.name, size: file.size, table: name }))
  })
  return { name: commonName(sources.map(({ file }) => file.name)), parts, choices: NO_CHOICES }
}

/** The combination of files that a recipe describes, each with the recipe's member that it matches. */
export function settingsBy(
  { name, combine }: CombinedRecipe,
  sources: readonly (Pick<PartSource, 'id' | 'file'> & Pick<MemberMatch, 'member' | 'sheets'>)[],
): CombinationSettings {
  const parts = sources.flatMap(({ id, file, member, sheets }) => {
    const tables = combine.members[member]?.tables ?? []
    return tables.map(({ table: known }): CombinationPart => {
      const table = sheets.get(known ?? '') ?? known
      const renamed = known === null || table === known ? {} : { knownAs: known }
      return { job: id, fileName: file.name, size: file.size, table, member, ...renamed }
    })
  })
  const members = combine.members.map(({ tables }) => tables)
  return {
    name: safeName(combine.name ?? '') || commonName(sources.map(({ file }) => file.name)),
    parts,
    choices: choicesBy({ name, columns: combine.columns, members, accepted: [] }, combine),
  }
}

/** What a recipe stores of a file: its columns before and after its settings, and the settings. */
export type KeptFile = Pick<CombineMember, 'matches' | 'request' | 'edits'>

/** The combination as a part of a recipe for similar files; null while it can't be made. */
export function recipePartOf(
  { name, parts, choices, matched: known }: Combination,
  keptOf: (id: string) => KeptFile | null,
): CombineRecipe | null {
  if (!known) return null
  const ids = [...new Set(parts.map(({ job }) => job))]
  const files = ids.flatMap((id) => {
    const inputs = parts.flatMap(({ job }, i) => (job === id ? [i] : []))
    const file = keptOf(id)
    return file ? [{ ...file, inputs }] : []
  })
  const isOwn = name !== commonName(parts.map(({ fileName }) => fileName))
  return files.length === ids.length ? combineRecipeOf(known.matching, choices, files, isOwn ? name : undefined) : null
}

/** Updates the combination with the current files. Returns the same object if nothing changed. */
export function withSources(combination: Combination, find: (id: string) => PartSource | undefined): Combination {
  const sources = combination.parts.map(({ job }) => find(job))
  const gone = [...new Set(combination.parts.filter((_, i) => !sources[i]).map(({ fileName }) => fileName))]
  const present = sources.filter((source) => source !== undefined)
  const plans = present.map(({ plan }) => plan)
  if (gone.length > 0 || plans.includes(null)) {
    if (!combination.matched && combination.gone.join('\n') === gone.join('\n')) return combination
    return { ...combination, matched: null, problems: [], gone }
  }
  const before = combination.matched
  if (before && plans.every((plan, i) => before.inputs[i]?.plan === plan)) return combination
  const inputs = combination.parts.flatMap(({ fileName, table }, i): CombineInput[] => {
    const plan = plans[i]
    const index = plan?.tables.findIndex(({ name }) => name === table) ?? -1
    return plan && index >= 0 ? [{ file: fileName, plan, table: index }] : []
  })
  return matched(
    { ...combination, gone: [] },
    present.map(({ file }) => file),
    inputs,
  )
}

function matched(combination: Combination, files: readonly File[], inputs: readonly CombineInput[]): Combination {
  const { parts, choices } = combination
  if (inputs.length < parts.length) {
    return { ...combination, matched: null, problems: ['A sheet is no longer there. Remove this, and combine again.'] }
  }
  const tables = inputs.map((input, i) => inputTable(partId(parts[i]), input, placeOf(parts[i])))
  const matching = matchColumns(tables, choices)
  const problems = [...new Set(inputs.map(({ plan }) => plan))].flatMap((plan, i) =>
    planProblems(plan).map((problem) => `“${inputs[i]?.file ?? ''}”: ${problem}`),
  )
  return { ...combination, matched: { files, inputs, matching }, problems: [...problems, ...matchProblems(matching)] }
}

const placeOf = ({ member, knownAs }: RecipePlace = {}): RecipePlace => ({
  ...(member === undefined ? {} : { member }),
  ...(knownAs === undefined ? {} : { knownAs }),
})

const partId = (part: CombinationPart | undefined): string => JSON.stringify([part?.job, part?.table])

export function withChoices(combination: Combination, choices: MatchChoices): Combination {
  const next = { ...combination, choices }
  return next.matched ? matched(next, next.matched.files, next.matched.inputs) : next
}

/** Without the files that are no longer in the queue. */
export function withoutGone(combination: Combination): Combination {
  const parts = combination.parts.filter(({ fileName }) => !combination.gone.includes(fileName))
  return { ...combination, parts, gone: [] }
}

/** Without one of its tables, by index. Its file stays in the queue. */
export function withoutPart(combination: Combination, index: number): Combination {
  const { parts, name } = combination
  const left = parts.toSpliced(index, 1)
  const nameOf = (of: typeof parts): string => commonName(of.map(({ fileName }) => fileName))
  return { ...combination, parts: left, matched: null, name: name === nameOf(parts) ? nameOf(left) : name }
}

export function isConvertible({ matched: known, problems }: Combination): boolean {
  return known !== null && problems.length === 0 && known.matching.differences.length === 0
}

/** The engine's request. */
export function combineRequest({ name, choices, matched: known }: Combination): {
  readonly name: string
  readonly inputs: readonly Omit<CombineInput, 'file'>[]
  readonly combine: CombinePlan
  readonly files: readonly File[]
} {
  if (!known) throw new Error('the files aren’t read')
  const inputs = known.inputs.map(({ plan, table }) => ({ plan, table }))
  return { name, inputs, combine: combinePlan(known.matching, choices), files: known.files }
}

export function kept({ name, parts, choices }: Combination): CombinationSettings {
  return { name, parts, choices }
}

/** A name without characters that some file systems don't allow; may be empty. */
export const safeName = (name: string): string => name.replaceAll(/[/\\:*?"<>|\p{Cc}]/gu, '_').trim()

/** The common beginning of file names, up to the end of a word: `orders-2024` for `orders-2024-01.csv` and so on. */
export function commonName(fileNames: readonly string[]): string {
  const stems = fileNames.map(stemOf)
  const [first = ''] = stems
  let length = first.length
  for (const stem of stems) while (!stem.startsWith(first.slice(0, length))) length--
  const isLetter = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char)
  const cutsWord = stems.some((stem) => isLetter(stem[length]) && isLetter(stem[length - 1]))
  let common = first.slice(0, length)
  if (cutsWord) common = common.replace(/[\p{L}\p{N}]+$/u, '')
  return common.replace(/[\s._(-]+$/, '') || 'combined'
}

/**
 * Restores a combination from an earlier visit with the files now in the queue; null while some are missing. A file
 * that was added again is found by name and size.
 */
export function rejoined(settings: CombinationSettings, live: readonly PartSource[]): CombinationSettings | null {
  const parts = settings.parts.map((part) => {
    const found =
      live.find(({ id }) => id === part.job) ??
      live.find(({ file }) => file.name === part.fileName && file.size === part.size)
    return found && { ...part, job: found.id }
  })
  const known = parts.filter((part) => part !== undefined)
  return known.length === parts.length ? { ...settings, parts: known } : null
}

/** A file of a combination. */
interface CombinedFile extends Omit<CombineMember, 'tables'> {
  /** Indexes of the inputs that are its tables. */
  readonly inputs: readonly number[]
}

/**
 * A recipe that makes the same table of similar files.
 * @param name the output's name, if it isn't the common part of the files' names
 */
export function combineRecipeOf(
  { inputs, columns }: Matching,
  { fileColumn, rowColumn }: MatchChoices,
  files: readonly CombinedFile[],
  name?: string,
): CombineRecipe {
  const members = files.map(({ inputs: own, matches, request, edits }): CombineMember => {
    const tables = own.map((i) => ({
      table: inputs[i]?.table ?? null,
      columns: columns.flatMap(({ name: into, cells }) => {
        const cell = cells[i]
        return cell ? [{ source: cell.source, nth: cell.nth, into }] : []
      }),
    }))
    return { matches, request, edits, tables }
  })
  return {
    ...(name === undefined ? {} : { name }),
    members: [...new Map(members.map((member) => [JSON.stringify(member), member])).values()],
    columns: columns.map(({ name: called, type, include, expected, cells }) => {
      return { name: called, type, include, inAll: !cells.includes(null) && expected?.inAll !== false }
    }),
    fileColumn,
    rowColumn,
  }
}
