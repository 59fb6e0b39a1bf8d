import type { SampleRequest } from '../../../engine/client.ts'
import { combinePlan } from '../../../tables/combine/match.ts'
import { shapeTables, type ShapeSource } from '../../../tables/reshape/shape.ts'
import type { ShapeTable } from '../../../tables/reshape/types.ts'
import { quoteName } from '../../../lib/duckdb-sql/index.ts'
import type { Job } from './job.ts'

/** The tables that a statement for a job would read, and their files. */
export interface Shapable {
  readonly files: readonly File[]
  readonly what: SampleRequest['what']
  /** The tables with their names in the statement. */
  readonly tables: readonly ShapeTable[]
}

/** Null until the job's files are read, or if their plans have problems. */
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

/** A statement to start with: all rows of the first table, unchanged. */
export function firstStatement(tables: readonly ShapeTable[]): string {
  return `SELECT *\nFROM ${quoteName(tables[0]?.name ?? '')}`
}
