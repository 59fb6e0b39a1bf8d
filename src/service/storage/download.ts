import { ServiceError } from '../failures.ts'
import type { StoragePorts } from '../ports.ts'

/** Handles GET and HEAD with an object's bytes, streamed. */
export async function download(
  { records, objects }: StoragePorts,
  request: Request,
  objectId: string,
): Promise<Response> {
  const record = await records.read(['objects'], (transaction) => transaction.get('objects', objectId))
  const blob = record?.blobId ? await objects.get(record.blobId) : undefined
  if (!record?.blobId || !blob) {
    throw new ServiceError('NOT_FOUND', 'There is no file here: nothing was stored, or it was removed.')
  }

  const etag = `"${record.blobId}"`
  const headers = new Headers({
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-store',
    'Content-Disposition': attachment(record.filename),
    // It's a user's file on the app's own origin.
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Content-Type': record.contentType,
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
  })
  const condition = request.headers.get('If-Range')
  const wanted = request.method === 'GET' && (condition === null || condition === etag)
  const range = wanted ? parseRange(request.headers.get('Range'), blob.size) : null
  if (range === 'unsatisfiable') {
    headers.delete('Content-Disposition')
    headers.delete('Content-Type')
    headers.set('Content-Range', `bytes */${blob.size}`)
    return new Response(null, { status: 416, headers })
  }
  const part = range ? blob.slice(range.start, range.end) : blob
  headers.set('Content-Length', String(part.size))
  if (range) headers.set('Content-Range', `bytes ${range.start}-${range.end - 1}/${blob.size}`)
  const body = request.method === 'HEAD' ? null : part
  return new Response(body, { status: range ? 206 : 200, headers })
}

/**
 * `Content-Disposition` of a download (RFC 6266): the exact name by RFC 8187, and an ASCII name for old clients. Names
 * are escaped, so that they can't inject headers.
 */
export function attachment(filename: string): string {
  const name = filename.toWellFormed()
  // Backslashes and quotes could end the quoted string, and some browsers decode percent signs.
  const plain = name.replace(/[^\u0020-\u007e]|["\\%]/gu, '_')
  return plain === name
    ? `attachment; filename="${plain}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${encode(name)}`
}

/** RFC 8187 allows fewer unescaped characters than URLs. */
function encode(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** First byte, and the byte after the last. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Parses a `Range` header for `size` bytes. Null means all of them, also for multiple ranges, other units and invalid
 * headers (RFC 9110, 14.2).
 */
export function parseRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size }
  }
  const start = Number(first)
  const end = last === '' ? size : Math.min(Number(last) + 1, size)
  if (last !== '' && Number(last) < start) return null
  return start >= size ? 'unsatisfiable' : { start, end }
}
