import { occurrences } from '../edits.ts'
import { uniqueNames } from '../names.ts'
import { typeWords } from '../type-names.ts'
import { columnPlacer, type AppliedRecipe, type Difference, type RecipeColumn } from '../recipes/combined.ts'
import { parseType, printType, sameType, VARCHAR } from '../types.ts'
import { foundOf } from '../changes/verbatim.ts'
import { quotedList } from '../../lib/text.ts'
import { bareName } from './likeness.ts'
import {
  labelOf,
  type CombinedColumn,
  type CombineInput,
  type CombinePlan,
  type InputColumn,
  type InputTable,
  type RecipePlace,
  type MatchedColumn,
} from './plan.ts'
import { proposalsFor, type Proposal } from './propose.ts'
import { isInteger, unify } from './unify.ts'

/** The user's choices about matching columns. They use names, so that they survive reading a file again. Plain data. */
export interface MatchChoices {
  /** Columns that were declared to be the same, by key. */
  readonly joined: readonly { readonly into: string; readonly from: string }[]
  /** Which column of an input goes into a column, by name; null for none. */
  readonly cells: readonly { readonly input: string; readonly key: string; readonly name: string | null }[]
  /** Keys of excluded columns. */
  readonly leftOut: readonly string[]
  readonly fileColumn: boolean
  readonly rowColumn: boolean
  readonly recipe?: AppliedRecipe
}

/** By default a column with the file's name is added, since it may say what the rows don't, such as their month. */
export const NO_CHOICES: MatchChoices = { joined: [], cells: [], leftOut: [], fileColumn: true, rowColumn: false }

export interface Matching {
  readonly inputs: readonly InputTable[]
  readonly columns: readonly MatchedColumn[]
  readonly proposals: readonly Proposal[]
  /** Differences from the applied recipe that the user hasn't accepted yet. */
  readonly differences: readonly Difference[]
}

export function inputTable(id: string, input: CombineInput, place: RecipePlace = {}): InputTable {
  const table = input.plan.tables[input.table]
  const nth = occurrences(table?.columns ?? [])
  const columns = (table?.columns ?? []).flatMap((column, index) => {
    if (!table || !column.include) return []
    const { name, source, type } = column
    const empty = foundOf(table, column)?.flags.includes('empty') ?? false
    return [{ index, name, source, nth: nth[index] ?? 0, type, empty }]
  })
  const rows = table?.found?.rows ?? 0
  return {
    id,
    label: labelOf(input),
    rows,
    table: table?.name ?? null,
    columns,
    ...place,
  }
}

interface Group {
  readonly key: string
  /** The recipe's column, which keeps its name and is always included. */
  readonly expected?: RecipeColumn
  readonly cells: (InputColumn | null)[]
}

/**
 * Matches the inputs' columns: first by equal names, then by names that differ only in case, blanks and punctuation,
 * then by the user's choices. Other likely matches are proposed.
 */
export function matchColumns(inputs: readonly InputTable[], choices: MatchChoices): Matching {
  const { recipe } = choices
  const begun = recipe ? byRecipe(inputs, recipe) : byName(inputs)
  const groups = chosen(joined(bySpelling(begun), choices), inputs, choices)
  const names = uniqueNames(
    groups.map(({ key, expected, cells }) =>
      expected || cells.some((cell) => cell?.name === key) ? key : nameOf(cells),
    ),
  )
  const leftOut = new Set(choices.leftOut)
  const columns = groups.map((group, i): MatchedColumn => {
    const { key } = group
    return { ...group, name: names[i] ?? key, type: typeOf(group), include: !leftOut.has(key) }
  })
  const differences = recipe ? differencesFrom(recipe, columns, inputs) : []
  return { inputs, columns, proposals: proposalsFor(columns, inputs), differences }
}

/** Starts with the recipe's columns and the names that it knows for them, then adds unknown columns. */
function byRecipe(inputs: readonly InputTable[], { columns, members }: AppliedRecipe): Group[] {
  const place = columnPlacer(members)
  const none = (): Group['cells'] => inputs.map(() => null)
  const known = new Map(
    columns.map((expected): [string, Group] => [expected.name, { key: expected.name, expected, cells: none() }]),
  )
  const put = (i: number, column: InputColumn, name: string | null | undefined): boolean => {
    const group = known.get(name ?? '')
    if (!group || group.cells[i]) return false
    group.cells[i] = column
    return true
  }
  const others = inputs.map((input, i): InputTable => {
    const places = place(input.member, input.knownAs ?? input.table, input.columns)
    const left = input.columns.filter((column, at) => !put(i, column, places[at]))
    return { ...input, columns: left.filter((column) => !put(i, column, column.name)) }
  })
  const unknown = byName(others).map((group) =>
    known.has(group.key) ? { ...group, key: `${group.key} (not in the recipe)` } : group,
  )
  return [...known.values(), ...unknown]
}

function byName(inputs: readonly InputTable[]): Group[] {
  const groups = new Map<string, Group>()
  for (const [i, { columns }] of inputs.entries()) {
    for (const column of columns) {
      let group = groups.get(column.name)
      if (!group) groups.set(column.name, (group = { key: column.name, cells: inputs.map(() => null) }))
      group.cells[i] = column
    }
  }
  return [...groups.values()]
}

const countOf = ({ cells }: Group): number => cells.reduce((count, cell) => count + (cell ? 1 : 0), 0)

/** Two columns of the same file never match. */
const areApart = (a: Group, b: Group): boolean => a.cells.every((cell, i) => cell === null || b.cells[i] === null)

/** That two columns of a recipe differ was decided when it was made. */
const canBeOne = (a: Group, b: Group): boolean => !(a.expected && b.expected) && areApart(a, b)

function bySpelling(groups: readonly Group[]): Group[] {
  const found: Group[] = []
  const byFolded = new Map<string, number[]>()
  for (const group of groups) {
    const folded = bareName(group.key)
    const alike = byFolded.get(folded) ?? []
    byFolded.set(folded, alike)
    const at = alike.find((i) => found[i] && canBeOne(found[i], group))
    const other = found[at ?? -1]
    if (at !== undefined && other)
      found[at] = merged(other, group, countOf(group) > countOf(other) ? group.key : other.key)
    else alike.push(found.push(group) - 1)
  }
  return found
}

function merged(a: Group, b: Group, key: string): Group {
  const expected = a.expected ?? b.expected
  return {
    key: expected?.name ?? key,
    ...(expected ? { expected } : {}),
    cells: a.cells.map((cell, i) => cell ?? b.cells[i] ?? null),
  }
}

function joined(groups: readonly Group[], choices: MatchChoices): Group[] {
  let now = [...groups]
  for (const { into, from } of choices.joined) {
    const a = now.find(({ key }) => key === into)
    const b = now.find(({ key }) => key === from)
    if (!a || !b || a === b || !canBeOne(a, b)) continue
    now = now.filter((group) => group !== b).map((group) => (group === a ? merged(a, b, a.key) : group))
  }
  return now
}

/** A column that is replaced isn't lost: it becomes a column of its own. */
function chosen(groups: readonly Group[], inputs: readonly InputTable[], { cells }: MatchChoices): Group[] {
  const now = groups.map((group): Group => ({ ...group, cells: [...group.cells] }))
  for (const { input, key, name } of cells) {
    const i = inputs.findIndex(({ id }) => id === input)
    const target = now.find((group) => group.key === key)
    const wanted = name === null ? null : inputs[i]?.columns.find((column) => column.name === name)
    if (i < 0 || !target || wanted === undefined || target.cells[i] === wanted) continue
    for (const group of now) if (wanted && group.cells[i] === wanted) group.cells[i] = null
    const displaced = target.cells[i] ?? null
    target.cells[i] = wanted
    if (displaced) {
      const own = inputs.map((_, at) => (at === i ? displaced : null))
      now.push({ key: `${displaced.name} (${inputs[i]?.label ?? ''})`, cells: own })
    }
  }
  return now.filter((group) => group.expected !== undefined || countOf(group) > 0)
}

const nameOf = (cells: Group['cells']): string => cells.find((cell) => cell !== null)?.name ?? 'column'

function typeOf({ cells, expected }: Group): string {
  const own = cells.flatMap((cell) => (cell && !cell.empty ? [cell.type] : []))
  const types = [...new Set(expected ? [expected.type, ...own] : own)]
  return printType(unify(types.length === 0 ? [VARCHAR] : types.map((type) => parseType(type))))
}

/** Next month's numbers may have more digits, so numeric types count as the same kind. */
function isSameKind(a: string, b: string): boolean {
  const [one, other] = [parseType(a), parseType(b)]
  if (one.kind === 'decimal' && other.kind === 'decimal') return one.scale === other.scale
  return sameType(one, other) || (isInteger(one) && isInteger(other))
}

function differencesFrom(
  { accepted, name: recipe }: AppliedRecipe,
  columns: readonly MatchedColumn[],
  inputs: readonly InputTable[],
): Difference[] {
  const labels = (has: (i: number) => boolean): string =>
    quotedList(inputs.filter((_, i) => has(i)).map(({ label }) => label))
  const all = columns.flatMap(({ key, name, type, include, expected, cells }): Difference[] => {
    if (!include) return []
    if (!expected) {
      const message = `“${name}” of ${labels((i) => cells[i] !== null)} isn’t in the recipe “${recipe}”.`
      return [{ key: JSON.stringify(['unknown', key]), kind: 'unknown', column: key, message }]
    }
    const differences: Difference[] = []
    if (expected.inAll && cells.includes(null)) {
      const message = `“${name}” isn’t in ${labels((i) => cells[i] === null)}. All files of the recipe had it.`
      differences.push({ key: JSON.stringify(['missing', key]), kind: 'missing', column: key, message })
    }
    if (!isSameKind(type, expected.type)) {
      const [now = type, before = expected.type] = typeWords([type, expected.type])
      const message = `“${name}” would be “${now}” with these files. In the recipe it’s “${before}”.`
      differences.push({ key: JSON.stringify(['type', key, type]), kind: 'type', column: key, message })
    }
    return differences
  })
  const known = new Set(accepted)
  return all.filter(({ key }) => !known.has(key))
}

/** The plan for the engine. */
export function combinePlan({ columns }: Matching, { fileColumn, rowColumn }: MatchChoices): CombinePlan {
  const included = columns.filter(({ include }) => include)
  const own = [...(fileColumn ? ['file'] : []), ...(rowColumn ? ['row'] : [])]
  const names = uniqueNames([...included.map(({ name }) => name), ...own], (name) => name.toLowerCase())
  const added = names.slice(included.length)
  return {
    columns: included.map(({ name, type, expected, cells }): CombinedColumn => {
      const was = expected && expected.type !== type ? { was: expected.type } : {}
      return { name, type, ...was, cells: cells.map((cell) => cell?.index ?? null) }
    }),
    leftOut: columns.filter(({ include }) => !include).map(({ name }) => name),
    fileColumn: fileColumn ? (added[0] ?? null) : null,
    rowColumn: rowColumn ? (added.at(-1) ?? null) : null,
  }
}

/** Resets the choices. */
export function resetChoices({ recipe, fileColumn, rowColumn }: MatchChoices): MatchChoices {
  return recipe ? choicesBy(recipe, { fileColumn, rowColumn }) : { ...NO_CHOICES, fileColumn, rowColumn }
}

/** The choices of a recipe. */
export function choicesBy(
  recipe: AppliedRecipe,
  { fileColumn, rowColumn }: Pick<MatchChoices, 'fileColumn' | 'rowColumn'>,
): MatchChoices {
  const leftOut = recipe.columns.filter(({ include }) => !include).map(({ name }) => name)
  return { ...NO_CHOICES, leftOut, fileColumn, rowColumn, recipe: { ...recipe, accepted: [] } }
}

/** Accepts differences from the recipe. */
export function withAccepted(choices: MatchChoices, keys: readonly string[]): MatchChoices {
  const { recipe } = choices
  return recipe ? { ...choices, recipe: { ...recipe, accepted: [...recipe.accepted, ...keys] } } : choices
}

/** What prevents combining the inputs; empty if nothing does. */
export function matchProblems({ inputs, columns }: Matching): string[] {
  if (inputs.length < 2) return ['Only one table is left. Select at least two to combine.']
  const included = columns.filter(({ include }) => include)
  if (included.length === 0) return ['Every column is left out. Include at least one.']
  return inputs
    .filter((_, i) => included.every(({ cells }) => cells[i] === null))
    .map(({ label }) => `All columns of “${label}” are left out. Include one, or take the file out.`)
}
