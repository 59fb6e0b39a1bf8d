import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { Ports } from '../ports.ts'
import { connect, type Doors } from './connect.ts'

/** A folder for what was asked and answered, for comparing hosts: `npm run test:server`. */
const FOLDER = process.env['ROWHOUSE_TRANSCRIPT']
const LONG = 4_000

/** The doors as tests reach them. */
export function reach(doors: Doors, place: { readonly ports: Ports; readonly baseUrl: string }): Doors {
  const connected = connect(doors, place)
  if (FOLDER === undefined) return connected
  return {
    service: async (request) => noted(request, await connected.service(request)),
    storage: async (request, options) => noted(request, await connected.storage(request, options)),
  }
}

/** Writes down what was answered, without what is another one each time. */
async function noted(request: Request, response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.clone().arrayBuffer())
  const { testPath = '', currentTestName = '' } = expect.getState()
  const { pathname, search } = new URL(request.url)
  const line = {
    test: plain(`${path.relative(process.cwd(), testPath)} > ${currentTestName}`),
    asked: plain(`${request.method} ${pathname}${search}`),
    status: response.status,
    headers: Array.from(response.headers, ([name, value]) => `${name}: ${plain(value)}`).sort(),
    // One that the answer has in process isn't sent.
    body: request.method === 'HEAD' ? '' : bodyOf(bytes),
  }
  appendFileSync(path.join(FOLDER ?? '', `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`)
  return response
}

function bodyOf(bytes: Uint8Array): string {
  const text = plain(new TextDecoder().decode(bytes))
  return text.length > LONG ? `${text.slice(0, 200)}... ${createHash('sha256').update(text).digest('hex')}` : text
}

/** What is made again each time, by its form. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>'],
  [/\b01[0-9A-HJKMNP-TV-Z]{24}\b/g, '<ulid>'],
  [/_01[0-9A-HJKMNP-TV-Z]{24}\b/g, '_<ulid>'],
  [/sk_live_[\w-]{43}/g, '<key>'],
  [/\b[0-9a-f]{64}/g, '<signature>'],
  [/"last4":"[^"]*"/g, '"last4":"<last4>"'],
  [/"execution_time":"[^"]*"/g, '"execution_time":"<time>"'],
]

function plain(text: string): string {
  return VARYING.reduce((result, [form, name]) => result.replace(form, name), text)
}
