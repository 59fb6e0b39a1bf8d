import { ServiceError } from '../http.ts'
import { isKey } from '../keys.ts'

/**
 * The API key that a request carries, in `X-API-Key` or as `Authorization: Bearer`.
 * @throws {ServiceError} 401 when there's none, it can't be one, or the two headers disagree
 */
export function keyOf(headers: Headers): string {
  const plain = headers.get('X-API-Key')
  const bearer = bearerOf(headers.get('Authorization'))
  const key = plain ?? bearer
  if (key === null) {
    throw unauthorized('Send an API key, in the header “X-API-Key” or as “Authorization: Bearer <key>”.')
  }
  if (bearer !== null && bearer !== key) {
    throw unauthorized('“X-API-Key” and “Authorization” carry different API keys. Send one of them.')
  }
  if (!isKey(key))
    throw unauthorized('The API key is not valid: one begins with “sk_live_”, and is 51 characters long.')
  return key
}

/** @throws never: schemes other than Bearer aren't ours to judge */
function bearerOf(authorization: string | null): string | null {
  const [, token] = /^Bearer(?:$|\s+(.*))/i.exec(authorization?.trim() ?? '') ?? []
  return token ?? (/^Bearer$/i.test(authorization?.trim() ?? '') ? '' : null)
}

export function unauthorized(message: string): ServiceError {
  return new ServiceError('UNAUTHORIZED', message, { headers: { 'WWW-Authenticate': 'Bearer realm="Rowhouse"' } })
}
