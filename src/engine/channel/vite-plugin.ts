import type { Plugin } from 'vite'

const ENTRY = '?worker-entry'

/** Takes what comes before the worker listens, and fails as a worker does whose first module can't be loaded. */
const entry = (module: string): string => `
const early = []
const hold = (event) => early.push(event)
addEventListener('message', hold)
import(${JSON.stringify(module)}).then(
  () => {
    removeEventListener('message', hold)
    for (const { data, ports } of early) dispatchEvent(new MessageEvent('message', { data, ports }))
  },
  (error) => setTimeout(() => { throw error }),
)
`

/**
 * Has a build's workers begin with a module that nothing else imports from. WebKit evaluates a worker's first module once
 * more when another module imports it: the worker then hears each message twice, and the second answer is taken for that
 * to the next call.
 */
export function workerEntries(): Plugin {
  return {
    name: 'rowhouse-worker-entries',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!options.isEntry || source.endsWith(ENTRY)) return null
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
      return resolved && resolved.id + ENTRY
    },
    load(id) {
      return id.endsWith(ENTRY) ? entry(id.slice(0, -ENTRY.length)) : null
    },
  }
}
