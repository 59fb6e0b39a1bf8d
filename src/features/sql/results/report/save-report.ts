import { fileName, saveFile } from '../../../../ui/save.ts'
import { toast } from '../../../../ui/overlays/toasts.ts'
import type { TabRun } from '../../types.ts'

/** Downloads a run's rows, and its chart where there is one, as a page of HTML. */
export async function saveReport(run: TabRun, title: string, chart: string | null = null): Promise<void> {
  const { result } = run
  if (!result) return
  try {
    const { reportPage } = await import('./page.ts')
    const { signal } = new AbortController()
    const page = await reportPage({ title, run, set: result, chart, signal })
    saveFile(new Blob([page], { type: 'text/html' }), fileName(title, 'html', 'result'))
  } catch (error) {
    toast({
      title: 'The web page couldn’t be made',
      description: error instanceof Error ? error.message : String(error),
      tone: 'bad',
    })
  }
}
