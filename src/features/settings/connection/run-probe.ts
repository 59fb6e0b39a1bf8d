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
