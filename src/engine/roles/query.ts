import type { Role } from '../channel/serve.ts'
import type { QueryCalls } from '../sql/query-protocol.ts'
import { answerQuery, openQueryEngine } from '../sql/query.ts'
import { stopped } from '../storage/database.ts'

/** The service's queries. It has started when its engine has. */
export async function openQuery(): Promise<Role<QueryCalls>> {
  const engine = await openQueryEngine()
  return { handlers: { run: (request, { signal }) => answerQuery(engine, request, signal) }, fatal: stopped }
}
