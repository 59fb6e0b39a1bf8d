import { z } from 'zod'
import type { CreatedTable } from '../../../api/client.ts'
import { ApiError } from '../../../api/errors.ts'

/* What a service's refusal to create or add says of what it was asked to do. */

/** Whether the service may have done what it was asked to: nothing says that it didn't. */
export function mayBeDone(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  // Of tables that couldn't be loaded it says so; what is refused for want of room isn't made.
  if (error.code === 'SERVICE_UNAVAILABLE') {
    return error.details['tables'] === undefined && error.details['reason'] !== 'out_of_space'
  }
  return error.code === 'unreachable' || error.code === 'unexpected'
}

/** Of the tables, those whose upload the service doesn't know any more. */
export function lostUploads<T>(error: unknown, tables: readonly T[]): T[] {
  if (!(error instanceof ApiError)) return []
  return error.issues.flatMap(({ path }) => {
    const table = tables[Number(/^(?:add_)?tables\[(\d+)\]\.signed_url$/.exec(path)?.[1] ?? -1)]
    return table ? [table] : []
  })
}

const failedTables = z.array(
  z.object({ table_name: z.string(), error: z.object({ code: z.string(), message: z.string() }).nullish() }),
)

/** Why tables weren't loaded, one by one, where the service says so. */
export function failuresIn(error: unknown): CreatedTable[] {
  if (!(error instanceof ApiError)) return []
  const { data = [] } = failedTables.safeParse(error.details['tables'])
  return data.map((table) => ({ name: table.table_name, rows: 0, schema: [], error: table.error ?? null }))
}
