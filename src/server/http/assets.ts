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

/** Serves the app's files. @param path decoded, relative to the server's base path */
export type Assets = (request: Request, path: string) => Promise<Response>

/** The build's file with the headers for all files. */
const HEADERS_FILE = '_headers'

/**
 * Serves the built app: files by path, folders by their index.html, and 404.html for everything else. Only files that
 * exist at the start are served.
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

/** The screen of an address, which handles the rest of the path itself: `/settings/` for `/settings/limits`. */
function screenOf(name: string): string {
  return /^\/[^/]+\/(?!.*\.[^/]*$)/.exec(name)?.[0] ?? ''
}

/**
 * Parses the headers for all paths in a `_headers` file as the build writes it: `/*`, followed by one header per line.
 */
function headersOf(text: string): Record<string, string> {
  const [, ...lines] = text.split('\n')
  const pairs = lines.map((line) => /^\s+([\w-]+):\s*(.*)$/.exec(line)).filter((match) => match !== null)
  return Object.fromEntries(pairs.map(([, name, value]) => [name, value]))
}

/**
 * Whether the client has the current version. Proxies that compress responses turn the ETag into a weak one.
 * @param condition the request's `If-None-Match` (RFC 9110, section 13.1.2)
 */
function isKept(condition: string | null, etag: string): boolean {
  const tags = condition?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
