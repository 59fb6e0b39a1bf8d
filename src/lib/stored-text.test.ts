import { expect, test } from 'vitest'
import { storedText } from './stored-text.ts'

function storage() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  }
}

test('an entry can be read, written and removed, and is shared by its name', () => {
  const place = storage()
  const [one, other] = [storedText('a', () => place), storedText('a', () => place)]
  expect(one.read()).toBeNull()
  one.write('1')
  other.write('2')
  expect(one.read()).toBe('2')
  one.write(null)
  expect(other.read()).toBeNull()
  expect(place.kept.size).toBe(0)
})

test('if storage is forbidden, an entry lasts as long as the page', () => {
  const entry = storedText('a', () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  })
  expect(entry.read()).toBeNull()
  entry.write('1')
  expect(entry.read()).toBe('1')
  entry.write(null)
  expect(entry.read()).toBeNull()
})

test('an entry that didn’t fit overrides the stored one until one fits again', () => {
  const place = storage()
  let full = false
  const entry = storedText('a', () => ({
    ...place,
    setItem(name, text) {
      if (full) throw new DOMException('Full.', 'QuotaExceededError')
      place.setItem(name, text)
    },
  }))
  entry.write('1')
  full = true
  entry.write('22')
  expect(entry.read()).toBe('22')
  expect(place.kept.get('a')).toBe('1')
  full = false
  entry.write('3')
  place.kept.set('a', '4') // From another window.
  expect(entry.read()).toBe('4')
})
