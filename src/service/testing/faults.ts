import type { Ports } from '../ports.ts'

/** How call number `at` fails: `before` doing anything, `after` succeeding, or `from` then on (the page is gone). */
export type Fault = 'before' | 'after' | 'from'

export class InjectedError extends Error {
  override readonly name = 'InjectedError'
}

export interface Faults<P extends Ports> {
  readonly ports: P
  /** The number of calls so far. */
  readonly calls: () => number
}

/** Ports of which one call fails. */
export function withFault<P extends Ports>(ports: P, at: number, fault: Fault): Faults<P> {
  let calls = 0
  const guarded = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return async (...args: unknown[]) => {
          const call = ++calls
          if (fault === 'from' ? call >= at : fault === 'before' && call === at) throw new InjectedError()
          const result: unknown = await Reflect.apply(value, target, args)
          if (fault === 'after' && call === at) throw new InjectedError()
          return result
        }
      },
    })
  return {
    ports: {
      ...ports,
      records: guarded(ports.records),
      objects: guarded(ports.objects),
      tables: guarded(ports.tables),
    },
    calls: () => calls,
  }
}
