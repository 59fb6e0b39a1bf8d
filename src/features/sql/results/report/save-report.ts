import { NEVER } from '../../../../lib/abort.ts'
import { fileName, saveFile } from '../../../../ui/save.ts'
import { toastFailure } from '../../../../ui/overlays/toasts.ts'
import type { HeldRun } from '../types.ts'

interface Saved {
  readonly run: HeldRun
  readonly title: string
  readonly description?: string
  /** Draws the chart as SVG; null if there's nothing to draw. */
  readonly chart?: (signal: AbortSignal) => Promise<string | null>
}

/** Downloads a run's rows and chart as an HTML page. */
export async function saveReport({ run, title, description = '', chart }: Saved): Promise<void> {
  try {
    const { reportPage } = await import('./page.ts')
    const page = await reportPage({
      title,
      description,
      run,
      chart: (await chart?.(NEVER)) ?? null,
      signal: NEVER,
    })
    saveFile(new Blob([page], { type: 'text/html' }), fileName(title, 'html', 'result'))
  } catch (error) {
    toastFailure('The web page couldn’t be made', error)
  }
}
