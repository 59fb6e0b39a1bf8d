import { tableFromIPC } from 'apache-arrow'
import { createSqlSession, createTableStore, type SqlSession } from '../../src/engine/client.ts'
import type { FromBare, Measured, Stored, Took, ToBare } from './sql-protocol.ts'

/* Runs in the browser. The script calls these functions by name, and they return plain data. */

const store = createTableStore()
let session: SqlSession | undefined
let bare: Worker | undefined

/** Loads the chosen files as tables of a dataset, like publishing does. */
async function load(dataset: string): Promise<Stored[]> {
  const input = document.querySelector<HTMLInputElement>('#files')
  const stored: Stored[] = []
  for (const file of input?.files ?? []) {
    const creationId = crypto.randomUUID()
    const { fileId } = await store.whileCreating(creationId, () => store.ingest(file, { creationId, format: null }))
    const { size } = await store.file(fileId)
    stored.push({ dataset, table: file.name.replace(/\.[^.]*$/, ''), fileId, size })
  }
  return stored
}

function askBare(message: ToBare): Promise<Took> {
  bare ??= new Worker(new URL('./sql-bare-worker.ts', import.meta.url), { type: 'module' })
  const worker = bare
  return new Promise<Took>((resolve, reject) => {
    const fail = ({ message: text }: ErrorEvent): void => reject(new Error(text))
    worker.addEventListener('error', fail, { once: true })
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<FromBare>) => {
        worker.removeEventListener('error', fail)
        if ('error' in data) reject(new Error(data.error))
        else resolve(data)
      },
      { once: true },
    )
    worker.postMessage(message)
  })
}

async function openBare(tables: readonly Stored[]): Promise<void> {
  const files = tables.map(async ({ dataset, table, fileId }) => ({ dataset, table, file: await store.file(fileId) }))
  await askBare({ type: 'open', tables: await Promise.all(files) })
}

function openOurs(tables: readonly Stored[]): SqlSession {
  session?.close()
  session = createSqlSession()
  const published = tables.map(({ dataset, table, fileId }) => ({ workspace: 'bench', dataset, table, fileId }))
  session.use({ published, local: [] })
  return session
}

/** Milliseconds from the call until all rows have arrived in the page. */
async function runOurs(sql: string): Promise<Measured & { readonly took: number }> {
  if (!session) throw new Error('not open')
  const begun = performance.now()
  const { result, done } = await session.run(sql)
  await done
  const took = performance.now() - begun
  const { columns, rowCount } = result
  const rows = Array.from({ length: rowCount }, (_, row) => columns.map((_column, i) => result.text(row, i)))
  result.dispose()
  return { took, ours: took, bare: 0, engine: 0, columns: columns.map(({ name, type }) => ({ name, type })), rows }
}

/** Milliseconds from the call until all rows have arrived in the page, and those of the engine's own call. */
async function runBare(sql: string): Promise<{ readonly took: number; readonly engine: number }> {
  const begun = performance.now()
  const { took: engine, arrow } = await askBare({ type: 'run', sql })
  tableFromIPC(arrow)
  return { took: performance.now() - begun, engine }
}

async function open(tables: readonly Stored[]): Promise<void> {
  openOurs(tables)
  await openBare(tables)
}

/**
 * Alternating, so that other load on the machine affects both.
 * @param beside whether DuckDB-WASM alone can run it, too
 */
async function measure(sql: string, rounds: number, beside: boolean): Promise<Measured> {
  let [ours, alone, engine] = [Infinity, Infinity, Infinity]
  let answer: Measured | undefined
  for (let i = 0; i < rounds; i++) {
    answer = await runOurs(sql)
    ours = Math.min(ours, answer.ours)
    if (!beside) continue
    const other = await runBare(sql)
    alone = Math.min(alone, other.took)
    engine = Math.min(engine, other.engine)
  }
  return { ours, bare: alone, engine, columns: answer?.columns ?? [], rows: answer?.rows ?? [] }
}

/** Milliseconds for a statement's rows, including the start of worker and engine. */
async function firstOurs(tables: readonly Stored[], sql: string): Promise<number> {
  const begun = performance.now()
  openOurs(tables)
  await runOurs(sql)
  return performance.now() - begun
}

async function firstBare(tables: readonly Stored[], sql: string): Promise<number> {
  const begun = performance.now()
  await openBare(tables)
  await runBare(sql)
  return performance.now() - begun
}

const sqlBench = { load, open, measure, firstOurs, firstBare }
export type SqlBench = typeof sqlBench

declare global {
  interface Window {
    sqlBench: SqlBench
  }
}
window.sqlBench = sqlBench
