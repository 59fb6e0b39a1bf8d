import { attachment } from './disposition.ts'
import { failureResponse } from './failure.ts'
import type { StoragePorts } from './index.ts'
import { parseRange } from './range.ts'

/** Answers GET and HEAD with an object's bytes, streamed from where they are. */
export async function download(
  { clock, records, objects }: StoragePorts,
  request: Request,
  objectId: string,
): Promise<Response> {
  const record = await records.read(['objects'], (transaction) => transaction.get('objects', objectId))
  const blob = record?.blobId ? await objects.get(record.blobId) : undefined
  if (!record?.blobId || !blob) {
    return failureResponse('NOT_FOUND', 'There is no file here: nothing was stored, or it was removed.', {
      now: clock.now(),
    })
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
