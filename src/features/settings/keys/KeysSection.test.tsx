import { screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { ConsoleClient } from '../../../api/console.ts'
import { unreachable } from '../../../api/create.ts'
import { ApiError } from '../../../api/errors.ts'
import type { ApiKey, NewApiKeyData } from '../../../contract/schemas.ts'
import { SessionProvider } from '../../../session/context.tsx'
import type { Session } from '../../../session/session.ts'
import { sessionStore } from '../../../session/testing.ts'
import { setup } from '../../../ui/testing/render.tsx'
import KeysSection from './KeysSection.tsx'

const AT = Date.parse('2026-11-28T10:00:00Z')
const keyOf = (last4: string, seconds: number, rest: Partial<ApiKey> = {}): ApiKey => ({
  id: last4,
  name: 'Import',
  scopes: ['datasets:*:read'],
  last4,
  created_at: new Date(AT + seconds * 1000).toISOString(),
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
  ...rest,
})

type Change = Partial<Pick<ConsoleClient, 'createApiKey' | 'rotateApiKey'>>

/** The section over a console with these keys, and what its changes do to them. */
function open(keys: ApiKey[], change: (keys: ApiKey[]) => Change) {
  const console = { apiKeys: () => Promise.resolve([...keys]), ...change(keys) }
  const api = { listDatasets: () => Promise.resolve([]) }
  const connection = { kind: 'remote', baseUrl: 'https://a.example/public/v1', key: 'sk_live_mine' }
  return setup(
    <MemoryRouter>
      <SessionProvider store={sessionStore({ console, api, connection, workspaceId: 'w' } as unknown as Session)}>
        <KeysSection />
      </SessionProvider>
    </MemoryRouter>,
  )
}

/** Replaces a key at once. */
function replace(keys: ApiKey[]): NewApiKeyData {
  const made = keyOf('new1', 1)
  keys.splice(0, 1, keyOf('old1', -900_000, { revoked_at: made.created_at }), made)
  return { api_key: made, key: 'sk_live_new1' }
}

test.each([
  ['the answer is lost', unreachable('https://a.example')],
  [
    'the browser asks twice, and only the second answer arrives',
    new ApiError('CONFLICT', 'The API key is revoked.', { status: 409, requestId: null }),
  ],
])('a key was rotated, but %s: the page says where its successor is', async (_, error) => {
  const { user } = open([keyOf('old1', -900_000)], (keys) => ({
    rotateApiKey: async () => {
      replace(keys)
      throw error
    },
  }))
  await user.click(await screen.findByRole('button', { name: 'Rotate Import' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Rotate key' }))
  // The old key's row is gone by then.
  await waitFor(() => expect(screen.getByText('sk_live_…new1')).toBeDefined())
  expect(screen.queryByText('sk_live_…old1')).toBeNull()
  expect(screen.getByRole('dialog').textContent).toContain('rotate that one, because nobody has its text')
})

test('if a browser asked twice for a new key, the first one is pointed out', async () => {
  const others = [keyOf('used', -5, { last_used_at: new Date(AT).toISOString() }), keyOf('long', -900)]
  const { user } = open(others, (keys) => ({
    createApiKey: async () => {
      const made = keyOf('new2', 0)
      keys.unshift(made, keyOf('new1', -1), keyOf('else', -1, { scopes: ['datasets:*:write'] }))
      return { api_key: made, key: 'sk_live_new2' }
    },
  }))
  await user.click(await screen.findByRole('button', { name: 'New key' }))
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Import')
  await user.click(screen.getByRole('button', { name: 'Create key' }))
  const dialog = await screen.findByRole('dialog', { name: 'Your key “Import”' })
  const notice = await within(dialog).findByText(/sent the request twice/)
  expect(notice.textContent.match(/sk_live_…\w+/g)).toEqual(['sk_live_…new1'])
  expect(notice.textContent).toContain('revoke it')
})

test('if a browser asked twice to rotate a key, the first successor is pointed out, which expires later', async () => {
  const soon = new Date(AT + 3_600_000).toISOString()
  const { user } = open([keyOf('old1', -900)], (keys) => ({
    rotateApiKey: async () => {
      const made = keyOf('new2', 1, { expires_at: soon })
      keys.splice(0, 1, keyOf('old1', -900, { expires_at: soon }), keyOf('new1', 0), made)
      return { api_key: made, key: 'sk_live_new2' }
    },
  }))
  await user.click(await screen.findByRole('button', { name: 'Rotate Import' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Rotate key' }))
  const notice = await screen.findByText(/sent the request twice/)
  expect(notice.textContent.match(/sk_live_…\w+/g)).toEqual(['sk_live_…new1'])
  expect(notice.textContent).toContain('use its successor instead of this key, which expires ')
})

test('a key that was rotated right after it was made isn’t taken for one that nobody has', async () => {
  const { user } = open([keyOf('old1', -5)], (keys) => ({
    rotateApiKey: async () => {
      keys.unshift(keyOf('new1', 0))
      return { api_key: keyOf('new1', 0), key: 'sk_live_new1' }
    },
  }))
  await user.click(await screen.findByRole('button', { name: 'Rotate Import' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Rotate key' }))
  const dialog = await screen.findByRole('dialog', { name: 'Your key “Import”' })
  await waitFor(() => expect(screen.getByText('sk_live_…new1')).toBeDefined())
  expect(within(dialog).queryByText(/sent the request twice/)).toBeNull()
})
