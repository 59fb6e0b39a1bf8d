import { rejoined } from '../../../tables/combine/combination.ts'
import { stateOf, type JobRecord } from '../model/records.ts'
import type { ConvertStore } from './store.ts'

interface Stored {
  readonly records: readonly JobRecord[]
  readonly alive: ReadonlySet<string>
}

/** Continues interrupted combinations once all of their files are in the queue again. */
export async function rejoin(
  store: Pick<ConvertStore, 'snapshot' | 'addCombination'>,
  stored: () => Promise<Stored>,
): Promise<void> {
  const { records, alive } = await stored()
  const files = store.snapshot().filter(({ combination }) => !combination)
  for (const record of records) {
    const isLeft = record.combination && ['interrupted', 'failed'].includes(stateOf(record, alive))
    if (!isLeft || store.snapshot().some(({ id }) => id === record.id)) continue
    const settings = record.combination && rejoined(record.combination, files)
    if (settings) store.addCombination(record.id, settings, record)
  }
}
