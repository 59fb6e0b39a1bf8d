import { z } from 'zod'
import type { CreatedTable } from '../../../api/client.ts'
import { ApiError } from '../../../api/errors.ts'

/* What a service's error says about a request to create or add. */

/** Whether the service may have carried out the request, since nothing says otherwise. */
export function mayBeDone(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  // If tables couldn't be loaded, the error says so; if there was no space, nothing was created.
  if (error.code === 'SERVICE_UNAVAILABLE') {
    return error.details['tables'] === undefined && error.details['reason'] !== 'out_of_space'
  }
  return error.code === 'unreachable' || error.code === 'unexpected'
}

/** The tables whose uploads the service no longer knows. */
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

/** Why tables weren't loaded, one by one, if the service says so. */
export function failuresIn(error: unknown): CreatedTable[] {
  if (!(error instanceof ApiError)) return []
  const { data = [] } = failedTables.safeParse(error.details['tables'])
  return data.map((table) => ({ name: table.table_name, rows: 0, schema: [], error: table.error ?? null }))
}
