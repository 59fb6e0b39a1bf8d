import { sha256Hex } from '../lib/bytes.ts'
import type { Scope } from '../contract/schemas.ts'
import type { KeyRecord } from './ports.ts'

const KEY = /^sk_live_[A-Za-z0-9_-]{43}$/

/** Whether a text has the form of an API key: `sk_live_` and 32 random bytes as base64url. */
export function isKey(text: string): boolean {
  return KEY.test(text)
}

/** What's kept of a key, and what it's found by: its SHA-256 as hex. */
export const hashKey = (key: string): Promise<string> => sha256Hex(new TextEncoder().encode(key))

interface NewKey {
  readonly record: KeyRecord
  /** To be shown once: it can't be had from the record. */
  readonly key: string
}

/** Makes a key that nobody can guess. The record has still to be written. */
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

/** Why a key isn't taken any more; null while it is. */
export function endOf({ revokedAt, expiresAt }: KeyRecord, now: number): 'revoked' | 'expired' | null {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : null
}

/** In which order keys are listed. */
export const newestFirst = (a: KeyRecord, b: KeyRecord): number =>
  b.createdAt - a.createdAt || (a.name < b.name ? -1 : 1)
