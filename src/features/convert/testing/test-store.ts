import type { EngineClient } from '../../../engine/client.ts'
import { targetFor } from '../model/job.ts'
import type { StoreDependencies } from '../store/make.ts'
import { ConvertStore } from '../store/store.ts'

/** A store with jobs named `j1`, `j2` and so on, which stores nothing. */
export function testStore(client: EngineClient, changed: Partial<StoreDependencies> = {}): ConvertStore {
  let made = 0
  return new ConvertStore({
    client,
    keep: async () => undefined,
    throughService: () => Promise.reject(new Error('not asked for')),
    making: (work) => work(),
    agreed: () => undefined,
    ended: () => undefined,
    targets: { of: targetFor, choose: () => undefined },
    now: Date.now,
    newId: () => `j${++made}`,
    ...changed,
  })
}
