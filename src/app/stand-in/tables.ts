import type { FormatId } from '../../contract/formats.ts'
import type { ServiceFormat } from '../../contract/schemas.ts'
import { EngineError, type ConvertResult, type EngineClient, type TableStore } from '../../engine/client.ts'
import { TablesError, UnavailableError, type Tables, type TablesErrorCode } from '../../service/ports.ts'
import { defaultOptions, planFrom, type ImportPlan, type Inspection } from '../../tables/plan.ts'

interface TablesParts {
  readonly engine: EngineClient
  readonly store: TableStore
  /** Keeps outputs that no record names from being swept while `work` runs. */
  readonly making: <T>(work: () => Promise<T>) => Promise<T>
  readonly newId: () => string
}

/** What the service does with rows, done by the engine. */
export function createTables({ engine, store, making, newId }: TablesParts): Tables {
  return {
    whileCreating: (creationId, work) => store.whileCreating(creationId, work),
    ingest: (source, { creationId, format, filename }, signal) =>
      wrapErrors(signal, () =>
        store.ingest(new File([source], filename), { creationId, format }, { signal }).catch(notKept),
      ),
    query: ({ sql, readable, timeoutMs, maxRows }, signal) =>
      wrapErrors(signal, async () => {
        const result = await store.run({ sql, tables: readable, timeoutMs, maxRows }, { signal })
        return { columns: result.columns.map(({ name }) => name), rows: result.rows, truncated: result.truncated }
      }),
    convert: (source, { from, to, filename }, use, signal) =>
      making(async () => {
        const result = await wrapErrors(signal, () =>
          convert(engine, new File([source], filename), { from, to, jobId: newId() }, signal),
        )
        try {
          const [output] = result.outputs
          refuseRejected(result)
          if (!output || result.outputs.length > 1) throw new Error(`a conversion made ${result.outputs.length} files`)
          return await use(await wrapErrors(signal, () => engine.outputs.file(output)))
        } finally {
          const made = result.rejectedFile ? [...result.outputs, result.rejectedFile] : result.outputs
          // What can't be removed now is swept at the next start.
          await Promise.allSettled(made.map(({ id }) => engine.outputs.remove(id)))
        }
      }),
    remove: (fileId) => store.remove(fileId),
    sweep: (keep) => store.sweep(keep),
  }
}

async function convert(
  engine: EngineClient,
  file: File,
  { from, to, jobId }: { readonly from: ServiceFormat; readonly to: ServiceFormat; readonly jobId: string },
  signal: AbortSignal,
): Promise<ConvertResult> {
  const { inspection } = await engine.inspect(file, { format: from }, { signal })
  const plan = to === 'xlsx' ? planFrom(inspection) : oneTable(inspection, to)
  return engine.convert(file, { jobId, plan, target: to, options: defaultOptions(to) }, { signal })
}

/** The plan for a format that holds one table: of a workbook, its one sheet that has rows. */
function oneTable(inspection: Inspection, to: FormatId): ImportPlan {
  const plan = planFrom(inspection)
  const included = plan.tables.flatMap((table, i) => (table.include ? [i] : []))
  const filled = included.filter((i) => {
    const found = inspection.tables[i]
    return found !== undefined && found.rows + found.rejectedCount > 0
  })
  if (filled.length > 1) {
    const sheets = filled.map((i) => `“${inspection.tables[i]?.name ?? ''}”`).join(', ')
    throw new TablesError(
      'unreadable',
      `The file has several sheets with rows (${sheets}), and ${to} holds one table. Send one sheet at a time.`,
    )
  }
  const chosen = filled[0] ?? included[0]
  return { ...plan, tables: plan.tables.map((table, i) => ({ ...table, include: i === chosen })) }
}

/** Nothing is left out unsaid: a service can't ask whether a file will do without some of its rows. */
function refuseRejected({ rejectedCount, rejected }: ConvertResult): void {
  if (rejectedCount === 0) return
  const [first] = rejected
  const place = first === undefined || first.line === null ? `row ${first?.row ?? 1}` : `line ${first.line}`
  const others = rejectedCount > 1 ? ` ${rejectedCount - 1} more don’t fit either.` : ''
  throw new TablesError('unreadable', `A row doesn’t fit: ${first?.message ?? 'its reason is unknown.'}${others}`, {
    place: first?.column ? `${place}, column “${first.column}”` : place,
  })
}

/** The browser didn't keep what it was given: the file is as it should be. */
function notKept(error: unknown): never {
  if (!(error instanceof EngineError) || error.code !== 'verification') throw error
  throw new UnavailableError(`${error.message} ${error.remedy ?? ''}`, { cause: error })
}

const CODES: Readonly<Partial<Record<EngineError['code'], TablesErrorCode>>> = {
  'empty-file': 'unreadable',
  'unsupported-format': 'unreadable',
  'corrupt-file': 'unreadable',
  'password-protected': 'unreadable',
  'too-large': 'unreadable',
  'not-text': 'unreadable',
  unwritable: 'unreadable',
  'invalid-plan': 'unreadable',
  'out-of-space': 'out-of-space',
  'out-of-memory': 'out-of-memory',
  'worker-lost': 'unavailable',
  'not-loaded': 'unavailable',
  'file-changed': 'unavailable',
  'sql-error': 'sql',
  'sql-not-allowed': 'not-allowed',
  'unknown-table': 'unknown-table',
  'sql-timeout': 'timeout',
}

/** Runs work of the engine; its errors come out as the service knows them. Those that are nobody's fault stay what they are. */
async function wrapErrors<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    const code = error instanceof EngineError ? CODES[error.code] : undefined
    if (!(error instanceof EngineError) || !code) throw error
    throw new TablesError(code, error.message, {
      ...(error.place === undefined ? {} : { place: error.place }),
      ...detailsOf(error.details),
      cause: error,
    })
  }
}

function detailsOf(details: unknown): { line?: number; column?: number; table?: string } {
  if (typeof details !== 'object' || details === null) return {}
  const { line, column, table } = details as Readonly<Record<string, unknown>>
  return {
    ...(typeof line === 'number' ? { line } : {}),
    ...(typeof column === 'number' ? { column } : {}),
    ...(typeof table === 'string' ? { table } : {}),
  }
}
