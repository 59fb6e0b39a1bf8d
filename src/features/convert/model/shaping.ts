import type { SampleRequest } from '../../../engine/client.ts'
import { combinePlan } from '../../../tables/combine/match.ts'
import { shapeTables, type ShapeSource } from '../../../tables/reshape/shape.ts'
import type { ShapeTable } from '../../../tables/reshape/types.ts'
import { quoteName } from '../../../lib/duckdb-sql/index.ts'
import type { Job } from './job.ts'

/** What a statement over a job's tables would read, and the files that these are of. */
export interface Shapable {
  readonly files: readonly File[]
  readonly what: SampleRequest['what']
  /** What the statement calls the tables. */
  readonly tables: readonly ShapeTable[]
}

/** Null while the job's files aren't read, or can't be converted as they're planned. */
export function shapableOf(job: Pick<Job, 'file' | 'plan' | 'combination' | 'shape'>): Shapable | null {
  const known = job.shape?.tables ?? []
  const { combination, plan, file } = job
  if (combination) {
    const { matched, choices, name } = combination
    if (!matched) return null
    const combine = combinePlan(matched.matching, choices)
    const inputs = matched.inputs.map((input) => ({ plan: input.plan, table: input.table }))
    const source: ShapeSource = { name, combined: true, tables: [null] }
    return { files: matched.files, what: { name, inputs, combine }, tables: shapeTables(known, source) }
  }
  const names = plan?.tables.filter(({ include }) => include).map(({ name }) => name) ?? []
  if (!plan || names.length === 0) return null
  return { files: [file], what: { plan }, tables: shapeTables(known, { name: file.name, tables: names }) }
}

/** A statement to begin with: all rows of the first table, as they are. */
export function firstStatement(tables: readonly ShapeTable[]): string {
  return `SELECT *\nFROM ${quoteName(tables[0]?.name ?? '')}`
}
