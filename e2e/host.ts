import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const dist = process.env['ROWHOUSE_DIST'] ?? fileURLToPath(new URL('../dist', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
}

export interface FileHost {
  readonly origin: string
  /** Files deployed later, by path in the build. */
  readonly deployed: Map<string, string>
  /** Parts of paths of files that can't be fetched, as if there were no network. */
  readonly unreachable: Set<string>
  close(): void
}

/** A host that only serves files, with the app in a folder and a 404.html for missing files. */
export async function fileHost(prefix: string): Promise<FileHost> {
  const deployed = new Map<string, string>()
  const unreachable = new Set<string>()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    let name = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : null
    if (name !== null && existsSync(path.join(dist, name)) && statSync(path.join(dist, name)).isDirectory()) {
      name = path.posix.join(name, 'index.html')
    }
    if (Array.from(unreachable).some((part) => pathname.includes(part))) {
      request.socket.destroy()
      return
    }
    if (name === null) {
      response.writeHead(404).end()
      return
    }
    const found = existsSync(path.join(dist, name))
    if (!found) name = '404.html'
    response.writeHead(found ? 200 : 404, { 'Content-Type': TYPES[path.extname(name)] ?? 'application/octet-stream' })
    const changed = deployed.get(name)
    if (changed === undefined) createReadStream(path.join(dist, name)).pipe(response)
    else response.end(changed)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deployed,
    unreachable,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
