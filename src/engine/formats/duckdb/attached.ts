import type { RecordBatch } from 'apache-arrow'
import { refusalOf, type Database } from '../../storage/database.ts'
import { completed, isReadable, readHeader } from '../../storage/database-header.ts'
import { openDatabase } from '../../storage/open-database.ts'
import type { IpcMessages } from '../../arrow/ipc/rows.ts'
import { quoteText } from '../../../lib/duckdb-sql/names.ts'
import { EngineError } from '../../errors.ts'
import { checkpoint } from '../../../lib/yielding.ts'

const FOLDER = `/${crypto.randomUUID()}/`
const MEMORY_LIMIT = '1GB'

/** An engine to attach files to, and the folder under which they are registered. */
export interface FileEngine {
  readonly db: Database
  readonly folder: string
}

let shared: Promise<FileEngine> | undefined
let next = 0

function sharedEngine(): Promise<FileEngine> {
  return (shared ??= openDatabase({ folder: FOLDER, memoryLimit: MEMORY_LIMIT }).then((db) => ({ db, folder: FOLDER })))
}

/** An attached file: its name in SQL, and ways to query it. */
export interface AttachedFile {
  readonly catalog: string
  /**
   * Runs a query and yields its batches.
   * @throws {EngineError} if the file can't be read on
   */
  stream(sql: string, signal: AbortSignal): AsyncGenerator<IpcMessages, void, undefined>
  /** Runs a query in slices, and returns all its batches. */
  query(sql: string, signal: AbortSignal): Promise<RecordBatch[]>
  /** Runs a statement synchronously; for those that read no rows. */
  readonly run: (sql: string) => RecordBatch[]
}

/**
 * Attaches a database file read-only while `use` runs.
 * @param engine by default one shared by all files of this worker
 * @throws {EngineError} `unsupported-format`, `password-protected` or `corrupt-file` if it can't be attached
 */
export async function* withFile<T>(
  file: File,
  use: (attached: AttachedFile) => AsyncGenerator<T, void, undefined>,
  engine?: FileEngine,
): AsyncGenerator<T, void, undefined> {
  const { db, folder } = engine ?? (await sharedEngine())
  const id = next++
  const [path, catalog] = [`${folder}${id}.db`, `source_${id}`]
  await db.registerFile(path, await readableDatabase(file))
  try {
    wrapErrors(() => db.guest.query(`ATTACH ${quoteText(path)} AS ${catalog} (READ_ONLY)`), file)
    yield* use({
      catalog,
      run: (sql) => wrapErrors(() => db.guest.query(sql), file),
      query: async (sql, signal) => {
        try {
          return await db.guest.queryInSlices(sql, () => checkpoint(signal))
        } catch (error) {
          throw readError(error, file)
        }
      },
      stream: async function* (sql, signal) {
        try {
          yield* db.guest.stream(sql, () => checkpoint(signal))
        } catch (error) {
          throw readError(error, file)
        }
      },
    })
  } finally {
    db.run(`DETACH DATABASE IF EXISTS ${catalog}`)
    db.dropFile(path)
  }
}

/** Like `withFile`, for a single result. */
export async function inFile<T>(file: File, use: (attached: AttachedFile) => Promise<T>): Promise<T> {
  const values = withFile(file, async function* (attached) {
    yield await use(attached)
  })
  const { value } = await values.next()
  await values.return()
  return value as T
}

function wrapErrors<T>(work: () => T, file: File): T {
  try {
    return work()
  } catch (error) {
    throw readError(error, file)
  }
}

/**
 * A database file in a form that DuckDB can attach.
 * @throws {EngineError} `unsupported-format`, `password-protected` or `corrupt-file`
 */
export async function readableDatabase(file: File): Promise<Blob> {
  const header = await readHeader(file)
  if (!header) throw damaged(file)
  if (header.encrypted) {
    throw new EngineError('password-protected', `“${file.name}” is an encrypted database.`, {
      remedy: 'Copy it to one without encryption in DuckDB, or export the tables that you want as Parquet.',
    })
  }
  if (!isReadable(header)) throw otherVersion(file)
  const whole = await completed(file, header)
  if (!whole) throw damaged(file)
  return whole
}

function otherVersion(file: File, cause?: unknown): EngineError {
  return new EngineError('unsupported-format', `“${file.name}” is from a version of DuckDB that can’t be read here.`, {
    remedy: 'Write it again with DuckDB 1.4, or export the tables that you want as Parquet.',
    cause,
  })
}

function damaged(file: File, cause?: unknown): EngineError {
  return new EngineError('corrupt-file', `“${file.name}” is damaged or cut short: DuckDB can’t read it.`, {
    remedy: 'Fetch or copy it again, after the program that writes it has closed it.',
    cause,
  })
}

/** Explains DuckDB's error about a person's database; returns other errors unchanged. */
export function readError(cause: unknown, file: File): unknown {
  const refusal = refusalOf(cause)
  if (!refusal) return cause
  const { kind, message } = refusal
  if (kind === 'Out of Memory' || /allocation failure/i.test(message)) {
    return new EngineError('out-of-memory', 'The database needs more memory than this tab can have.', {
      remedy: 'Leave out the columns with the longest values.',
      cause,
    })
  }
  if (/version number|newer DuckDB|older DuckDB|storage version/i.test(message)) return otherVersion(file, cause)
  if (kind === 'Conversion' || kind === 'Out of Range') {
    return new EngineError('unsupported-format', `A value can’t be carried: ${message}`, {
      remedy: 'Leave the column out.',
      cause,
    })
  }
  if (['IO', 'Serialization', 'Internal', 'Fatal', 'Invalid'].includes(kind) || /corrupt|checksum/i.test(message)) {
    return damaged(file, cause)
  }
  return new EngineError('corrupt-file', `“${file.name}” can’t be read: ${message}`, {
    remedy: 'Export the tables that you want as Parquet.',
    cause,
  })
}
