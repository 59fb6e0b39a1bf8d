import { z } from 'zod'
import type { CreatedTable } from '../../../api/client.ts'
import { ApiError } from '../../../api/errors.ts'

/* What a service's error says about a request to create or add. */

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
