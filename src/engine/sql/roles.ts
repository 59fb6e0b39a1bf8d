import { privateFiles } from '../../lib/private-files.ts'
import type { Role } from '../channel/serve.ts'
import { LOCAL_TABLES_FOLDER } from '../storage/file-names.ts'
import { Spill } from '../storage/spill.ts'
import { FileSystemTables, MemoryTables } from '../storage/tables.ts'
import { WASM } from './duckdb.ts'
import { SqlEngine } from './engine.ts'
import type { OpenTableFile } from './place/table-file.ts'
import type { QueryCalls, SessionCalls } from './protocol.ts'
import { answerQuery, openQueryEngine } from './query.ts'
import { Outbox } from './outbox.ts'
import { streamStatement } from './stream.ts'
import { stopped } from '../storage/database.ts'

/** A session of the SQL editor. @param openFile opens files that are queried in place */
export async function openSession(openFile: OpenTableFile): Promise<Role<SessionCalls>> {
  const [root, spill] = await Promise.all([privateFiles(), Spill.open()])
  const storage = root ? new FileSystemTables(LOCAL_TABLES_FOLDER) : new MemoryTables()
  const session = await SqlEngine.open(WASM, { openFile, storage, spill })
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
      temporary: () => ({ tables: session.temporary(), macros: session.macros() }),
      transaction: () => session.transaction,
      dialect: () => session.dialect(),
      run: async (statement, call) => {
        const outbox = new Outbox(call)
        const summary = await streamStatement(session, statement, call.signal, outbox).catch(outbox.failed)
        return { ...summary, rest: await outbox.rest() }
      },
    },
    fatal: stopped,
  }
}

/** Runs the service's queries. Resolves once its engine has started. */
export async function openQuery(): Promise<Role<QueryCalls>> {
  const engine = await openQueryEngine(WASM)
  return { handlers: { run: (request, { signal }) => answerQuery(engine, request, signal) }, fatal: stopped }
}
