import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { MAX_FILE_BYTES } from '../contract/limits.ts'
import type { Records, SecretRecord, WriteTransaction } from './ports.ts'
import { createSigner, type Signer } from './signing.ts'
import { object } from './testing/records.ts'

/** Records with only secrets, whose writers run one after the other, as in a browser. */
function secretsOnly(): { readonly records: Records; readonly kept: Map<string, SecretRecord> } {
  const kept = new Map<string, SecretRecord>()
  const transaction = {
    get: (_: string, id: string) => Promise.resolve(kept.get(id)),
    put: (_: string, record: SecretRecord) => Promise.resolve(void kept.set(record.id, record)),
  } as unknown as WriteTransaction
  let last: Promise<unknown> = Promise.resolve()
  const records: Records = {
    read: (_, work) => work(transaction),
    write: (_, work) => {
      const done = last.then(() => work(transaction))
      last = done.catch(() => undefined)
      return done
    },
    admit: () => Promise.reject(new Error('there are no keys')),
  }
  return { records, kept }
}

const record = object('obj_1', 'w', {
  path: '2026-11-21/obj_1/sales & café #1?.csv',
  filename: 'sales.csv',
  contentType: 'text/csv; charset=utf-8',
  expiresAt: 900_000,
  blobId: null,
  size: 0,
  uploadedAt: null,
})
const base = 'https://example.org/tools/rowhouse'

let now = 0
let signer: Signer
let store: ReturnType<typeof secretsOnly>
beforeEach(() => {
  now = 0
  store = secretsOnly()
  signer = createSigner(store.records, { now: () => now })
})

describe('an upload URL', () => {
  test('has the object, content type, size limit and expiry', async () => {
    const url = await signer.upload(record, base)
    expect(url).toMatch(/^https:\/\/example\.org\/tools\/rowhouse\/storage\/2026-11-21\/obj_1\/sales%20/)
    expect(await signer.verify('PUT', url)).toEqual({
      ok: true,
      objectId: 'obj_1',
      contentType: 'text/csv; charset=utf-8',
      maxBytes: MAX_FILE_BYTES,
      expiresAt: 900_000,
    })
  })

  test('is valid before its expiry, but not at that moment', async () => {
    const url = await signer.upload(record, base)
    now = 899_999
    expect(await signer.verify('PUT', url)).toMatchObject({ ok: true })
    now = 900_000
    expect(await signer.verify('PUT', url)).toEqual({ ok: false, reason: 'expired' })
    // If the clock is set back, it's valid again.
    now = -5
    expect(await signer.verify('PUT', url)).toMatchObject({ ok: true })
  })

  test('is only valid for PUT', async () => {
    const url = await signer.upload(record, base)
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'put']) {
      expect(await signer.verify(method, url)).toEqual({ ok: false, reason: 'method' })
    }
  })
})

test('a download URL is only valid for GET and HEAD', async () => {
  const url = await signer.download(record, `${base}/`, 5_000)
  expect(await signer.verify('GET', url)).toMatchObject({ ok: true, objectId: 'obj_1', maxBytes: 0, expiresAt: 5_000 })
  expect(await signer.verify('HEAD', url)).toMatchObject({ ok: true })
  expect(await signer.verify('PUT', url)).toEqual({ ok: false, reason: 'method' })
  now = 5_000
  expect(await signer.verify('GET', url)).toEqual({ ok: false, reason: 'expired' })
})

describe('objectIdOf', () => {
  test('returns the object of an upload URL, even if it has expired, wherever the app is served from', async () => {
    const url = await signer.upload(record, base)
    now = 1e12
    expect(await signer.objectIdOf(url)).toBe('obj_1')
    expect(await signer.objectIdOf(url.replace(base, 'http://localhost:5173'))).toBe('obj_1')
  })

  test('returns null for anything else', async () => {
    const upload = await signer.upload(record, base)
    const others = [
      await signer.download(record, base, 5_000),
      upload.slice(base.length),
      upload.replace('/storage/', '/elsewhere/'),
      upload.replace('2026', '%zz26'),
      `${upload}#x`,
      '',
      'x',
      'https://example.org/storage/a/b/c',
    ]
    for (const url of others) expect(await signer.objectIdOf(url), url).toBeNull()
  })
})

test('a URL with any changed part is refused', async () => {
  const urls = [await signer.upload(record, base), await signer.download(record, base, 900_000)]
  const parts = ['path', 'method', 'expires', 'type', 'max', 'signature'] as const
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...urls),
      fc.constantFrom(...parts),
      fc.nat(),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
      fc.nat(2),
      async (original, part, at, inserted, removed) => {
        const url = new URL(original)
        const change = (value: string): string => {
          const begin = at % (value.length + 1)
          return value.slice(0, begin) + inserted + value.slice(begin + removed)
        }
        if (part === 'path') {
          const encoded = url.pathname.slice(url.pathname.indexOf('/storage/') + 9)
          const before = encoded.split('/').map(decodeURIComponent).join('/')
          const after = change(before)
          fc.pre(after !== before && after.isWellFormed())
          url.pathname = `/tools/rowhouse/storage/${after.split('/').map(encodeURIComponent).join('/')}`
        } else {
          const before = url.searchParams.get(part) ?? ''
          const after = change(before)
          fc.pre(after !== before)
          url.searchParams.set(part, after)
        }
        for (const method of ['PUT', 'GET']) {
          expect(await signer.verify(method, url.href)).toEqual({ ok: false, reason: 'signature' })
        }
      },
    ),
    { numRuns: 400 },
  )
})

test('an additional, missing or duplicate parameter is refused', async () => {
  const url = await signer.upload(record, base)
  const changed = [`${url}&x=1`, `${url}&expires=900000`, url.replace(/&type=[^&]*/, ''), url.replace(/&max=\d+/, '')]
  for (const other of changed) expect(await signer.verify('PUT', other)).toEqual({ ok: false, reason: 'signature' })
})

test('concurrent first calls use the same key, which is stored', async () => {
  const { records, kept } = secretsOnly()
  const signers = Array.from({ length: 5 }, () => createSigner(records, { now: () => 0 }))
  const urls = await Promise.all(signers.map((each) => each.upload(record, base)))
  expect(new Set(urls).size).toBe(1)
  expect(kept.get('signing-key')?.value).toHaveLength(32)
  expect(await signer.verify('PUT', urls[0] ?? '')).toEqual({ ok: false, reason: 'signature' })
})

test('a key from a restored backup is used at once', async () => {
  const before = await signer.upload(record, base)
  store.kept.set('signing-key', { id: 'signing-key', value: new Uint8Array(32).fill(7) })
  expect(await signer.verify('PUT', before)).toEqual({ ok: false, reason: 'signature' })
  expect(await signer.verify('PUT', await signer.upload(record, base))).toMatchObject({ ok: true })
})
