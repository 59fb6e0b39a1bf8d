import path from 'node:path'
import { DuckDBInstance, StatementType, type DuckDBConnection, type DuckDBResult } from '@duckdb/node-api'
import { plannedTable } from '../../../engine/convert/plan.ts'
import { quoteIdentifier, quoteText } from '../../../lib/duckdb-sql/names.ts'
import { plural } from '../../../lib/counts.ts'
import { foldName } from '../../../lib/names.ts'
import { freeName, proposeName, uniqueNames } from '../../../tables/names.ts'
import type { ImportPlan, TablePlan } from '../../../tables/plan.ts'
import { printType } from '../../../tables/types.ts'
import { convert } from '../../engine/engine.ts'
import { Failed, type Io, type ProgressLine } from '../io.ts'
import { look, rowsOf, shareOf, sourceOf, type Named } from '../reading.ts'
import { rejectedLines } from '../words.ts'
import type { InspectRequest } from '../../../tables/inspect-request.ts'
import { planFrom } from '../../../tables/edits.ts'

interface Settings {
  /** For the Parquet files. */
  readonly folder: string
  readonly request: InspectRequest
  readonly withoutRejected: boolean
  /** The statement that will be run. */
  readonly statement: string
}

/** A table that the statement can refer to. */
interface Table {
  readonly name: string
  readonly file: string
  /** If it's its source's only table, the source's name as it was given, and without folders. */
  readonly fileNames: readonly string[]
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

/** A database that contains only the files' tables. */
export interface Tables {
  readonly names: readonly string[]
  /**
   * Starts one statement.
   * @throws {Error} DuckDB's
   */
  run(statement: string, signal: AbortSignal): Promise<DuckDBResult>
  /**
   * Stores a statement's result as the only table of a database file, with the same types and order of rows.
   * @returns the file's path
   * @throws {Error} DuckDB's
   * @throws {Failed} for a statement that isn't a SELECT
   */
  keep(statement: string, signal: AbortSignal): Promise<string>
  close(): void
}

/**
 * Converts files with our engine, and opens a database over them.
 * @throws {Failed} for rejected rows
 */
export async function openTables(
  files: readonly Named[],
  settings: Settings,
  io: Io,
  progress: ProgressLine,
): Promise<Tables> {
  const tables: Table[] = []
  const taken = new Set<string>()
  for (const [i, file] of files.entries()) {
    for (const table of await tablesOf(file, path.join(settings.folder, `${i}`), settings, io, progress)) {
      const name = freeName(table.name, taken)
      taken.add(foldName(name))
      tables.push({ ...table, name })
    }
  }
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const close = (): void => {
    connection.closeSync()
    instance.closeSync()
  }
  try {
    await prepare(connection, tables, settings)
  } catch (error) {
    close()
    throw error
  }
  return {
    names: tables.map(({ name }) => name),
    run: (statement, signal) => begin(connection, statement, signal),
    keep: (statement, signal) => keep(connection, statement, settings.folder, signal),
    close,
  }
}

async function tablesOf(
  file: Named,
  folder: string,
  { request, withoutRejected }: Settings,
  io: Io,
  progress: ProgressLine,
): Promise<Table[]> {
  const plan = withFreeNames(planFrom(await look(file, request, io, progress).catch(ofFile(file))))
  const included = plan.tables.filter(({ include }) => include)
  const { outputs } = await convert(
    sourceOf(file),
    // It's read only once or twice, so better compression would take longer than it saves.
    { plan, target: 'parquet', options: { kind: 'parquet', codec: 'lz4_raw', rowGroupSize: 122_880 } },
    {
      folder,
      signal: io.signal,
      onProgress: ({ bytes, totalBytes, rows, phase }) =>
        progress.show(
          () =>
            `${file.argument}: ${phase === 'verify' ? 'comparing' : 'loading'}, ${shareOf(bytes, totalBytes)}${rowsOf(rows)}`,
        ),
      finish: ({ rejectedCount, rejected }) => {
        if (rejectedCount === 0 || withoutRejected) return Promise.resolve([])
        const lines = rejectedLines(rejected, rejectedCount).join('\n')
        const what = `${plural(rejectedCount, 'row')} ${rejectedCount === 1 ? 'doesn’t' : 'don’t'} fit`
        return Promise.reject(
          new Failed('held', `${file.argument}: ${what}:\n${lines}\n`, 'To leave them out, add --accept-rejected.'),
        )
      },
    },
  ).catch(ofFile(file))
  return outputs.map((output, i) => {
    const own = included.length > 1 ? included[i].name : null
    const columns = plannedTable(included[i], 'text').columns.map(({ name, type }) => ({ name, type: printType(type) }))
    const fileName = path.basename(file.path)
    return {
      name: proposeName(fileName, own, plan.format === 'duckdb'),
      file: output.path,
      fileNames: outputs.length === 1 ? [...new Set([file.argument, fileName])] : [],
      columns,
    }
  })
}

/** Adds the file's name to an error. */
const ofFile =
  ({ argument }: Named) =>
  (error: unknown): never => {
    if (error instanceof Error && !error.message.includes(argument) && !(error instanceof Failed))
      Object.defineProperty(error, 'message', { value: `${argument}: ${error.message}`, configurable: true })
    throw error
  }

/** Column names that differ only in case are the same in SQL. */
function withFreeNames(plan: ImportPlan): ImportPlan {
  const tables = plan.tables.map((table): TablePlan => {
    const names = uniqueNames(
      table.columns.map(({ name }) => name),
      (name) => name.toLowerCase(),
    )
    return { ...table, columns: table.columns.map((column, i) => ({ ...column, name: names[i] })) }
  })
  return { ...plan, tables }
}

async function prepare(
  connection: DuckDBConnection,
  tables: readonly Table[],
  { folder, statement }: Settings,
): Promise<void> {
  await connection.run(`SET TimeZone = 'UTC'`)
  await connection.run(`SET autoload_known_extensions = false; SET autoinstall_known_extensions = false`)
  // They make DuckDB 1.4 return wrong results: https://github.com/duckdb/duckdb/issues/20371, 22267 and 20410
  await connection.run(`SET disabled_optimizers = 'statistics_propagation,deliminator,build_side_probe_side'`)
  await connection.run(`SET temp_directory = ${quoteText(path.join(folder, 'spilled'))}`)
  for (const { name, file, fileNames, columns } of tables) {
    // Parquet has fewer types than our tables.
    const list = columns.map((column) => {
      const own = quoteIdentifier(column.name)
      return `CAST(${own} AS ${column.type}) AS ${own}`
    })
    await connection.run(
      `CREATE VIEW ${quoteIdentifier(name)} AS SELECT ${list.join(', ')} FROM read_parquet(${quoteText(file)})`,
    )
    // For FROM 'orders.csv', DuckDB looks for a table or view with that name before it looks for a file.
    for (const fileName of fileNames.filter((own) => statement.includes(quoteText(own)))) {
      await connection.run(`CREATE VIEW IF NOT EXISTS ${quoteIdentifier(fileName)} AS FROM ${quoteIdentifier(name)}`)
    }
  }
  await connection.run(`SET allowed_directories = [${quoteText(`${folder}/`)}]`)
  await connection.run('SET enable_external_access = false; SET lock_configuration = true')
}

async function begin(connection: DuckDBConnection, statement: string, signal: AbortSignal): Promise<DuckDBResult> {
  await refuseSeveral(connection, statement, signal)
  return connection.stream(statement)
}

async function refuseSeveral(connection: DuckDBConnection, statement: string, signal: AbortSignal): Promise<void> {
  const { count } = await connection.extractStatements(statement)
  if (count !== 1) throw new Failed('sql-not-allowed', count === 0 ? 'There is no statement.' : 'Write one statement.')
  signal.addEventListener('abort', () => connection.interrupt(), { once: true })
  signal.throwIfAborted()
}

async function keep(
  connection: DuckDBConnection,
  statement: string,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  await refuseSeveral(connection, statement, signal)
  // Prepared alone first, so that positions in errors refer to the text as written.
  const prepared = await connection.prepare(statement)
  const isSelect = prepared.statementType === StatementType.SELECT
  prepared.destroySync()
  if (!isSelect) throw new Failed('sql-not-allowed', 'Only the rows of a SELECT can be written to a file.')
  const file = path.join(folder, 'kept.duckdb')
  await connection.run(`ATTACH ${quoteText(file)} AS rowhouse_kept`)
  await connection.run(`CREATE TABLE rowhouse_kept.result AS ${statement}`)
  signal.throwIfAborted()
  await connection.run('DETACH rowhouse_kept')
  return file
}
