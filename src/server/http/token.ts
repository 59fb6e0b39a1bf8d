import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Records } from '../../service/ports.ts'

/* The operator's token, which grants access to the console. Only its hash is stored. */

const SECRET = 'console-token'
const FORM = /^rhc_[A-Za-z0-9_-]{43}$/

/** Creates the token if there is none; null otherwise, since it's shown only once. */
export function makeConsoleToken(records: Records): Promise<string | null> {
  return records.write(['secrets'], async (transaction) => {
    if (await transaction.get('secrets', SECRET)) return null
    const token = `rhc_${randomBytes(32).toString('base64url')}`
    await transaction.put('secrets', { id: SECRET, value: hashOf(token) })
    return token
  })
}

/** Replaces the token; the old one becomes invalid. */
export async function replaceConsoleToken(records: Records): Promise<string> {
  await records.write(['secrets'], (transaction) => transaction.remove('secrets', SECRET))
  const token = await makeConsoleToken(records)
  if (token === null) throw new Error('Another server made a token at the same moment. Try again.')
  return token
}

/** Whether a request has the token, as `Authorization: Bearer <token>`. */
export async function hasConsoleToken(request: Request, records: Records): Promise<boolean> {
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(request.headers.get('Authorization')?.trim() ?? '') ?? []
  if (!FORM.test(token)) return false
  const known = await records.read(['secrets'], (transaction) => transaction.get('secrets', SECRET))
  const own = hashOf(token)
  return known !== undefined && known.value.byteLength === own.byteLength && timingSafeEqual(known.value, own)
}

function hashOf(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest())
}
