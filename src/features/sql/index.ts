import { warmSqlSession } from '../../engine/client.ts'
import { savesData } from '../../lib/save-data.ts'

export { SqlRoot, type SqlRootProps } from './SqlRoot.tsx'

/** Loads the editor first, then DuckDB, which keeps the processor busy. */
export async function prepareSql(): Promise<void> {
  if (savesData()) return
  await import('../shared/sql-editor/Editor.tsx')
  warmSqlSession()
}
