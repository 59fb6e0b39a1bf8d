import { NEVER } from '../../../lib/abort.ts'
import { probe, type Report, type Step, type Target } from './probe.ts'

/*
 * A page may talk to the service that it's connected to, and to no other. To try one before it's connected, this runs
 * as a worker, which has no such policy; what a server lets pages read (CORS) holds for it all the same.
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
