import { NEVER } from '../../../lib/abort.ts'
import { probe, type Report, type Step, type Target } from './probe.ts'

/*
 * A page may only connect to its own service. To test another one, this runs as a worker whose policy allows all
 * origins. What a server lets pages read (CORS) applies to it nevertheless.
 */

export type ProbeMessage =
  | { readonly type: 'step'; readonly step: Step }
  | { readonly type: 'done'; readonly report: Report }

addEventListener('message', ({ data }: MessageEvent<Target>) => {
  const environment = {
    fetch: (url: string, init: RequestInit) => fetch(url, init),
    now: Date.now,
    origin: location.origin,
    online: navigator.onLine,
  }
  const tell = (message: ProbeMessage): void => postMessage(message)
  void probe(data, environment, NEVER, (step) => tell({ type: 'step', step })).then((report) =>
    tell({ type: 'done', report }),
  )
})
