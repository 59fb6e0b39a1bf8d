import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { noPublicSuffixes } from './vite-plugin.ts'

interface Hooks {
  readonly transform: { handler(this: unknown, code: string): { readonly code: string } }
  readonly resolveId: { handler(this: unknown, source: string, importer?: string): unknown }
}
const { transform, resolveId } = noPublicSuffixes() as unknown as Hooks
const build = {
  error(message: string): never {
    throw new Error(message)
  },
}

test('the package uses the list as expected', () => {
  const code = readFileSync('node_modules/tough-cookie/dist/index.js', 'utf8')
  expect(transform.handler.call(build, code).code).not.toContain('tldts')
})

test('another use of the list fails the build', () => {
  const known = 'import { getDomain } from "tldts";\nconst a = getDomain(b);\n'
  expect(transform.handler.call(build, known).code).toBe('const getDomain = (host) => host;\nconst a = getDomain(b);\n')
  for (const code of [
    'export {}',
    `${known}getDomain(c)`,
    known.replace('getDomain }', 'getDomain, getPublicSuffix }'),
  ]) {
    expect(() => transform.handler.call(build, code)).toThrow('otherwise than was known')
  }
  expect(() => resolveId.handler.call(build, 'tldts', '/other.js')).toThrow('/other.js needs')
})
