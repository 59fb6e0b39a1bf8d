import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { BrowserContext } from '@playwright/test'

/*
 * Records the statements that pages send to their workers, with the tables that these may use, so that other engines can
 * be tried with them: `npm run test:clickhouse`.
 */

/** Bytes of the largest file that is recorded. */
const LARGEST = 8 * 2 ** 20

/** Tables as a page names them (`SessionTables`). */
interface Tables {
  readonly published: readonly Named[]
  readonly local: readonly (Named & { readonly name: string })[]
}

interface Named {
  readonly fileId: string
}

/** A message to a worker (`ToWorker`). */
interface Message {
  readonly type?: string
  readonly name?: string
  readonly request?: {
    readonly sql?: string
    readonly tables?: readonly Named[]
    readonly files?: ReadonlyMap<string, Blob>
    readonly parameters?: Readonly<Record<string, unknown>>
  }
}

declare global {
  interface Window {
    recordStatement(statement: object): Promise<void>
    recordFile(fileId: string, base64: string): Promise<void>
  }
}

/** Runs in the page, before its own scripts. */
function watchWorkers(largest: number): void {
  const post = Reflect.get(Worker.prototype, 'postMessage') as (this: Worker, ...given: unknown[]) => void
  const tablesOf = new WeakMap<Worker, Tables>()
  const sent = new Set<string>()
  const sendFile = async (fileId: string, file: Blob): Promise<void> => {
    if (sent.has(fileId) || file.size > largest) return
    sent.add(fileId)
    const url = await new Promise<string>((resolve, reject) => {
      const reader = new FileReader()
      reader.addEventListener('load', () => resolve(reader.result as string))
      reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')))
      reader.readAsDataURL(file)
    })
    await window.recordFile(fileId, url.slice(url.indexOf(',') + 1))
  }
  Worker.prototype.postMessage = function (message: Message, ...rest: unknown[]) {
    const { type, name, request } = message
    if (type === 'call' && name === 'use') tablesOf.set(this, request as unknown as Tables)
    // A worker gets a file once, with the first call about it.
    if (type === 'call' && request?.sql !== undefined)
      for (const [fileId, file] of request.files ?? []) void sendFile(fileId, file).catch(() => undefined)
    if (type === 'call' && name === 'run' && request?.sql !== undefined) {
      const { sql, tables = [], parameters = {} } = request
      const ids = new Set(tables.map(({ fileId }) => fileId))
      const given = tablesOf.get(this) ?? { published: tables, local: [] }
      void window.recordStatement({
        sql,
        parameters,
        published: given.published.filter(({ fileId }) => ids.has(fileId)),
        local: given.local.filter(({ fileId }) => ids.has(fileId)),
      })
    }
    post.call(this, message, ...rest)
  }
}

/** @param folder gets `statements.jsonl` and the tables’ files */
export async function recordStatements(context: BrowserContext, folder: string): Promise<void> {
  const files = path.join(folder, 'files')
  mkdirSync(files, { recursive: true })
  await context.exposeFunction('recordStatement', (statement: object) =>
    appendFileSync(path.join(folder, 'statements.jsonl'), `${JSON.stringify(statement)}\n`),
  )
  await context.exposeFunction('recordFile', (fileId: string, base64: string) => {
    const place = path.join(files, encodeURIComponent(fileId))
    if (!existsSync(place)) writeFileSync(place, Buffer.from(base64, 'base64'))
  })
  await context.addInitScript(watchWorkers, LARGEST)
}
