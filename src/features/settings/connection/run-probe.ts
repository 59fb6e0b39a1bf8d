import type { Report, Step, Target } from './probe.ts'
import type { ProbeMessage } from './probe-worker.ts'

/**
 * Tests a connection in a worker of its own.
 * @throws the signal's reason, or {Error} if the worker doesn't start
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
 * Whether the policy allows this page to connect to an origin. A page loaded without the service worker (hard reload)
 * has the build's policy, which only allows its own origin.
 */
export function policyAllows(origin: string, page: ParentNode & { readonly baseURI: string } = document): boolean {
  const meta = page.querySelector<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')
  const sources = /connect-src ([^;]*)/
    .exec(meta?.content ?? '')?.[1]
    ?.trim()
    .split(/\s+/)
  return sources === undefined || origin === new URL(page.baseURI).origin || sources.includes(origin)
}
