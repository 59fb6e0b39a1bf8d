import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { Ports } from '../ports.ts'
import { connect, type Doors } from './connect.ts'

/** A folder for transcripts, with which `npm run test:server` compares hosts. */
const FOLDER = process.env['ROWHOUSE_TRANSCRIPT']
const LONG = 4_000

/** The doors for tests; records transcripts if there's a folder for them. */
export function reach(doors: Doors, place: { readonly ports: Ports; readonly baseUrl: string }): Doors {
  const connected = connect(doors, place)
  if (FOLDER === undefined) return connected
  return {
    service: async (request) => noted(request, await connected.service(request)),
    storage: async (request, options) => noted(request, await connected.storage(request, options)),
  }
}

/** Writes an answer to the transcript, without values that differ each time. */
async function noted(request: Request, response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.clone().arrayBuffer())
  const { testPath = '', currentTestName = '' } = expect.getState()
  const { pathname, search } = new URL(request.url)
  const line = {
    test: plain(`${path.relative(process.cwd(), testPath)} > ${currentTestName}`),
    asked: plain(`${request.method} ${pathname}${search}`),
    status: response.status,
    headers: Array.from(response.headers, ([name, value]) => `${name}: ${plain(value)}`).sort(),
    // In process, the response to HEAD may have a body that HTTP wouldn't send.
    body: request.method === 'HEAD' ? '' : bodyOf(bytes),
  }
  appendFileSync(path.join(FOLDER ?? '', `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`)
  return response
}

function bodyOf(bytes: Uint8Array): string {
  const text = plain(new TextDecoder().decode(bytes))
  return text.length > LONG ? `${text.slice(0, 200)}... ${createHash('sha256').update(text).digest('hex')}` : text
}

/** Patterns of values that differ each time. */
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
