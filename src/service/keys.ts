import type { Scope } from '../contract/schemas.ts'
import type { KeyRecord } from './ports.ts'
import { sha256Hex } from './signing.ts'

const KEY = /^sk_live_[A-Za-z0-9_-]{43}$/

/** Whether a text has the form of an API key: `sk_live_` and 32 random bytes as base64url. */
export function isKey(text: string): boolean {
  return KEY.test(text)
}

/** SHA-256 of a key as hex, under which it's stored and found. */
export const hashKey = (key: string): Promise<string> => sha256Hex(new TextEncoder().encode(key))

interface NewKey {
  readonly record: KeyRecord
  /** Shown only once: the record doesn't contain it. */
  readonly key: string
}

/** Generates a random key. The caller must store the record. */
export async function makeKey(fields: {
  readonly workspaceId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  readonly expiresAt: number | null
}): Promise<NewKey> {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const text = btoa(String.fromCharCode(...bytes))
  const key = `sk_live_${text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`
  return {
    key,
    record: {
      ...fields,
      id: crypto.randomUUID(),
      hash: await hashKey(key),
      last4: key.slice(-4),
      lastUsedAt: null,
      revokedAt: null,
    },
  }
}

/** Why a key is no longer valid; null if it is. */
export function endOf({ revokedAt, expiresAt }: KeyRecord, now: number): 'revoked' | 'expired' | null {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : null
}

/** Sort order of lists. */
export const newestFirst = (a: KeyRecord, b: KeyRecord): number =>
  b.createdAt - a.createdAt || (a.name < b.name ? -1 : 1)
