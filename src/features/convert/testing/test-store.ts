import type { EngineClient } from '../../../engine/client.ts'
import { targetFor } from '../model/job.ts'
import type { StoreDependencies } from '../store/make.ts'
import { ConvertStore } from '../store/store.ts'

/** A store whose jobs are `j1`, `j2` and so on, and of which nothing is kept. */
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
