import type { RecordBatch, Vector } from 'apache-arrow'
import type { Database } from '../storage/database.ts'
import type { Dialect, FunctionInfo } from '../../lib/duckdb-sql/index.ts'
import { isKept, isList } from './gate/catalog-functions.ts'
import { FILE_FUNCTIONS } from './files/readers.ts'

/** Functions that statements can't use: they reveal the engine's state, or read files other than the dropped ones. */
const HIDDEN =
  /^(?:__|duckdb_|pg_|pragma_|read_|sniff_|parquet_|which_|enable_|disable_|icu_|force_|test_|glob$|checkpoint$|arrow_scan|seq_scan|index_scan|pandas_scan|python_map|summary$|storage_info|sql_auto_complete)/
/** Describes functions that read dropped files. */
const READER = {
  kind: 'table',
  signatures: ['(path VARCHAR, …)'],
  description: 'Files that were dropped on this screen, by their paths.',
} as const
const SIGNATURES = 12
/** Longest list of parameters of a function whose parameters all have defaults. */
const PARAMETERS = 8

/**
 * Parses text by a format. Formats with time zone names that `functions/zones` can't parse are refused: without ICU,
 * DuckDB would ignore the zone.
 */
const reading = (name: string): string => `
  CREATE MACRO memory.main.${name}(text, format) AS CASE
    WHEN regexp_matches(format::VARCHAR, '(^|[^%])(%%)*%Z') THEN error('Here %Z has to stand last in the format of ${name}, and the format in quotes in the statement. Offsets such as +02:00 are read anywhere, with %z.')
    ELSE system.main.${name}(text, format) END;`

/** Replacements for functions that would be wrong without ICU. */
export const MACROS = `
  ${reading('strptime')}
  ${reading('try_strptime')}
`

/** DuckDB's keywords, types, and the functions that statements can use, for the editor. */
export function readDialect(db: Database): Dialect {
  const keywords = texts(db.run('SELECT keyword_name FROM duckdb_keywords()'))
  const types = texts(db.run('SELECT upper(type_name) FROM duckdb_types() WHERE internal'))
  const functions = readFunctions((sql) => db.run(sql), "regexp_matches(function_name, '^[a-z_]')")
  const readers = FILE_FUNCTIONS.map((name): FunctionInfo => ({ ...READER, name }))
  return { keywords, types, functions: [...functions, ...readers] }
}

/** The macros that a session's statements have created. */
export function readMacros(run: (sql: string) => RecordBatch[]): FunctionInfo[] {
  return readFunctions(run, 'NOT internal')
}

function readFunctions(run: (sql: string) => RecordBatch[], which: string): FunctionInfo[] {
  // As text, because this build has no JSON extension to parse DuckDB's lists.
  const rows = run(`
    SELECT function_name, function_type, coalesce(description, '') AS description,
      coalesce(return_type, '') AS returned, coalesce(varargs, '') AS varargs,
      coalesce(parameters, []) AS parameters, coalesce(parameter_types, []) AS types
    FROM duckdb_functions()
    WHERE function_type IN ('scalar', 'aggregate', 'table', 'macro', 'table_macro') AND ${which}
    ORDER BY function_name ASC, function_type DESC, len(parameters) ASC`)
  const functions = new Map<string, FunctionInfo & { signatures: string[] }>()
  for (const batch of rows) {
    const columns = batch.schema.fields.map((_, index) => batch.getChildAt(index))
    for (let row = 0; row < batch.numRows; row++) add(functions, columns, row)
  }
  return [...functions.values()]
}

function add(
  functions: Map<string, FunctionInfo & { signatures: string[] }>,
  columns: readonly (Vector | null)[],
  row: number,
): void {
  const text = (column: number): string => String(columns[column]?.get(row) ?? '')
  const list = (column: number): string[] =>
    Array.from((columns[column]?.get(row) ?? []) as Iterable<string | null>, (each) => each ?? '')
  const name = text(0)
  if ((HIDDEN.test(name) && !isList(name)) || isKept(name)) return
  const kind = text(1) === 'table_macro' ? 'table' : (text(1) as FunctionInfo['kind'])
  // Our wrapper of a function of the engine.
  if (kind === 'macro' && functions.has(`scalar ${name}`)) return
  const known = functions.get(`${kind} ${name}`) ?? { name, kind, signatures: [], description: text(2) }
  functions.set(`${kind} ${name}`, known)
  const signature = signatureOf(list(5), list(6), text(4), text(3))
  if (known.signatures.length < SIGNATURES && !known.signatures.includes(signature)) known.signatures.push(signature)
}

function signatureOf(names: readonly string[], types: readonly string[], varargs: string, returned: string): string {
  const count = Math.max(names.length, types.length)
  const parameters = Array.from({ length: Math.min(count, PARAMETERS) }, (_, i) =>
    [names[i], types[i]].filter(Boolean).join(' '),
  )
  if (count > PARAMETERS || varargs !== '') parameters.push(varargs === '' ? '…' : `${varargs}…`)
  return `(${parameters.join(', ')})${returned === '' ? '' : ` → ${returned}`}`
}

/** The texts of the first column, each once, sorted here: DuckDB would first have to compile its code for that. */
function texts(batches: readonly RecordBatch[]): string[] {
  return [...new Set(batches.flatMap((batch) => Array.from(batch.getChildAt(0) ?? [], String)))].sort()
}
