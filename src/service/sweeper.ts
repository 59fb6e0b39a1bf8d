import { UPLOAD_KEPT_SECONDS } from '../contract/limits.ts'
import { isStale } from './middleware/windows.ts'
import type { ObjectRecord, Ports } from './ports.ts'

/** Removes what has had its time, and the bytes that nothing names: of what ended, and of what was cut off. */
export async function sweep({ records, objects, tables, clock }: Ports): Promise<void> {
  const now = clock.now()
  await records.write(['objects', 'counters'], async (transaction) => {
    const [places, counters] = await Promise.all([transaction.all('objects'), transaction.all('counters')])
    await Promise.all([
      ...places.filter((place) => isOver(place, now)).map(({ id }) => transaction.remove('objects', id)),
      ...counters.filter((counter) => isStale(counter, now)).map(({ id }) => transaction.remove('counters', id)),
    ])
  })
  await objects.sweep(async () => {
    const places = await records.read(['objects'], (transaction) => transaction.all('objects'))
    return new Set(places.flatMap(({ blobId }) => blobId ?? []))
  })
  await tables.sweep(async () => {
    const datasets = await records.read(['datasets'], (transaction) => transaction.all('datasets'))
    return new Set(datasets.flatMap((dataset) => dataset.tables.map(({ fileId }) => fileId)))
  })
}

/** A place to upload to that was never used goes after a day; what was used or made, when its URL has ended. */
function isOver({ kind, blobId, consumedAt, createdAt, expiresAt }: ObjectRecord, now: number): boolean {
  const isDone = kind === 'conversion-result' ? blobId !== null : consumedAt !== null
  return (isDone ? expiresAt : Math.max(expiresAt, createdAt + UPLOAD_KEPT_SECONDS * 1000)) <= now
}
