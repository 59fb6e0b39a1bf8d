import { expect, test } from 'vitest'
import { Store } from '../lib/store.ts'
import { guardLeaving } from './leaving.ts'

const asks = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }))

test('the browser asks while anything would be lost', () => {
  const [one, two] = [new Store(false), new Store(true)]
  const stops = [one, two].map(({ subscribe, snapshot }) => guardLeaving(subscribe, snapshot))
  expect(asks()).toBe(true)
  one.set(true)
  one.set(false)
  expect(asks()).toBe(true)
  two.set(false)
  expect(asks()).toBe(false)
  two.set(true)
  for (const stop of stops) stop()
  expect(asks()).toBe(false)
})
