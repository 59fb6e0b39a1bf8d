import type { Role } from '../channel/serve.ts'
import { SqlEngine } from '../sql/engine.ts'
import type { SessionCalls } from '../sql/protocol.ts'
import { streamStatement } from '../sql/stream.ts'
import { stopped } from '../storage/database.ts'

/** A session of the SQL editor. */
export async function openSession(): Promise<Role<SessionCalls>> {
  const session = await SqlEngine.open()
  return {
    handlers: {
      use: (tables) => {
        session.use(tables)
        return null
      },
      split: (script) => session.split(script),
      check: (statement, { signal }) => session.check(statement, signal),
      describe: (statement, { signal }) => session.describe(statement, signal),
      explain: (statement, { signal }) => session.explain(statement, signal),
      temporary: () => session.temporary(),
      dialect: () => session.dialect(),
      run: (statement, call) =>
        streamStatement(session, statement, call.signal, {
          // Where it's cancelled, the statement stops by itself.
          columns: (columns) => void call.send({ columns }, 0).catch(() => undefined),
          rows: ({ message, transfer, bytes }) => call.send({ message }, bytes, transfer),
        }),
    },
    fatal: stopped,
  }
}
