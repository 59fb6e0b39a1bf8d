import type { Role } from '../channel/serve.ts'
import { stopped } from '../storage/database.ts'
import type { QueryCalls } from '../sql/query-protocol.ts'
import { QueryEngine } from '../sql/query.ts'

/** The service's queries. It has started when its engine has. */
export async function openQuery(): Promise<Role<QueryCalls>> {
  const engine = await QueryEngine.open()
  return { handlers: { run: (request, { signal }) => engine.run(request, signal) }, fatal: stopped }
}
