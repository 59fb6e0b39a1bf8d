import { MAX_FILE_BYTES } from '../contract/limits.ts'
import type { Clock, ObjectRecord, Records } from './ports.ts'

export type Verdict =
  | {
      readonly ok: true
      readonly objectId: string
      readonly contentType: string
      /** Limit of the request's body; 0 for a download. */
      readonly maxBytes: number
      /** In milliseconds since 1970. */
      readonly expiresAt: number
    }
  | { readonly ok: false; readonly reason: 'signature' | 'method' | 'expired' }

/** Signs and verifies URLs of objects. Whoever has such a URL can use the object without a key. */
export interface Signer {
  /**
   * A URL for a PUT of the object until the record's `expiresAt`.
   * @param baseUrl URL under which `/storage/` is
   */
  upload(record: ObjectRecord, baseUrl: string): Promise<string>
  /** A URL for a GET of the object. */
  download(record: ObjectRecord, baseUrl: string, expiresAt: number): Promise<string>
  /** Whether a request is allowed now. A URL for GET is also valid for HEAD. */
  verify(method: string, url: string): Promise<Verdict>
  /** The object's id in an upload URL that was signed here, even if it has expired; null for anything else. */
  objectIdOf(url: string): Promise<string | null>
}

const SECRET = 'signing-key'
const PARAMETERS = ['method', 'expires', 'type', 'max', 'signature'] as const
type Parameters = Readonly<Record<(typeof PARAMETERS)[number], string>>

interface Parsed extends Parameters {
  readonly path: string
}

/**
 * HMAC-SHA-256 over method, object path, expiry, content type and size limit. The key is generated once and stored as a
 * record. It's read for each call, since restoring a backup replaces it.
 */
export function createSigner(records: Records, clock: Clock): Signer {
  const sign = async (record: ObjectRecord, baseUrl: string, method: 'PUT' | 'GET', expiresAt: number) => {
    const parsed: Omit<Parsed, 'signature'> = {
      method,
      path: record.path,
      expires: String(expiresAt),
      type: record.contentType,
      max: method === 'PUT' ? String(MAX_FILE_BYTES) : '0',
    }
    const signature = toHex(new Uint8Array(await crypto.subtle.sign('HMAC', await signingKey(records), text(parsed))))
    const { path, ...rest } = parsed
    const query = new URLSearchParams({ ...rest, signature })
    return `${baseUrl.replace(/\/+$/, '')}/storage/${path.split('/').map(encodeURIComponent).join('/')}?${query}`
  }

  const signed = async (url: string): Promise<Parsed | null> => {
    const parsed = parse(url)
    if (!parsed) return null
    const signature = fromHex(parsed.signature)
    // `verify` compares in constant time.
    const ok = await crypto.subtle.verify('HMAC', await signingKey(records), signature, text(parsed))
    return ok ? parsed : null
  }

  return {
    upload: (record, baseUrl) => sign(record, baseUrl, 'PUT', record.expiresAt),
    download: (record, baseUrl, expiresAt) => sign(record, baseUrl, 'GET', expiresAt),
    async verify(method, url) {
      const parsed = await signed(url)
      if (!parsed) return { ok: false, reason: 'signature' }
      if (parsed.method !== (method === 'HEAD' ? 'GET' : method)) return { ok: false, reason: 'method' }
      const expiresAt = Number(parsed.expires)
      if (clock.now() >= expiresAt) return { ok: false, reason: 'expired' }
      return {
        ok: true,
        objectId: objectIdIn(parsed.path),
        contentType: parsed.type,
        maxBytes: Number(parsed.max),
        expiresAt,
      }
    },
    async objectIdOf(url) {
      const parsed = await signed(url)
      return parsed?.method === 'PUT' ? objectIdIn(parsed.path) : null
    },
  }
}

/** `<date>/<id>/<name>` */
const objectIdIn = (path: string): string => path.split('/')[1] ?? ''

/** The signed text. As a JSON list, so that its parts can't be shifted. */
function text({ method, path, expires, type, max }: Omit<Parsed, 'signature'>): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(['v1', method, path, expires, type, max]))
}

/**
 * Null if it isn't one of our URLs. Host and folder don't matter, since a backup may be restored at another address.
 */
function parse(url: string): Parsed | null {
  const parsed = URL.parse(url)
  const [, encoded] = /\/storage\/([^/]+\/[^/]+\/[^/]+)$/.exec(parsed?.pathname ?? '') ?? []
  if (!parsed || !encoded) return null
  const names = [...parsed.searchParams.keys()]
  if (names.length !== PARAMETERS.length || parsed.hash !== '') return null
  const parameters: Partial<Record<keyof Parameters, string>> = {}
  for (const name of PARAMETERS) {
    const value = parsed.searchParams.get(name)
    if (value === null) return null
    parameters[name] = value
  }
  const { method, expires, type, max, signature } = parameters as Parameters
  if (!/^[0-9a-f]{64}$/.test(signature)) return null
  try {
    const path = encoded.split('/').map(decodeURIComponent).join('/')
    return { path, method, expires, type, max, signature }
  } catch {
    return null // Invalid percent-encoding.
  }
}

async function signingKey(records: Records): Promise<CryptoKey> {
  const known = await records.read(['secrets'], (transaction) => transaction.get('secrets', SECRET))
  const value = known?.value ?? (await makeSecret(records))
  return crypto.subtle.importKey('raw', new Uint8Array(value), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])
}

/** If several tabs or workers create one at once, the first one wins, since writers run one after another. */
function makeSecret(records: Records): Promise<Uint8Array> {
  const made = crypto.getRandomValues(new Uint8Array(32))
  return records.write(['secrets'], async (transaction) => {
    const known = await transaction.get('secrets', SECRET)
    if (known) return known.value
    await transaction.put('secrets', { id: SECRET, value: made })
    return made
  })
}

/** Bytes in hex, two digits each. */
const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** SHA-256 in hex. */
export async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
