import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/* Checks Amazon's Signature Version 4, like a store. */

interface Keys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

/** The parameters of a signature, from a request's headers or a presigned URL. */
interface Signed {
  readonly credential: string
  /** Such as `20261121T000000Z`. */
  readonly date: string
  readonly signedHeaders: string
  readonly signature: string
  /** The body's hash in hexadecimal, or the constant for unsigned bodies. */
  readonly hash: string
}

/**
 * @param now the store's clock, in milliseconds since 1970
 * @returns S3's error code; null if the signature is valid
 */
export function refusedSignature(request: IncomingMessage, body: Buffer, keys: Keys, now: number): string | null {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const parameters = new URLSearchParams(query)
  const presigned = parameters.has('X-Amz-Signature')
  const signed = presigned ? inAddress(parameters) : inHeaders(request)
  const [, id, day, region] = /^([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request$/.exec(signed?.credential ?? '') ?? []
  if (!signed || id === undefined || day === undefined) return 'AccessDenied'
  if (id !== keys.accessKeyId) return 'InvalidAccessKeyId'
  if (region !== keys.region) return 'AuthorizationHeaderMalformed'
  const { date, signedHeaders, hash } = signed
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const age = now - Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
  if (presigned && !(age <= Number(parameters.get('X-Amz-Expires')) * 1000)) return 'AccessDenied'

  const canonical = [
    request.method,
    path,
    query
      .split('&')
      .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
      .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
      .sort()
      .join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${headerOf(request, name).trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders,
    hash,
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', date, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${keys.secretAccessKey}`,
  )
  const signature = createHmac('sha256', key).update(toSign).digest('hex')
  return signature === signed.signature ? null : 'SignatureDoesNotMatch'
}

function inHeaders(request: IncomingMessage): Signed | null {
  const [, credential, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      request.headers.authorization ?? '',
    ) ?? []
  if (credential === undefined || signedHeaders === undefined || signature === undefined) return null
  const [date, hash] = ['x-amz-date', 'x-amz-content-sha256'].map((name) => headerOf(request, name))
  return { credential, signedHeaders, signature, date, hash }
}

function inAddress(parameters: URLSearchParams): Signed | null {
  if (parameters.get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') return null
  const [credential, signedHeaders, signature, date] = ['Credential', 'SignedHeaders', 'Signature', 'Date'].map(
    (name) => parameters.get(`X-Amz-${name}`) ?? '',
  )
  return { credential, signedHeaders, signature, date, hash: 'UNSIGNED-PAYLOAD' }
}

function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(',') : (value ?? '')
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}
