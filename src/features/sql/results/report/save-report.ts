import { fileName, saveFile } from '../../../../ui/save.ts'
import { toastFailure } from '../../../../ui/overlays/toasts.ts'
import type { TabRun } from '../../types.ts'

interface Saved {
  readonly run: TabRun
  readonly title: string
  readonly description?: string
  /** Draws its chart, as SVG; null where there's nothing to draw. */
  readonly chart?: (signal: AbortSignal) => Promise<string | null>
}

/** Downloads a run's rows, and its chart where there is one, as a page of HTML. */
export async function saveReport({ run, title, description = '', chart }: Saved): Promise<void> {
  const { result } = run
  if (!result) return
  try {
    const { reportPage } = await import('./page.ts')
    const { signal } = new AbortController()
    const page = await reportPage({
      title,
      description,
      run,
      set: result,
      chart: (await chart?.(signal)) ?? null,
      signal,
    })
    saveFile(new Blob([page], { type: 'text/html' }), fileName(title, 'html', 'result'))
  } catch (error) {
    toastFailure('The web page couldn’t be made', error)
  }
}
