import { uniqueNames } from '../names.ts'
import { parseType, printType, VARCHAR } from '../types.ts'
import { foundOf } from '../verbatim.ts'
import { foldName } from './likeness.ts'
import {
  labelOf,
  type CombineInput,
  type CombinePlan,
  type InputColumn,
  type InputTable,
  type MatchedColumn,
} from './plan.ts'
import { proposalsFor, type Proposal } from './propose.ts'
import { unify } from './unify.ts'

/** What the person chose of how columns are matched, by names, so that it holds when a file is read again. Plain data. */
export interface MatchChoices {
  /** Columns that were taken for the same one, by their keys. */
  readonly joined: readonly { readonly into: string; readonly from: string }[]
  /** What an input has in a column: its own column's name, null for none. */
  readonly cells: readonly { readonly input: string; readonly key: string; readonly name: string | null }[]
  /** Keys of the columns that aren't wanted. */
  readonly leftOut: readonly string[]
  readonly fileColumn: boolean
  readonly rowColumn: boolean
}

/** A file's name tells what a row belongs to, such as its month, and nothing else in the row may. */
export const NO_CHOICES: MatchChoices = { joined: [], cells: [], leftOut: [], fileColumn: true, rowColumn: false }

export interface Matching {
  readonly inputs: readonly InputTable[]
  readonly columns: readonly MatchedColumn[]
  readonly proposals: readonly Proposal[]
}

export function inputTable(id: string, input: CombineInput): InputTable {
  const table = input.plan.tables[input.table]
  const columns = (table?.columns ?? []).flatMap((column, index) => {
    if (!table || !column.include) return []
    const { name, source, type } = column
    const empty = foundOf(table, column)?.flags.includes('empty') ?? false
    return [{ index, name, source, type, empty }]
  })
  return { id, label: labelOf(input), rows: table?.found?.rows ?? 0, columns }
}

interface Group {
  readonly key: string
  readonly cells: (InputColumn | null)[]
}

/**
 * Which columns of the inputs are one: those of the same name, then those whose names differ only in case, blanks and
 * punctuation, then what the person says. Others that may be one are proposed.
 */
export function matchColumns(inputs: readonly InputTable[], choices: MatchChoices): Matching {
  const groups = chosen(joined(bySpelling(byName(inputs)), choices), inputs, choices)
  const names = uniqueNames(
    groups.map(({ key, cells }) => (cells.some((cell) => cell?.name === key) ? key : nameOf(cells))),
  )
  const leftOut = new Set(choices.leftOut)
  const columns = groups.map(({ key, cells }, i): MatchedColumn => {
    return { key, name: names[i] ?? key, type: typeOf(cells), include: !leftOut.has(key), cells }
  })
  return { inputs, columns, proposals: proposalsFor(columns, inputs) }
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

/** Two columns of one file are never the same one, however they're spelled. */
const areApart = (a: Group, b: Group): boolean => a.cells.every((cell, i) => cell === null || b.cells[i] === null)

function bySpelling(groups: readonly Group[]): Group[] {
  const byFolded = new Map<string, Group[]>()
  for (const group of groups) {
    const folded = foldName(group.key)
    const alike = byFolded.get(folded) ?? []
    byFolded.set(folded, alike)
    const at = alike.findIndex((other) => areApart(other, group))
    const other = alike[at]
    if (other) alike[at] = merged(other, group, countOf(group) > countOf(other) ? group.key : other.key)
    else alike.push(group)
  }
  return [...byFolded.values()].flat()
}

function merged(a: Group, b: Group, key: string): Group {
  return { key, cells: a.cells.map((cell, i) => cell ?? b.cells[i] ?? null) }
}

function joined(groups: readonly Group[], choices: MatchChoices): Group[] {
  let now = [...groups]
  for (const { into, from } of choices.joined) {
    const a = now.find(({ key }) => key === into)
    const b = now.find(({ key }) => key === from)
    if (!a || !b || a === b || !areApart(a, b)) continue
    now = now.filter((group) => group !== b).map((group) => (group === a ? merged(a, b, a.key) : group))
  }
  return now
}

/** A column that another takes the place of isn't lost: it becomes one of its own. */
function chosen(groups: readonly Group[], inputs: readonly InputTable[], { cells }: MatchChoices): Group[] {
  const now = groups.map((group): Group => ({ key: group.key, cells: [...group.cells] }))
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
  return now.filter((group) => countOf(group) > 0)
}

const nameOf = (cells: Group['cells']): string => cells.find((cell) => cell !== null)?.name ?? 'column'

function typeOf(cells: Group['cells']): string {
  const types = [...new Set(cells.flatMap((cell) => (cell && !cell.empty ? [cell.type] : [])))]
  return printType(unify(types.length === 0 ? [VARCHAR] : types.map((type) => parseType(type))))
}

/** What the engine is to do. */
export function combinePlan({ columns }: Matching, { fileColumn, rowColumn }: MatchChoices): CombinePlan {
  const included = columns.filter(({ include }) => include)
  const own = [...(fileColumn ? ['file'] : []), ...(rowColumn ? ['row'] : [])]
  const names = uniqueNames([...included.map(({ name }) => name), ...own], (name) => name.toLowerCase())
  const added = names.slice(included.length)
  return {
    columns: included.map(({ name, type, cells }) => ({ name, type, cells: cells.map((cell) => cell?.index ?? null) })),
    leftOut: columns.filter(({ include }) => !include).map(({ name }) => name),
    fileColumn: fileColumn ? (added[0] ?? null) : null,
    rowColumn: rowColumn ? (added.at(-1) ?? null) : null,
  }
}

/** What would stop inputs from being combined; empty when nothing does. */
export function matchProblems({ inputs, columns }: Matching): string[] {
  if (inputs.length < 2) return ['Only one table is left. Select at least two to combine.']
  const included = columns.filter(({ include }) => include)
  if (included.length === 0) return ['Every column is left out. Include at least one.']
  return inputs
    .filter((_, i) => included.every(({ cells }) => cells[i] === null))
    .map(({ label }) => `All columns of “${label}” are left out. Include one, or take the file out.`)
}
