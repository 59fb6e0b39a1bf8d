import type { SqlSession } from '../../../engine/client.ts'
import { saveReport } from '../results/report/save-report.ts'
import type { HeldRun } from '../results/types.ts'
import type { SavedQuery } from '../types.ts'

/** Downloads what a saved query's page shows, as a page of HTML that needs nothing else. */
export async function savePage(query: SavedQuery, run: HeldRun, session: SqlSession | null): Promise<void> {
  const { name, text, description = '', chart } = query
  await saveReport({
    run: { ...run, statement: text.trim() },
    title: name,
    description,
    chart: async (signal) => {
      if (!chart) return null
      const { chartPicture } = await import('../results/chart/chart-picture.ts')
      return chartPicture({ run, session, spec: chart, title: name }, signal)
    },
  })
}
