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

/** The columns of statements' results. */
export type StatementColumns = ReadonlyMap<Shape, readonly SplitColumn[]>

const UNKNOWN: StatementColumns = new Map()

/** Rows per file, if tables are split by rows, until the person sets it. */
export const USUAL_ROWS = 100_000

/** Names of the columns in the output of all these jobs. */
export const columnsOfAll = (jobs: readonly Splittable[], given = UNKNOWN): string[] =>
  inAll(jobs.flatMap((job) => tablesOf(job, given)))

/** Names of those columns that have dates in all of the outputs. */
export const datesOfAll = (jobs: readonly Splittable[], given = UNKNOWN): string[] =>
  inAll(jobs.flatMap((job) => tablesOf(job, given)).map((columns) => columns.filter(hasPeriods)))

/** Names of the columns in all of these tables. */
function inAll([first = [], ...others]: readonly (readonly SplitColumn[])[]): string[] {
  const names = others.map((columns) => new Set(columns.map(({ name }) => name)))
  return first.map(({ name }) => name).filter((name) => names.every((each) => each.has(name)))
}

/** The columns of each table in a job's output: one table without columns if the file isn't read yet. */
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

/** What prevents a job's conversion, judging by its plan and fields. */
export function problemsOf(job: Splittable & Pick<Job, 'split' | 'draft' | 'mistyped'>): string[] {
  const { plan, combination } = job
  const own = combination ? combination.problems : plan ? planProblems(plan) : []
  return [...own, ...mistakesOf(job), ...splitProblemsOf(job, job.split ?? null)]
}

/** The first reason why one of these jobs can't be split like this; undefined if there's none. */
export const splitProblemOf = (jobs: readonly Job[], split: Split | null): string | undefined =>
  jobs.flatMap((job) => splitProblemsOf(job, split))[0]

function splitProblemsOf(
  { plan, combination, shape, draft }: Splittable & Pick<Job, 'draft'>,
  split: Split | null,
): string[] {
  if (!split) return []
  // A statement's columns aren't known before it has run.
  if (shape ?? draft?.shape) return split.by === 'rows' ? tableProblems(null, [], 0, split) : []
  if (!combination) return plan ? splitProblems(plan, split) : []
  if (!combination.matched) return []
  const columns = combinedColumns(combination)
  const rows = combination.matched.matching.inputs.reduce((sum, input) => sum + input.rows, 0)
  return tableProblems(null, columns, rows, split)
}

/** The number of different values of a column in the preview. */
export interface FewValues {
  readonly column: string
  readonly values: number
  readonly rows: number
  /** Whether the preview has all rows of the table. */
  readonly areAll: boolean
}

/**
 * Counts values in the first file's preview for the columns by which files can be split: columns with few values first,
 * and among those text columns first. Null without a preview, as for combined files.
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

/** The default for splitting tables: by a column with few values, or else by rows. */
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
