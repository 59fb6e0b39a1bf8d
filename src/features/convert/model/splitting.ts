import { combinePlan } from '../../../tables/combine/match.ts'
import { planProblems } from '../../../tables/edits.ts'
import type { Shape, Split } from '../../../tables/reshape/types.ts'
import {
  hasPeriods,
  type SplitColumn,
  problemsOf as tableProblems,
  splitProblems,
} from '../../../tables/reshape/split.ts'
import { plural } from '../../../lib/counts.ts'
import type { Combination } from '../../../tables/combine/combination.ts'
import { type Job, mistakesOf } from './job.ts'

type Splittable = Pick<Job, 'plan' | 'combination' | 'shape'>

/** Of statements, the columns that they give. */
export type StatementColumns = ReadonlyMap<Shape, readonly SplitColumn[]>

const UNKNOWN: StatementColumns = new Map()

/** Of a file, where tables are split by rows, until the person says. */
export const USUAL_ROWS = 100_000

/** Names of the columns that what is written of all of these jobs has. */
export const columnsOfAll = (jobs: readonly Splittable[], given = UNKNOWN): string[] =>
  inAll(jobs.flatMap((job) => tablesOf(job, given)))

/** Of these, the ones that are dates in all of them. */
export const datesOfAll = (jobs: readonly Splittable[], given = UNKNOWN): string[] =>
  inAll(jobs.flatMap((job) => tablesOf(job, given)).map((columns) => columns.filter(hasPeriods)))

/** Names of the columns that are in all of these tables. */
function inAll([first = [], ...others]: readonly (readonly SplitColumn[])[]): string[] {
  const names = others.map((columns) => new Set(columns.map(({ name }) => name)))
  return first.map(({ name }) => name).filter((name) => names.every((each) => each.has(name)))
}

/** The columns of the tables that are written of a job: of one that isn't read, of one table without any. */
function tablesOf({ plan, combination, shape }: Splittable, given: StatementColumns): (readonly SplitColumn[])[] {
  if (shape) return [given.get(shape) ?? []]
  if (combination) return [combinedColumns(combination)]
  const tables = plan?.tables.filter(({ include }) => include) ?? []
  return tables.length === 0 ? [[]] : tables.map(({ columns }) => columns.filter(({ include }) => include))
}

function combinedColumns({ matched, choices }: Combination): SplitColumn[] {
  if (!matched) return []
  const { columns, fileColumn } = combinePlan(matched.matching, choices)
  return [...columns, ...(fileColumn === null ? [] : [{ name: fileColumn, type: 'VARCHAR' }])]
}

/** What keeps a job from being converted, as far as its plan and its fields tell. */
export function problemsOf(job: Splittable & Pick<Job, 'split' | 'draft' | 'mistyped'>): string[] {
  const { plan, combination } = job
  const own = combination ? combination.problems : plan ? planProblems(plan) : []
  return [...own, ...mistakesOf(job), ...splitProblemsOf(job, job.split ?? null)]
}

/** What keeps the first of these jobs that can't be split so from it; undefined where nothing does. */
export const splitProblemOf = (jobs: readonly Job[], split: Split | null): string | undefined =>
  jobs.flatMap((job) => splitProblemsOf(job, split))[0]

function splitProblemsOf(
  { plan, combination, shape, draft }: Splittable & Pick<Job, 'draft'>,
  split: Split | null,
): string[] {
  if (!split) return []
  // What a statement gives isn't known before it runs.
  if (shape ?? draft?.shape) return split.by === 'rows' ? tableProblems(null, [], 0, split) : []
  if (!combination) return plan ? splitProblems(plan, split) : []
  if (!combination.matched) return []
  const columns = combinedColumns(combination)
  const rows = combination.matched.matching.inputs.reduce((sum, input) => sum + input.rows, 0)
  return tableProblems(null, columns, rows, split)
}

/** How many different values a column has in the rows of the preview. */
export interface FewValues {
  readonly column: string
  readonly values: number
  readonly rows: number
  /** Whether these are all rows of the table. */
  readonly areAll: boolean
}

/**
 * What the rows that are shown of the first file tell of the columns that files can be split by: those with few values
 * come first, of these those of text. Null where no rows are shown, as of several files that are combined.
 */
export function valuesAhead([job]: readonly Job[], columns: readonly string[]): FewValues[] | null {
  if (!job) return null
  const { inspection, plan, previews } = job
  const names = new Set(columns)
  const at = plan?.tables.findIndex(({ include }) => include) ?? -1
  const preview = previews[at]
  if ((job.shape ?? job.draft?.shape) || !preview || preview.rows.length === 0) return null
  const { rows } = preview
  const areAll = inspection?.tables[at]?.rows === rows.length
  const counted = preview.columns.flatMap(({ name, type }, i) =>
    names.has(name)
      ? [
          {
            column: name,
            values: new Set(rows.map((row) => row[i])).size,
            rows: rows.length,
            isText: type === 'VARCHAR',
          },
        ]
      : [],
  )
  return counted
    .toSorted(
      (a, b) => Number(isFew(b)) - Number(isFew(a)) || Number(b.isText) - Number(a.isText) || a.values - b.values,
    )
    .map(({ column, values, rows: of }) => ({ column, values, rows: of, areAll }))
}

/** Whether values repeat, and there is more than one. */
const isFew = ({ values, rows }: Pick<FewValues, 'values' | 'rows'>): boolean => values > 1 && values * 2 <= rows

/** How tables are split until the person says: by a column with few values, else by rows. */
export function usualSplit(columns: readonly string[], ahead: readonly FewValues[] | null): Split {
  const [best] = ahead ?? []
  const column = ahead === null ? columns[0] : best && isFew(best) ? best.column : undefined
  return column === undefined ? { by: 'rows', rows: USUAL_ROWS } : { by: 'column', column }
}

/** `a file for each value of “region”`. */
export function describeSplit(split: Split): string {
  return split.by === 'column'
    ? `a file for each ${split.period ?? 'value'} of “${split.column}”`
    : `a file for every ${plural(split.rows, 'row')}`
}
