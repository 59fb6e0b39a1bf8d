import { openAsBlob } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { getMimeType } from 'hono/utils/mime'
import { withoutWarnings } from '../warnings.ts'

interface Asset {
  readonly file: string
  readonly type: string
  /** Its name has a hash of what's in it. */
  readonly fixed: boolean
  readonly etag: string
}

/** Answers requests for the app's files. @param path after the server's folder, decoded */
export type Assets = (request: Request, path: string) => Promise<Response>

/** What the build has the headers in that go with every file. */
const HEADERS_FILE = '_headers'

/**
 * The app, as it was built: each file by its path, each folder by its index.html, and 404.html for all else. Files that
 * come later aren't served: only what was there at the start can be reached.
 */
export async function createAssets(folder: string): Promise<Assets> {
  const headers = headersOf(await readFile(path.join(folder, HEADERS_FILE), 'utf8'))
  const assets = new Map<string, Asset>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === HEADERS_FILE) continue
    const file = path.join(entry.parentPath, entry.name)
    const name = `/${path.relative(folder, file).split(path.sep).join('/')}`
    const { size, mtimeMs } = await stat(file)
    const type = getMimeType(name) ?? 'application/octet-stream'
    const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
    const asset: Asset = { file, type, etag, fixed: name.startsWith('/assets/') }
    assets.set(name, asset)
    if (entry.name === 'index.html') assets.set(name.slice(0, -'index.html'.length), asset)
  }

  return async (request, name) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } })
    }
    const found = assets.get(name) ?? assets.get(`${name}/`) ?? assets.get(screenOf(name))
    const asset = found ?? assets.get('/404.html')
    if (!asset) return new Response(null, { status: 404 })
    const answer = new Headers({
      ...headers,
      'Cache-Control': found?.fixed ? 'public, max-age=31536000, immutable' : 'no-cache',
      'Content-Type': asset.type,
      ETag: asset.etag,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    })
    if (found && isKept(request.headers.get('If-None-Match'), asset.etag)) {
      return new Response(null, { status: 304, headers: answer })
    }
    const blob = await withoutWarnings(() => openAsBlob(asset.file))
    answer.set('Content-Length', String(blob.size))
    const body = request.method === 'HEAD' ? null : blob.stream()
    return new Response(body, { status: found ? 200 : 404, headers: answer })
  }
}

/** The screen that an address is in, which finds the rest of it by itself: `/settings/` of `/settings/limits`. */
function screenOf(name: string): string {
  return /^\/[^/]+\/(?!.*\.[^/]*$)/.exec(name)?.[0] ?? ''
}

/** The headers that a `_headers` file has for every path, as the build writes it: `/*`, then a line each. */
function headersOf(text: string): Record<string, string> {
  const [, ...lines] = text.split('\n')
  const pairs = lines.map((line) => /^\s+([\w-]+):\s*(.*)$/.exec(line)).filter((match) => match !== null)
  return Object.fromEntries(pairs.map(([, name, value]) => [name, value]))
}

/**
 * Whether who asks has it as it is. A proxy that compresses what it passes on makes a weak tag of it.
 * @param condition the request's `If-None-Match` (RFC 9110, section 13.1.2)
 */
function isKept(condition: string | null, etag: string): boolean {
  const tags = condition?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
