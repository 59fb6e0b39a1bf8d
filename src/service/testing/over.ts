import { expect, test } from 'vitest'
import { object, type Open } from './records.ts'

/** Tests of expired records, for all implementations of `Records`. */
export function describeEnds(open: Open): void {
  test('only expired objects are removed', async () => {
    const [records, others] = await open()
    const day = 86_400_000
    const now = 20_000 * day
    const fresh = { createdAt: now - 1, expiresAt: now }
    const kind = 'conversion-result'
    const over = [
      object('a place that is a day old', 'w1', { blobId: null, createdAt: now - day }),
      object('a result', 'w1', { ...fresh, kind }),
      object('an upload that was used', 'w1', { ...fresh, consumedAt: 1 }),
    ]
    const kept = [
      object('a name that looks like fields', 'w1', {
        ...fresh,
        filename: `"consumedAt":1,"kind":"${kind}",\0"blobId":"`,
      }),
      object('one that is open longer', 'w1', { createdAt: 0, expiresAt: now + 1 }),
      object('one that isn’t a day old', 'w1', { blobId: null, createdAt: now - day + 1 }),
      object('one whose URL goes on', 'w1', { ...fresh, expiresAt: now + 1, consumedAt: 1 }),
      object('result that isn’t there yet', 'w1', { ...fresh, kind, blobId: null }),
    ]
    const removed = await records.write(['objects'], async (transaction) => {
      for (const record of [...over, ...kept]) await transaction.put('objects', record)
      return transaction.removeOver('objects', now)
    })
    expect(removed.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(over)
    expect(await others.read(['objects'], (transaction) => transaction.all('objects'))).toEqual(kept)
  })
}
