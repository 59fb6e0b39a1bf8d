import type { Report, Step, Target } from './probe.ts'
import type { ProbeMessage } from './probe-worker.ts'

/**
 * Tries a connection, in a worker of its own.
 * @throws the signal's reason, or {Error} when the worker doesn't start
 */
export function runProbe(target: Target, signal: AbortSignal, onStep: (step: Step) => void): Promise<Report> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./probe-worker.ts', import.meta.url), { type: 'module', name: 'connection-test' })
  return new Promise<Report>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
    worker.addEventListener('message', ({ data }: MessageEvent<ProbeMessage>) => {
      if (data.type === 'step') onStep(data.step)
      else resolve(data.report)
    })
    worker.addEventListener('error', () => reject(new Error('The test didn’t start. Reload the page and test again.')))
    worker.postMessage(target)
  }).finally(() => worker.terminate())
}

/**
 * Whether this page may talk to an origin. The page's policy names whom it may talk to; a page that was loaded past the
 * service worker (a hard reload) has the one of the build, which names its own origin alone.
 */
export function policyAllows(origin: string, page: ParentNode & { readonly baseURI: string } = document): boolean {
  const meta = page.querySelector<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')
  const sources = /connect-src ([^;]*)/
    .exec(meta?.content ?? '')?.[1]
    ?.trim()
    .split(/\s+/)
  return sources === undefined || origin === new URL(page.baseURI).origin || sources.includes(origin)
}
