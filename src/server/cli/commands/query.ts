import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { quoteName } from '../../../lib/duckdb-sql/names.ts'
import { plural } from '../../../lib/counts.ts'
import { isFullDisk } from '../../../lib/full-disk.ts'
import { fullDisk } from '../../engine/files.ts'
import { parseArguments, sourceFormatOf } from '../arguments.ts'
import { Failed, EXIT, ProgressLine, UsageError, type Io } from '../io.ts'
import { destinationOf, refuseTaken, writeFileOf } from '../query/file.ts'
import { openTables, type Tables } from '../query/tables.ts'
import { writeJson, writeText } from '../query/rows.ts'
import { filesOf } from '../reading.ts'
import type { Command } from './command.ts'

const OPTIONS = {
  to: { type: 'string' },
  from: { type: 'string' },
  out: { type: 'string', short: 'o' },
  replace: { type: 'boolean' },
  'accept-rejected': { type: 'boolean' },
  json: { type: 'boolean' },
} as const

const HELP = `rowhouse query "SELECT …" FILE…

Runs one statement of DuckDB’s SQL. Each file is a table with the file’s name: orders.csv is orders, or 'orders.csv' in
quotes; Sales 2024.xlsx is Sales_2024. A file with several tables gives Sales_2024_Sheet1 and so on; a DuckDB database,
its tables’ own names. Types are those that inspect shows. The statement can read these tables alone, and nothing is kept.

FILE may be a pattern in quotes, such as 'data/**/*.csv', or a .zip, whose tables are taken as files.
FORMAT is csv, tsv, json, ndjson, xlsx, parquet or arrow.

  --out FILE, -o FILE write the result to a file, in the format of its extension. It’s read back and compared
  --to FORMAT         write the result in this format; without --out, to standard output
  --replace           overwrite the file
  --from FORMAT       read the files as this format
  --accept-rejected   leave out rows that don’t fit
  --json              print {"columns": [{"name", "type"}], "rows": [[…]]}, with integers beyond 2^53 and decimals as
                      text; with --out {"output": {"path", "size", "rows"}}
  --help              this text

Exit codes: 0 done, 1 a file or the statement failed, or rows don’t fit, 2 wrong usage, 130 cancelled.
`

async function run(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS)
  const [statement, ...names] = positionals
  if (statement === undefined || statement.trim() === '') throw new UsageError('Write a statement.')
  if (names.length === 0) throw new UsageError('Name the files to query.')
  const destination = destinationOf(values, io)
  const request = values.from === undefined ? {} : { format: sourceFormatOf(values.from) }
  const progress = new ProgressLine(io)
  // Contains the tables while the statement runs, and is always removed.
  const folder = await mkdtemp(path.join(tmpdir(), 'rowhouse-')).catch(withoutFolder)
  let tables: Tables | null = null
  try {
    const files = await filesOf(names, io, progress)
    if (destination) await refuseTaken(destination, files)
    const settings = { folder, request, statement, withoutRejected: values['accept-rejected'] ?? false }
    tables = await openTables(files, settings, io, progress)
    progress.clear()
    if (destination) {
      const kept = await tables.keep(statement, io.signal)
      const output = await writeFileOf(kept, destination, folder, io, progress)
      if (values.json === true) await io.out(`${JSON.stringify({ output }, null, 2)}\n`)
      return EXIT.done
    }
    const result = await tables.run(statement, io.signal)
    if (values.json === true) await writeJson(result, io)
    else {
      const rows = await writeText(result, io)
      if (io.width !== null) io.err(`${plural(rows, 'row')}\n`)
    }
    return EXIT.done
  } catch (error) {
    progress.clear()
    io.signal.throwIfAborted()
    throw ofStatement(error, tables?.names ?? [])
  } finally {
    tables?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function withoutFolder(error: unknown): never {
  const { code = '' } = error as NodeJS.ErrnoException
  const message = `No temporary folder can be made in ${tmpdir()} (${code}).`
  throw new Failed('no-temporary-folder', message, 'Set TMPDIR to a folder where you may write.')
}

/** An error of DuckDB's about the statement, with a remedy. */
function ofStatement(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof Error) || error.constructor !== Error || 'code' in error) return error
  if (isFullDisk(error)) {
    const remedy = 'Free some space, or set TMPDIR to a folder on another disk.'
    return new Failed('out-of-space', fullDisk(tmpdir()), remedy)
  }
  const message = error.message.replace(/^Failed to extract statements: /, '')
  return new Failed('sql-error', withOwnTables(message, names), remedyOf(message, names))
}

/** Leaves out tables that DuckDB suggests instead of a missing one if they are its own, such as `pg_class`. */
function withOwnTables(message: string, names: readonly string[]): string {
  if (!MISSING_TABLE.test(message)) return message
  return message.replace(/\nDid you mean "([^\n]*)"\?/, (line, name: string) => (names.includes(name) ? line : ''))
}

const MISSING_TABLE = /^Catalog Error: Table with name (.*) does not exist!/

const AGAIN = 'Correct the statement, and run it again.'

/** Depends on the kind of error that DuckDB's message begins with. */
function remedyOf(message: string, names: readonly string[]): string {
  const [kind = ''] = /^[A-Z][A-Za-z ]*(?= Error: )/.exec(message) ?? []
  const tables = names.map(quoteName).join(', ')
  const named = 'Name the files after the statement: only those can be read.'
  switch (kind) {
    case 'Permission':
    case 'IO':
      return `${named} To write a file, use --out. The tables here are: ${tables}.`
    case 'Parser':
      return 'Correct the statement where ^ stands.'
    case 'Catalog':
      if (/Table with name/.test(message)) {
        const isFile = /[./\\*]/.test(MISSING_TABLE.exec(message)?.[1] ?? '')
        return `${isFile ? `${named} ` : ''}The tables here are: ${tables}.`
      }
      if (/does not exist|exists in the/.test(message))
        return 'Use what DuckDB has by itself: no extension is loaded here.'
      return AGAIN
    case 'Binder':
      return `See the columns of a table with “DESCRIBE name”. The tables here are: ${tables}.`
    case 'Conversion':
      return 'Use TRY_CAST to get NULL where a value doesn’t fit its new type.'
    case 'Out of Memory':
      return 'Select fewer columns or rows, or set TMPDIR to a disk with more space.'
    default:
      return AGAIN
  }
}

export const queryCommand: Command = { summary: 'run SQL on files', help: HELP, run }
