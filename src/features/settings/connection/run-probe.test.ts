import { expect, test } from 'vitest'
import { policyAllows } from './run-probe.ts'

const page = (content: string | null) =>
  ({
    baseURI: 'https://app.example/settings',
    querySelector: () => (content === null ? null : { content }),
  }) as unknown as Document

test('a page may connect to its own origin, and to those in its policy', () => {
  const strict = page("default-src 'none'; connect-src 'self'; img-src 'self'")
  expect(policyAllows('https://app.example', strict)).toBe(true)
  expect(policyAllows('https://data.example', strict)).toBe(false)
  const widened = page("connect-src 'self' https://data.example; img-src 'self'")
  expect(policyAllows('https://data.example', widened)).toBe(true)
  expect(policyAllows('https://data.example.evil', widened)).toBe(false)
})

test('a page without a policy may connect anywhere', () => {
  expect(policyAllows('https://data.example', page(null))).toBe(true)
})
