import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expect, vi } from 'vitest'
import { failureSchema, rateLimitDetailsSchema } from '../../contract/errors.ts'
import { put, type Client } from './client.ts'

/* Clients that use a service while parts of it fail, and record what must exist, and what may exist. */

/** Seconds without any response after which a test fails, however busy the machine is. */
export const SILENCE = 600
/**
 * Milliseconds for which a client pauses after a failure; otherwise, it would delete everything before the next answer.
 */
const LATER = 200

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Repeats a request until it's answered, since the last fault may still have effects. @param what names it in the error */
export const insisted = <T>(what: string, asked: () => Promise<T | null>): Promise<T> =>
  vi.waitFor(
    async () => {
      const answer = await asked()
      if (answer === null) throw new Error(`no answer: ${what}`)
      return answer
    },
    { timeout: SILENCE * 1000, interval: 500 },
  )

/** The sum of the numbers from 1 to `rows`. */
const sumTo = (rows: number): number => (rows * (rows + 1)) / 2

export class Work {
  /** By name: datasets whose creation was acknowledged, and those whose creation got no response. */
  readonly there = new Map<string, { readonly id: string; readonly rows: number }>()
  readonly doubtful = new Map<string, number>()
  /** Ids of datasets that were deleted, or may have been. */
  readonly gone = new Set<string>()
  readonly maybeGone = new Set<string>()
  /** Acknowledged conversions: numbers of rows by URL. */
  readonly converted = new Map<string, number>()
  /** Responses that violate the contract. */
  readonly strange: string[] = []
  /** Names, ids or URLs of what was acknowledged but is missing, is incomplete, or was deleted but exists. */
  readonly wrong: Record<'lost' | 'half' | 'back', string[]> = { lost: [], half: [], back: [] }
  /** The number of responses by status; 0 means no response. */
  readonly statuses: Record<number, number> = {}
  /** The number of attempts to create a dataset. */
  made = 0
  /** The number of clients' requests that were answered, other than with 503. */
  answered = 0
  private readonly asking: Client

  constructor(asking: Client) {
    this.asking = asking
  }

  /** Sends requests one after the other until it's told to end. @param own draws a random number below another */
  async client(own: (below: number) => number, ending: AbortSignal): Promise<void> {
    while (!ending.aborted) {
      const known = [...this.there]
      const [name, { id, rows }] = known[own(known.length)] ?? ['', { id: '', rows: 0 }]
      const turn = own(12)
      if (turn < 3) await this.convert(1 + own(2000))
      else if (turn < 7 || name === '') await this.publish(1 + own(2000))
      else if (turn < 11) await this.read(name, rows)
      else await this.remove(name, id)
    }
  }

  /** Compares the service with what was recorded, once nothing fails any more. */
  async judgeAll(): Promise<void> {
    for (const [name, { rows }] of this.there)
      this.judge(name, await insisted(`sum of ${name}`, () => this.sumOf(name)), rows)
    for (const [name, rows] of this.doubtful) {
      const sum = await insisted(`sum of ${name}`, () => this.sumOf(name))
      if (sum !== 'gone') this.judge(name, sum, rows)
    }
    for (const id of this.gone) {
      const answer = await insisted(`dataset ${id}`, () => this.ask('GET', `/public/v1/datasets/${id}`))
      if (answer.status !== 404) this.wrong.back.push(id)
    }
    for (const [url, rows] of this.converted) {
      const found = await insisted(url, () => this.download(url))
      if (!isDeepStrictEqual(found, { n: rows, s: sumTo(rows) })) this.wrong.half.push(url)
    }
  }

  /** Deletes all datasets, acknowledged or not. */
  async removeAll(): Promise<void> {
    const all = async (): Promise<readonly { readonly id: string }[]> => {
      const answer = await this.ask('GET', `/public/v1/workspaces/${this.asking.workspace}/datasets`)
      expect(answer?.status).toBe(200)
      return (answer as { body: { data: { datasets: { id: string }[] } } }).body.data.datasets
    }
    for (let left = await all(); left.length > 0; left = await all()) {
      for (const { id } of left) expect((await this.ask('DELETE', `/public/v1/datasets/${id}`))?.status).toBe(200)
    }
  }

  /** @param asking a client with another key */
  async ask(method: string, place: string, body?: unknown, asking = this.asking): Promise<Answer | null> {
    const isFile = typeof body === 'string'
    const answer = await (isFile ? put(place, body) : asking.ask(method, place, body))
      .then(async (response) => ({ response, text: await response.text() }))
      .catch(() => null)
    const status = answer?.response.status ?? 0
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
    if (status === 0 || status === 503) await pause(LATER)
    else if (asking === this.asking) this.answered++
    if (answer === null) return null
    const { headers } = answer.response
    const parsed = bodyOf(answer.text)
    const fault = faultOf(method, place, { status, headers, body: parsed })
    if (fault !== null) this.strange.push(`${method} ${place}: ${status}, ${fault}: ${answer.text}`)
    return { status, headers, body: parsed }
  }

  private async publish(rows: number): Promise<void> {
    const files = [{ filename: 'a.csv', content_type: 'text/csv' }]
    const workspace = this.asking.workspace
    const signed = await this.ask('POST', '/public/v1/storage/signed-urls', { workspace_id: workspace, files })
    if (signed?.status !== 200) return
    const url = (signed.body as { urls: { signed_url: string }[] }).urls[0]?.signed_url ?? ''
    if ((await this.ask('PUT', url, csvOf(rows)))?.status !== 200) return
    const tables = [{ table_name: 't', signed_url: url }]
    const name = `d${this.made++}`
    this.doubtful.set(name, rows)
    const asked = { workspace_id: workspace, dataset_name: name, tables }
    const answer = await this.ask('POST', '/public/v1/datasets', asked)
    if (answer?.status !== 201) return
    const { dataset } = (answer.body as { data: { dataset: { id: string } } }).data
    this.doubtful.delete(name)
    this.there.set(name, { id: dataset.id, rows })
  }

  private async convert(rows: number): Promise<void> {
    const formats = { source_format: 'csv', destination_format: 'json' }
    const places = await this.ask('POST', '/public/v1/convert/upload-urls', formats)
    if (places?.status !== 200) return
    const { source } = (places.body as { data: { source: { upload_url: string; file_path: string } } }).data
    if ((await this.ask('PUT', source.upload_url, csvOf(rows)))?.status !== 200) return
    const answer = await this.ask('POST', '/public/v1/convert', { source_url: source.file_path, ...formats })
    if (answer?.status !== 200) return
    this.converted.set((answer.body as { data: { download_url: string } }).data.download_url, rows)
  }

  private async remove(name: string, id: string): Promise<void> {
    this.there.delete(name)
    this.maybeGone.add(id)
    const answer = await this.ask('DELETE', `/public/v1/datasets/${id}`)
    if (answer?.status !== 200 && answer?.status !== 404) return
    this.maybeGone.delete(id)
    this.gone.add(id)
  }

  private async read(name: string, rows: number): Promise<void> {
    const sum = await this.sumOf(name)
    if (sum !== null && this.there.has(name)) this.judge(name, sum, rows)
  }

  /** Null: no answer, or one that says to come again. */
  private async sumOf(name: string): Promise<unknown> {
    const sql = `SELECT count(*) AS n, sum(x)::BIGINT AS s FROM my_workspace.${name}.t`
    const answer = await this.ask('POST', '/public/v1/query', { sql })
    if (answer?.status === 404) return 'gone'
    return answer?.status === 200 ? (answer.body as { data: { rows: unknown[] } }).data.rows[0] : null
  }

  /** Null: no answer, or one that says to come again. */
  private async download(url: string): Promise<unknown> {
    const response = await fetch(url).catch(() => null)
    if (response?.status === 503) return null
    const rows = await response?.json().catch(() => null)
    if (!Array.isArray(rows)) return response && response.status
    return { n: rows.length, s: (rows as { x: number }[]).reduce((sum, { x }) => sum + x, 0) }
  }

  private judge(name: string, sum: unknown, rows: number): void {
    if (sum === 'gone') this.wrong.lost.push(name)
    else if (!isDeepStrictEqual(sum, { n: rows, s: sumTo(rows) })) this.wrong.half.push(name)
  }
}

const csvOf = (rows: number): string => `x\n${Array.from({ length: rows }, (_, i) => `${i + 1}\n`).join('')}`

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** How a response to a valid request violates the contract; null if it doesn't. */
function faultOf(method: string, place: string, { status, headers, body }: Answer): string | null {
  if (status < 400) return null
  const failure = failureSchema.safeParse(body)
  if (!failure.success) return 'without its form'
  const later = Number(headers.get('Retry-After'))
  if (status === 503) return later > 0 ? null : 'without Retry-After'
  if (status === 429) {
    const details = rateLimitDetailsSchema.safeParse(failure.data.error.details)
    return details.data?.retry_after === later ? null : 'without what it promises'
  }
  // Only what was deleted may be missing; everything else was acknowledged.
  const mayBeGone = place.endsWith('/query') || (/^(?:GET|DELETE)$/.test(method) && /\/datasets\/[^/]+$/.test(place))
  return status === 404 && mayBeGone ? null : 'to a request that is in order'
}
