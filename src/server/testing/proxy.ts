import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, vi } from 'vitest'
import { freePort } from './postgres.ts'

/* nginx with the settings in `deploy/` in front of two servers, if it's installed. */

export const nginxIsInstalled = (): boolean => !spawnSync('nginx', ['-v']).error

/** Both servers have the same port, like containers, but each has its own address. */
const ADDRESSES = ['127.0.0.2', '127.0.0.3'] as const

export interface TestProxy {
  readonly url: string
  /** Arguments to start one of its servers. */
  argsOf(which: 0 | 1): readonly string[]
  /** A server's own URL, for routes that the proxy doesn't expose. */
  addressOf(which: 0 | 1): string
  /** Starts it. At least one server must be running. */
  start(): Promise<void>
  stop(): void
}

export async function makeProxy(): Promise<TestProxy> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-proxy-'))
  const [proxyPort, serverPort] = [await freePort(), await freePort()]
  const url = `http://localhost:${proxyPort}`
  let end = (): void => undefined
  return {
    url,
    argsOf: (which) => ['--host', ADDRESSES[which], '--port', String(serverPort), '--url', url],
    addressOf: (which) => `http://${ADDRESSES[which]}:${serverPort}`,
    async start() {
      const file = path.join(folder, 'nginx.conf')
      writeFileSync(file, settingsOf(folder, proxyPort, serverPort))
      const checked = spawnSync('nginx', ['-t', '-c', file], { encoding: 'utf8' })
      if (checked.status !== 0) throw new Error(checked.stderr)
      const proxy = spawn('nginx', ['-c', file, '-g', `daemon off; pid ${folder}/pid;`], { stdio: 'ignore' })
      end = () => void proxy.kill('SIGTERM')
      await vi.waitFor(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200), { timeout: 200_000 })
    },
    stop() {
      end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** nginx.conf with other ports, servers and paths. */
function settingsOf(folder: string, proxyPort: number, serverPort: number): string {
  const servers = ADDRESSES.map((address) => `server ${address}:${serverPort} max_fails=0;`).join(' ')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  const text = readFileSync(path.join(import.meta.dirname, '..', 'deploy', 'nginx.conf'), 'utf8')
  const replaced = [
    ['http {', `http { access_log off; ${temporary} upstream rowhouse { ${servers} }`],
    ['listen 8080;', `listen 127.0.0.1:${proxyPort};`],
    ['http://$servers:8080;', 'http://$servers;'],
  ] as const
  return replaced.reduce((made, [from, to]) => {
    expect(made.split(from)).toHaveLength(2)
    return made.replace(from, to)
  }, text)
}
