import type { FormatId } from '../contract/formats.ts'
import type { ServiceFormat } from '../contract/schemas.ts'
import {
  defaultOptions,
  type ImportPlan,
  type Inspection,
  type RejectedRow,
  type WriteOptions,
} from '../tables/plan.ts'
import { TablesError, UnavailableError, type Tables, type TablesErrorCode } from './ports.ts'
import { planFrom } from '../tables/edits.ts'

/* Implements `Tables` with an engine: the browser's workers, or a server's processes. */

interface Cancellable {
  readonly signal: AbortSignal
}

interface Made {
  readonly id: string
}

interface Conversion {
  readonly outputs: readonly Made[]
  readonly rejectedCount: number
  readonly rejected: readonly RejectedRow[]
  readonly rejectedFile: Made | null
}

/** The engine's conversions, as far as they are needed. */
export interface ConvertingEngine {
  inspect(
    file: File,
    request: { readonly format: FormatId },
    options: Cancellable,
  ): Promise<{ readonly inspection: Inspection }>
  convert(
    file: File,
    request: {
      readonly jobId: string
      readonly plan: ImportPlan
      readonly target: FormatId
      readonly options: WriteOptions
    },
    options: Cancellable,
  ): Promise<Conversion>
  readonly outputs: {
    /** The bytes of an output. */
    file(output: Made): Promise<Blob>
    remove(id: string): Promise<void>
  }
}

/** The engine's stored tables, as far as they are needed. */
export interface EngineStore extends Pick<Tables, 'whileCreating' | 'remove' | 'sweep'> {
  ingest(
    file: File,
    request: { readonly creationId: string; readonly format: FormatId; readonly onto?: string },
    options: Cancellable,
  ): ReturnType<Tables['ingest']>
  run(
    request: {
      readonly sql: string
      readonly tables: Parameters<Tables['query']>[0]['readable']
      readonly timeoutMs: number
      readonly maxRows: number
    },
    options: Cancellable,
  ): Promise<{
    readonly columns: readonly { readonly name: string }[]
    readonly rows: readonly (readonly unknown[])[]
    readonly truncated: boolean
    readonly executor?: string
  }>
}

/** An error of the engine, with a message for people. */
interface Failure extends Error {
  readonly code: string
  readonly place?: string | undefined
  readonly remedy?: string | undefined
  readonly details?: unknown
}

interface TablesParts {
  readonly engine: ConvertingEngine
  readonly store: EngineStore
  readonly isEngineError: (error: unknown) => error is Failure
  /** The bytes as a file for the engine. */
  readonly fileOf?: (source: Blob, filename: string) => File
  /** Protects outputs without a record from being swept while `work` runs. */
  readonly making: <T>(work: () => Promise<T>) => Promise<T>
  readonly newId: () => string
}

export function createTables({
  engine,
  store,
  isEngineError,
  fileOf = (source, filename) => new File([source], filename),
  making,
  newId,
}: TablesParts): Tables {
  const wrapErrors = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
    wrapped(isEngineError, signal, work)
  return {
    whileCreating: (creationId, work) => store.whileCreating(creationId, work),
    ingest: (source, { filename, ...request }, signal) =>
      wrapErrors(signal, () =>
        store.ingest(fileOf(source, filename), request, { signal }).catch((error: unknown) => {
          throw isEngineError(error) ? kept(error) : error
        }),
      ),
    query: ({ sql, readable, timeoutMs, maxRows }, signal) =>
      wrapErrors(signal, async () => {
        const result = await store.run({ sql, tables: readable, timeoutMs, maxRows }, { signal })
        const { columns, rows, truncated, executor } = result
        return {
          columns: columns.map(({ name }) => name),
          rows,
          truncated,
          ...(executor === undefined ? {} : { executor }),
        }
      }),
    convert: (source, { from, to, filename }, use, signal) =>
      making(async () => {
        const result = await wrapErrors(signal, () =>
          convert(engine, fileOf(source, filename), { from, to, jobId: newId() }, signal),
        )
        try {
          const [output] = result.outputs
          refuseRejected(result)
          if (!output || result.outputs.length > 1) throw new Error(`a conversion made ${result.outputs.length} files`)
          return await use(await wrapErrors(signal, () => engine.outputs.file(output)))
        } finally {
          const made = result.rejectedFile ? [...result.outputs, result.rejectedFile] : result.outputs
          // What fails now is swept at the next start.
          await Promise.allSettled(made.map(({ id }) => engine.outputs.remove(id)))
        }
      }),
    remove: (fileId) => store.remove(fileId),
    sweep: (keep) => store.sweep(keep),
  }
}

async function convert(
  engine: ConvertingEngine,
  file: File,
  { from, to, jobId }: { readonly from: ServiceFormat; readonly to: ServiceFormat; readonly jobId: string },
  signal: AbortSignal,
): Promise<Conversion> {
  const { inspection } = await engine.inspect(file, { format: from }, { signal })
  const plan = to === 'xlsx' ? planFrom(inspection) : oneTable(inspection, to)
  return engine.convert(file, { jobId, plan, target: to, options: defaultOptions(to) }, { signal })
}

/** A plan for a format with a single table: in a workbook, its only sheet with rows. */
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

/** Fails if rows were rejected, since the service can't ask whether to leave them out. */
function refuseRejected({ rejectedCount, rejected }: Conversion): void {
  if (rejectedCount === 0) return
  const [first] = rejected
  const place = first === undefined || first.line === null ? `row ${first?.row ?? 1}` : `line ${first.line}`
  const others = rejectedCount > 1 ? ` ${rejectedCount - 1} more don’t fit either.` : ''
  throw new TablesError('unreadable', `A row doesn’t fit: ${first?.message ?? 'its reason is unknown.'}${others}`, {
    place: first?.column ? `${place}, column “${first.column}”` : place,
  })
}

/** Rewords a failed verification of a stored table, since the file isn't at fault. */
function kept(error: Failure): Error {
  return error.code === 'verification'
    ? new UnavailableError(`${error.message} ${error.remedy ?? ''}`, { cause: error })
    : error
}

const CODES: Readonly<Partial<Record<string, TablesErrorCode>>> = {
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

/** Codes whose advice suits API clients. The advice of others may be about the app's page, such as its buttons. */
const ADVISED: ReadonlySet<TablesErrorCode> = new Set(['timeout', 'out-of-memory'])

/** Calls the engine, and converts its errors to those of the service. Unexpected errors are passed on. */
async function wrapped<T>(
  isEngineError: TablesParts['isEngineError'],
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    const code = isEngineError(error) ? CODES[error.code] : undefined
    if (!isEngineError(error) || !code) throw error
    const advice = ADVISED.has(code) && error.remedy !== undefined ? ` ${error.remedy}` : ''
    throw new TablesError(code, error.message + advice, {
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
