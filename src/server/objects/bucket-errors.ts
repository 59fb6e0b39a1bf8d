import { S3ServiceException } from '@aws-sdk/client-s3'
import { UnavailableError } from '../../service/ports.ts'
import { certificateAdvice } from '../certificates.ts'
import { SettingsError } from '../options.ts'
import type { BucketSettings } from '../settings.ts'

/* Translates a store's errors, for requests and for whoever starts the server. */

/** The store's code, such as `NoSuchKey`, or Node's, such as `ECONNREFUSED`. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error instanceof S3ServiceException) return error.name
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? code : error.name
}

export function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
}

export function isMissingObject(error: unknown): boolean {
  return /^(?:NoSuchKey|NotFound)$/.test(codeOf(error)) || (statusOf(error) === 404 && codeOf(error) !== 'NoSuchBucket')
}

export function isMissingUpload(error: unknown): boolean {
  return codeOf(error) === 'NoSuchUpload' || statusOf(error) === 404
}

/** MinIO, Ceph and others have their own codes for a full store. The status 507 comes from WebDAV. */
const FULL = /^(?:QuotaExceeded|XMinioStorageFull|XMinioAdminBucketQuotaExceeded|InsufficientStorage)$/

/** The ports' errors for a store that is full or can't be used right now. */
export function storeError(error: unknown): unknown {
  if (FULL.test(codeOf(error)) || statusOf(error) === 507) {
    return new DOMException('The object store is full.', 'QuotaExceededError')
  }
  const message = Object.hasOwn(ADVICE, codeOf(error))
    ? 'The object store refuses this server’s requests. Ask whoever runs the server to check its log, then try again.'
    : 'The object store doesn’t answer as it should. Try again in a moment.'
  return new UnavailableError(message, { cause: error })
}

const ADVICE: Readonly<Record<string, string>> = {
  NoSuchBucket: 'There is no bucket of that name ($S3_BUCKET): create it first.',
  InvalidBucketName: 'That can’t be a bucket’s name ($S3_BUCKET).',
  InvalidAccessKeyId: 'It doesn’t know the access key ($S3_ACCESS_KEY_ID).',
  SignatureDoesNotMatch: 'The secret ($S3_SECRET_ACCESS_KEY) isn’t that of the access key ($S3_ACCESS_KEY_ID).',
  AccessDenied:
    'The access key ($S3_ACCESS_KEY_ID) may not list, read, write and delete there: it needs s3:ListBucket, ' +
    's3:ListBucketMultipartUploads, s3:GetObject, s3:PutObject, s3:DeleteObject and s3:AbortMultipartUpload.',
  AuthorizationHeaderMalformed: 'The bucket is in another region ($S3_REGION).',
  PermanentRedirect: 'The bucket is in another region ($S3_REGION), or at another address ($S3_ENDPOINT).',
  RequestTimeTooSkewed: 'This machine’s clock and the store’s differ too much.',
  CredentialsProviderError:
    'No access key is set ($S3_ACCESS_KEY_ID, $S3_SECRET_ACCESS_KEY), and this machine has none.',
  NotImplemented: 'It lacks what is needed: ListObjectsV2, and multipart uploads with ListMultipartUploads.',
}

/** Why the server can't start with a store. The store's own message isn't included. */
export function unusable({ endpoint, bucket, region }: BucketSettings, cause: unknown): SettingsError {
  const code = codeOf(cause)
  const place = endpoint ?? `Amazon S3 in ${region}`
  const known = Object.hasOwn(ADVICE, code) ? ADVICE[code] : certificateAdvice(code)
  // What isn't a store at all answers with a page that can't be read, and then the error isn't the SDK's.
  const { $metadata: { httpStatusCode: status } = {} } = cause as Partial<S3ServiceException>
  const why =
    known ??
    (status === undefined
      ? `It can’t be reached ($S3_ENDPOINT): ${code}. Check the address (http or https, host, port), and that it runs.`
      : `It answered with ${[status, ...(cause instanceof S3ServiceException ? [code] : [])].join(' ')}: is it an S3-compatible store ($S3_ENDPOINT)?`)
  return new SettingsError(`The bucket “${bucket}” at ${place} can’t be used. ${why}`, { cause })
}
