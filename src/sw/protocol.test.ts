import { expect, test } from 'vitest'
import { isPageMessage, kindOfPath } from './protocol.ts'

test.each([
  ['/public/v1', '/', 'api'],
  ['/public/v1/datasets', '/', 'api'],
  ['/api/public/v1/openapi.json', '/', 'api'],
  ['/console/v1/workspaces', '/', 'api'],
  ['/public/v10/datasets', '/', 'app'],
  ['/public/v2', '/', 'app'],
  ['/x/public/v1/datasets', '/', 'app'],
  ['/storage/a/b/c', '/', 'storage'],
  ['/storage', '/', 'app'],
  ['/tools/public/v1/x', '/tools/', 'api'],
  ['/tools/storage/x', '/tools/', 'storage'],
  ['/tools/', '/tools/', 'app'],
  ['/public/v1/x', '/tools/', 'outside'],
  ['/toolshed/public/v1/x', '/tools/', 'outside'],
] as const)('%s below %s is “%s”', (path, base, kind) => expect(kindOfPath(path, base)).toBe(kind))

test('our messages are distinguished from MSW’s', () => {
  expect(isPageMessage({ type: 'rowhouse:claim' })).toBe(true)
  for (const other of ['MOCK_ACTIVATE', null, 5, {}, { type: 5 }, { type: 'REQUEST' }]) {
    expect(isPageMessage(other)).toBe(false)
  }
})
