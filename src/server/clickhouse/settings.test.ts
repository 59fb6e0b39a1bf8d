import { expect, it } from 'vitest'
import { SettingsError } from '../options.ts'
import { readSettings } from '../settings.ts'

const read = (env: Record<string, string>) => readSettings([], env)?.clickhouse

it('ClickHouse isn’t used without its URL', () => {
  expect(read({})).toBeNull()
  expect(() => read({ CLICKHOUSE_PASSWORD: 'x' })).toThrow('$CLICKHOUSE_PASSWORD needs --clickhouse-url')
})

it('statements run as the user that loads tables, or as another one if it’s given', () => {
  const url = { CLICKHOUSE_URL: 'https://clickhouse:8443', CLICKHOUSE_USER: 'rowhouse', CLICKHOUSE_PASSWORD: 'a' }
  expect(read(url)).toEqual({
    url: 'https://clickhouse:8443/',
    user: 'rowhouse',
    password: 'a',
    reader: { user: 'rowhouse', password: 'a' },
    prefix: 'rowhouse_',
    cluster: null,
    fromBytes: 256 * 2 ** 20,
    memoryBytes: 8192 * 2 ** 20,
  })
  expect(
    read({ ...url, CLICKHOUSE_READER: 'reader', CLICKHOUSE_READER_PASSWORD: 'b', CLICKHOUSE_CLUSTER: 'main' }),
  ).toMatchObject({
    reader: { user: 'reader', password: 'b' },
    cluster: 'main',
  })
})

it.each([
  [{ CLICKHOUSE_URL: 'clickhouse:9000' }, 'http://clickhouse:8123'],
  [{ CLICKHOUSE_URL: 'http://user:secret@clickhouse:8123' }, 'without a user'],
  [{ CLICKHOUSE_URL: 'http://c:8123', CLICKHOUSE_PREFIX: 'a-b' }, '--clickhouse-prefix'],
  [{ CLICKHOUSE_URL: 'http://c:8123', CLICKHOUSE_CLUSTER: '`; DROP' }, '--clickhouse-cluster'],
  [{ CLICKHOUSE_URL: 'http://c:8123', CLICKHOUSE_FROM: 'much' }, '--clickhouse-from'],
])('refuses %j', (env, told) => {
  expect(() => read(env)).toThrow(SettingsError)
  expect(() => read(env)).toThrow(told)
  expect(() => read(env)).not.toThrow('secret')
})
