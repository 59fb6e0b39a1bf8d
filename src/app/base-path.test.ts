import { expect, it } from 'vitest'
import { basePath } from './base-path.ts'

it.each([
  ['https://example.org/assets/index-a1.js', '/'],
  ['https://example.org/tools/rowhouse/assets/index-a1.js', '/tools/rowhouse'],
])('%s is served from %s', (script, base) => expect(basePath(script, true)).toBe(base))

it('is the root in development, wherever the source is', () => {
  expect(basePath('http://localhost:5173/src/app/main.tsx', false)).toBe('/')
})
