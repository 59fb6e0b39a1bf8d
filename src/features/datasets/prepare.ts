import { warmQueries } from '../../engine/client.ts'
import { savesData } from '../../lib/save-data.ts'
import type { Session } from '../../session/session.ts'

/** Starts the engine that shows datasets' rows, if it's in this page and there are any. */
export async function prepareDatasets(session: Session | null, start = warmQueries): Promise<void> {
  if (!session?.local || savesData()) return
  const tables = await session.local.tables(session.workspaceId)
  if (tables.length > 0) start()
}
