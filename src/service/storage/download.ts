import { ServiceError } from '../failures.ts'
import type { StoragePorts } from '../ports.ts'

/** Answers GET and HEAD with an object's bytes, streamed from where they are. */
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
    // It's somebody's file, on the app's own origin.
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
 * `Content-Disposition` of a download (RFC 6266): the name as it is by RFC 8187, and for old clients one of plain
 * characters. No name can break out of the header, whatever it holds.
 */
export function attachment(filename: string): string {
  const name = filename.toWellFormed()
  // A backslash and a quote could end the quoted string; a percent sign is taken for an encoding by some browsers.
  const plain = name.replace(/[^\u0020-\u007e]|["\\%]/gu, '_')
  return plain === name
    ? `attachment; filename="${plain}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${encode(name)}`
}

/** RFC 8187 leaves fewer characters as they are than a URL does. */
function encode(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** First byte, and the one after the last. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * What a `Range` header asks for of `size` bytes: null for all of them, which is also the answer to several ranges, to
 * other units and to what can't be understood (RFC 9110, 14.2).
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
