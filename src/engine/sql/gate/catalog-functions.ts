import type { EngineError } from '../../errors.ts'
import { guardSortKeys, refused } from './refusals.ts'
import { foldIdentifier, type Statement, type Token } from '../statement.ts'

/* What a session's statements may ask about the engine itself. */

const LISTS =
  'columns constraints databases dependencies functions indexes keywords schemas sequences settings tables types variables views'
    .split(' ')
    .map((name) => `duckdb_${name}`)
const PRAGMAS = ['collations', 'platform', 'show', 'storage_info', 'table_info', 'user_agent', 'version'].map(
  (name) => `pragma_${name}`,
)
const FUNCTIONS: ReadonlySet<string> = new Set([...LISTS, ...PRAGMAS])

/** The names of these functions in plans. `information_schema` and `pg_catalog` are views over them. */
export const CATALOG_OPERATORS: ReadonlySet<string> = new Set(Array.from(FUNCTIONS, (name) => name.toUpperCase()))

/**
 * Matches the internal names of attached files, and of views over files that are queried in place. Users don't know
 * these.
 */
const hidden = (column: string): string => `regexp_full_match(${column}, 'f_[0-9a-f]{32}')`
const NAMES: Readonly<Record<string, string>> = { columns: 'table_name', views: 'view_name' }
/** Settings of DuckDB's ICU extension, which this build lacks, with their default values. */
const ICU_SETTINGS = [
  ['Calendar', "'gregorian'", 'The current calendar'],
  ['TimeZone', '__zone()', 'The current time zone'],
]
const SETTINGS_OF_PLACES = ['allowed_directories', 'allowed_paths', 'home_directory', 'temp_directory']

/**
 * Replace the engine's catalog functions, also for views such as `information_schema` that use them. They hide attached
 * files' internal names, and show the views with the user's names.
 */
export const CATALOG_MACROS = [
  ...['columns', 'constraints', 'databases', 'functions', 'indexes', 'schemas', 'sequences', 'tables'].map(
    (name) => [name, '*'] as const,
  ),
  // Each catalog repeats the engine's types. Keep those of the first, which have type numbers, as the session's.
  [
    'types',
    "* REPLACE (CASE WHEN internal AND database_name = 'memory' THEN max(type_oid) OVER (PARTITION BY type_name, internal) ELSE type_oid END AS type_oid)",
    "QUALIFY NOT internal OR database_name IN ('memory', 'system', 'temp')",
  ] as const,
  ['views', "* REPLACE (CASE WHEN internal OR database_name = 'memory' THEN sql END AS sql)"] as const,
]
  .map(
    ([name, columns, chosen = '']) =>
      `CREATE MACRO memory.main.duckdb_${name}() AS TABLE SELECT ${columns} FROM system.main.duckdb_${name}() WHERE ${[
        'database_name',
        NAMES[name] ?? [],
      ]
        .flat()
        .map((column) => `NOT ${hidden(column)}`)
        .join(' AND ')} ${chosen};`,
  )
  .concat(
    `CREATE MACRO memory.main.duckdb_settings() AS TABLE FROM system.main.duckdb_settings()
      WHERE name NOT IN (${[...SETTINGS_OF_PLACES, ...ICU_SETTINGS.map(([name]) => name)].map((name) => `'${name}'`).join(', ')})
      ${ICU_SETTINGS.map(([name, value, description]) => `UNION ALL SELECT '${name}', ${value}, '${description}', 'VARCHAR', 'GLOBAL', []::VARCHAR[]`).join(' ')};`,
  )
  .join('\n')

/** Scalar functions that reach out of the session, or reveal what only the engine should know. */
const NEVER: ReadonlySet<string> = new Set([
  'add_parquet_key',
  'getenv',
  'get_block_size',
  'parse_duckdb_log_message',
  'pg_get_viewdef',
  'which_secret',
  'write_log',
])
/** Whether a function lists objects of the session. */
export const isList = (name: string): boolean => FUNCTIONS.has(name)
/** Whether statements can't use a function anywhere. */
export const isKept = (name: string): boolean => NEVER.has(name)
/** A string literal without escapes. */
const LITERAL = /^(?:'((?:[^']|'')*)'|\$(\w*)\$([^]*)\$\2\$)$/

/**
 * Refuses, by their names, functions that plans don't show.
 * @param parse parses SQL that is in a string
 * @throws {EngineError} `sql-not-allowed`
 */
export function guardCalls({ tokens }: Statement, parse: (sql: string) => Statement): void {
  for (const [i, token] of tokens.entries()) {
    if (token.kind === 'operator' || token.kind === 'number' || tokens[i + 1]?.text !== '(') continue
    const name = foldIdentifier(token.text)
    guardSortKeys(name)
    if (NEVER.has(name)) throw noFunction(token.text, 'it tells of the engine, not of tables')
    if (/^(?:duckdb|pragma)_/.test(name)) {
      if (!FUNCTIONS.has(name)) throw noFunction(token.text, 'it tells of the engine, not of tables')
      if (tokens[i - 1]?.text === '.')
        throw refused(`${token.text} has no schema here.`, `Write ${token.text}() alone.`)
    }
    if (name === 'current_setting') {
      const setting = literal(tokens[i + 2], tokens[i + 3])
      if (setting === null)
        throw noFunction(token.text, 'its setting isn’t a text in quotes', 'Write the setting’s name in quotes.')
      if (SETTINGS_OF_PLACES.includes(setting.toLowerCase())) throw noFunction(token.text, 'files can’t be reached')
    }
    if (name === 'query') {
      const sql = literal(tokens[i + 2], tokens[i + 3])
      if (sql === null)
        throw noFunction(token.text, 'its SQL isn’t a text in quotes', 'Write the SQL itself, in quotes.')
      guardCalls(parse(sql), parse)
    }
  }
}

/** The text of a function's only argument; null if it isn't a literal. */
function literal(argument: Token | undefined, after: Token | undefined): string | null {
  const found = after?.text === ')' && argument ? LITERAL.exec(argument.text) : null
  return found ? (found[1]?.replaceAll("''", "'") ?? found[3] ?? '') : null
}

function noFunction(name: string, why: string, remedy = 'Leave it out.'): EngineError {
  return refused(`${name}() can’t be used here: ${why}.`, remedy)
}
