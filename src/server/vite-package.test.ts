import { expect, test } from 'vitest'
import { needed } from './vite-package.ts'

test('a build’s lock file has all packages that it needs, in the versions that Node would find', () => {
  const packages = {
    '': { dependencies: { a: '1' } },
    'node_modules/a': { version: '1.0.0', dependencies: { b: '2', c: '1' }, optionalDependencies: { missing: '1' } },
    'node_modules/a/node_modules/b': { version: '2.0.0', dependencies: { c: '1', d: '1' } },
    'node_modules/a/node_modules/d': { version: '4.0.0' },
    'node_modules/b': { version: '1.0.0' },
    'node_modules/c': { version: '1.0.0', dev: true, dependencies: { a: '1', b: '1' } },
    'node_modules/d': { version: '1.0.0' },
    'node_modules/other': { version: '1.0.0' },
  }
  const found = needed({ lockfileVersion: 3, packages }, ['a'])
  expect(Object.entries(found).map(([place, { version, dev }]) => [place, version, dev])).toEqual([
    ['node_modules/a', '1.0.0', undefined],
    ['node_modules/a/node_modules/b', '2.0.0', undefined],
    ['node_modules/a/node_modules/d', '4.0.0', undefined],
    ['node_modules/b', '1.0.0', undefined],
    ['node_modules/c', '1.0.0', undefined],
  ])
})
