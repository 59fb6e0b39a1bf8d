import type { EngineError } from '../../errors.ts'
import { KEPT } from '../kept/place.ts'
import { TEMPORARY } from './temporary.ts'
import { guardSortKeys, refused } from './refusals.ts'
import { foldIdentifier, type Statement, type Token } from '../statement.ts'

/* What a session's statements may ask about the engine itself. */

const LISTS =
  'columns constraints databases dependencies functions indexes keywords optimizers schemas sequences settings tables types variables views'
    .split(' ')
    .map((name) => `duckdb_${name}`)
const PRAGMAS = ['collations', 'platform', 'show', 'storage_info', 'table_info', 'user_agent', 'version'].map(
  (name) => `pragma_${name}`,
)
const FUNCTIONS: ReadonlySet<string> = new Set([...LISTS, ...PRAGMAS])

/** The names of these functions in plans. `information_schema` and `pg_catalog` are views over them. */
export const CATALOG_OPERATORS: ReadonlySet<string> = new Set(Array.from(FUNCTIONS, (name) => name.toUpperCase()))

/**
 * Matches the internal names of attached files, and of views over files that are queried in place. People don't know
 * these.
 */
const hidden = (column: string): string => `regexp_full_match(${column}, 'f_[0-9a-f]{32}')`
/** Where files' tables and those that stay are, while there are none: nobody has made it. */
const empty = (of: string, database: string, schema: string): string => `
  (${of} AND NOT EXISTS (FROM system.main.duckdb_views() WHERE database_name = '${database}' AND schema_name = '${schema}' AND NOT internal)
    AND NOT EXISTS (FROM system.main.duckdb_tables() WHERE database_name = '${database}' AND schema_name = '${schema}'))`
const NO_LOCAL = empty("database_name = 'local'", 'local', 'main')
const NO_KEPT = empty(`database_name = 'memory' AND schema_name = '${KEPT}'`, 'memory', KEPT)
/** Our macros are made before the schema of tables that stay, and a session's after it. */
const OURS = `(database_name = 'memory' AND function_oid < (SELECT oid FROM system.main.duckdb_schemas() WHERE database_name = 'memory' AND schema_name = '${KEPT}'))`
const IS_TEMPORARY = `database_name = 'memory' AND schema_name = '${TEMPORARY}'`
/** Puts what is temporary where DuckDB has it. */
const IN_TEMP = `CASE WHEN ${IS_TEMPORARY} THEN 'temp' ELSE database_name END AS database_name, CASE WHEN ${IS_TEMPORARY} THEN 'main' ELSE schema_name END AS schema_name`
const TOLD = `${IN_TEMP}, ${IS_TEMPORARY} AS temporary`
const SQL = `replace(replace(sql, 'memory.${TEMPORARY}.', 'temp.'), '${TEMPORARY}.', '')`
const NAMES: Readonly<Record<string, string>> = { columns: 'table_name', views: 'view_name' }
/** Settings of DuckDB's ICU extension, which this build lacks, with their default values. */
const ICU_SETTINGS = [
  ['Calendar', "'gregorian'", 'The current calendar'],
  ['TimeZone', '__zone()', 'The current time zone'],
]
/** Where the session's names are looked up, without what comes after that for everybody. */
const pathOf = (value: string): string =>
  `regexp_replace(regexp_replace(${value}, ',?memory\\.main,memory\\.${TEMPORARY},local\\.main$', ''), '(^|,)memory\\.', '\\1', 'g')`
const SETTINGS_OF_PLACES = ['allowed_directories', 'allowed_paths', 'home_directory', 'temp_directory']

/**
 * Replace the engine's catalog functions, also for views such as `information_schema` that use them. They hide attached
 * files' internal names, and show the views with the person's names.
 */
export const CATALOG_MACROS = [
  ...['columns', 'constraints', 'indexes'].map((name) => [name, `* REPLACE (${IN_TEMP})`] as const),
  ...['sequences', 'tables'].map((name) => [name, `* REPLACE (${TOLD}, ${SQL} AS sql)`] as const),
  ['databases', '*', `AND NOT ${NO_LOCAL}`] as const,
  ['functions', `* REPLACE (${IN_TEMP}, internal OR ${OURS} AS internal)`] as const,
  ['schemas', '*', `AND NOT ${NO_LOCAL} AND NOT ${NO_KEPT} AND NOT (${IS_TEMPORARY})`] as const,
  // Each catalog repeats the engine's types. Keep those of the first, which have type numbers, as the session's.
  [
    'types',
    `* REPLACE (${IN_TEMP}, CASE WHEN internal AND database_name = 'memory' THEN max(type_oid) OVER (PARTITION BY type_name, internal) ELSE type_oid END AS type_oid)`,
    "QUALIFY NOT internal OR database_name IN ('memory', 'system', 'temp')",
  ] as const,
  ['views', `* REPLACE (${TOLD}, CASE WHEN internal OR database_name = 'memory' THEN ${SQL} END AS sql)`] as const,
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
    // Without where names are looked up at last.
    `CREATE MACRO memory.main.current_schemas(implicit) AS CASE WHEN implicit
      THEN system.main.current_schemas(true)[:-7] || system.main.current_schemas(true)[-3:]
      ELSE system.main.current_schemas(false)[:-4] END;`,
    `CREATE MACRO memory.main.pg_get_viewdef(oid) AS (SELECT v.sql FROM duckdb_views() AS v WHERE v.view_oid = oid);`,
    `CREATE MACRO memory.main.__current_path(setting) AS ${pathOf("current_setting('search_path')")};`,
    `CREATE MACRO memory.main.duckdb_settings() AS TABLE
      SELECT * REPLACE (CASE WHEN name = 'search_path' THEN ${pathOf('value')} ELSE value END AS value) FROM system.main.duckdb_settings()
      WHERE name NOT IN (${[...SETTINGS_OF_PLACES, ...ICU_SETTINGS.map(([name]) => name)].map((name) => `'${name}'`).join(', ')})
      ${ICU_SETTINGS.map(([name, value, description]) => `UNION ALL SELECT '${name}', ${value}, '${description}', 'VARCHAR', 'GLOBAL', []::VARCHAR[]`).join(' ')};`,
  )
  .join('\n')

/** Functions that reach out of the session, or tell what only the engine should know: what to do instead. */
const NEVER: ReadonlyMap<string, string | undefined> = new Map([
  ['add_parquet_key', 'To write a Parquet file, run a SELECT and use “Export”.'],
  [
    'duckdb_prepared_statements',
    'EXECUTE name runs a prepared statement, DEALLOCATE name removes it; History has their texts.',
  ],
  ['getenv', "Keep the value with SET VARIABLE name = value, and read it with getvariable('name')."],
  ['get_block_size', undefined],
  ['parse_duckdb_log_message', undefined],
  ['which_secret', undefined],
  ['write_log', 'SELECT the text: results are shown, and can be exported.'],
])
const ASKED = 'information_schema.tables and information_schema.columns list what there is.'
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
export function guardCalls({ text, tokens }: Statement, parse: (sql: string) => Statement): void {
  for (const [i, token] of tokens.entries()) {
    if (token.kind === 'operator' || token.kind === 'number' || tokens[i + 1]?.text !== '(') continue
    const name = foldIdentifier(token.text)
    guardSortKeys(name)
    if (NEVER.has(name)) throw noFunction(token.text, 'it tells of the engine, not of tables', NEVER.get(name))
    if (/^(?:duckdb|pragma)_/.test(name) && !FUNCTIONS.has(name))
      throw noFunction(token.text, 'it tells of the engine, not of tables')
    // The engine's own would show what our macros of the same names hide.
    if ((FUNCTIONS.has(name) || name === 'pg_get_viewdef') && tokens[i - 1]?.text === '.')
      throw refused(`${token.text} has no schema here.`, `Write ${token.text}() alone.`)
    if (name === 'current_setting') {
      const setting = literal(text, tokens, i + 2)
      if (setting === null)
        throw noFunction(token.text, 'its setting isn’t a text in quotes', 'Write the setting’s name in quotes.')
      if (SETTINGS_OF_PLACES.includes(setting.toLowerCase()))
        throw noFunction(token.text, 'files can’t be reached', 'Other settings, such as threads, can be read.')
    }
    if (name === 'query') {
      const sql = literal(text, tokens, i + 2)
      if (sql === null)
        throw noFunction(token.text, 'its SQL isn’t a text in quotes', 'Write the SQL itself, in quotes.')
      guardCalls(parse(sql), parse)
    }
  }
}

/** The text of a function's only argument, which may be joined by `||`; null if it isn't of literals. */
function literal(text: string, tokens: readonly Token[], first: number): string | null {
  const argument = tokens[first]
  const found = argument ? LITERAL.exec(argument.text) : null
  const after = tokens[first + 1]
  if (!found || !after) return null
  const own = found[1]?.replaceAll("''", "'") ?? found[3] ?? ''
  if (after.text === ')') return own
  const rest = text.startsWith('||', after.start) ? literal(text, tokens, first + 2) : null
  return rest === null ? null : own + rest
}

function noFunction(name: string, why: string, remedy = ASKED): EngineError {
  return refused(`${name}() can’t be used here: ${why}.`, remedy)
}
