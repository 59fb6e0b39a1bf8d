import { warmSqlSession } from '../../engine/client.ts'

export { SqlRoot, type SqlRootProps } from './SqlRoot.tsx'

/** Fetches the editor, then gets DuckDB ready, which keeps the processor busy. */
export async function prepareSql(): Promise<void> {
  await import('../shared/sql-editor/Editor.tsx')
  warmSqlSession()
}
