import { combinePlan } from '../../../tables/combine/match.ts'
import { planProblems } from '../../../tables/edits.ts'
import type { Shape, Split } from '../../../tables/reshape/types.ts'
import { problemsOf as splitProblemsOf, splitProblems } from '../../../tables/reshape/split.ts'
import { plural } from '../../../lib/counts.ts'
import type { Combination } from '../../../tables/combine/combination.ts'
import type { Job } from './job.ts'

type Splittable = Pick<Job, 'plan' | 'combination' | 'shape'>

/** Of statements, the names of the columns that they give. */
export type StatementColumns = ReadonlyMap<Shape, readonly string[]>

const UNKNOWN: StatementColumns = new Map()

/** Names of the columns that what is written of all of these jobs has. */
export function columnsOfAll(jobs: readonly Splittable[], given: StatementColumns = UNKNOWN): string[] {
  const [first = [], ...others] = jobs.map((job) => splitColumns(job, given))
  return first.filter((name) => others.every((names) => names.includes(name)))
}

/** Names of the columns that a job's tables have in common: those that it can be split by. */
function splitColumns({ plan, combination, shape }: Splittable, given: StatementColumns): readonly string[] {
  if (shape) return given.get(shape) ?? []
  if (combination) return combinedNames(combination)
  const [first = [], ...others] = (plan?.tables ?? [])
    .filter(({ include }) => include)
    .map(({ columns }) => columns.filter(({ include }) => include).map(({ name }) => name))
  return first.filter((name) => others.every((names) => names.includes(name)))
}

function combinedNames({ matched, choices }: Combination): string[] {
  if (!matched) return []
  const { columns, fileColumn } = combinePlan(matched.matching, choices)
  return [...columns.map(({ name }) => name), ...(fileColumn === null ? [] : [fileColumn])]
}

/** What keeps a job from being converted, as far as its plan tells. */
export function problemsOf(job: Splittable & Pick<Job, 'split' | 'draft'>): string[] {
  const { plan, combination } = job
  // What a statement gives isn't known before it runs.
  const split = (job.shape ?? job.draft?.shape) ? undefined : job.split
  if (!combination) return plan ? [...planProblems(plan), ...(split ? splitProblems(plan, split) : [])] : []
  if (!split || !combination.matched) return [...combination.problems]
  const columns = combinedNames(combination).map((name) => ({ name }))
  const rows = combination.matched.matching.inputs.reduce((sum, input) => sum + input.rows, 0)
  return [...combination.problems, ...splitProblemsOf(null, columns, rows, split)]
}

/** `a file for each value of “region”`. */
export function describeSplit(split: Split): string {
  return split.by === 'column'
    ? `a file for each value of “${split.column}”`
    : `a file for every ${plural(split.rows, 'row')}`
}
