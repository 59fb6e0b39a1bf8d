import { namesOf } from '../../../lib/duckdb-sql/lexer.ts'
import { foldIdentifier, unquoted, wordsOf, type Statement } from '../statement.ts'

/* Settings that scripts often begin with, and that have no effect here. */

interface Idle {
  /** Why it has no effect. */
  readonly why: string
  /** Allowed values in lower case; any if absent. */
  readonly values?: RegExp
}

const ONE_THREAD: Idle = { why: 'the engine has one thread here.' }
const PROGRESS: Idle = { why: 'progress is shown here while a statement runs.' }
const CHECKS: Idle = { why: 'these checks of the engine’s makers aren’t built in here.' }
const CACHE: Idle = { why: 'what was read stays in memory here by itself.' }
const MEMORY: Idle = { why: 'the engine takes what memory there is here, up to 2 GB.' }
const NO_DISK: Idle = { why: 'what doesn’t fit in memory goes to this browser’s storage by itself.' }
const SPEED: Idle = { why: 'it changes how statements run, not their results.' }
const STORED: Idle = { why: 'it’s about the engine’s files, and a session’s tables are in memory.' }
const MEASURED: Idle = { why: 'EXPLAIN ANALYZE shows where a statement spends its time.' }
const SILENT: Idle = { why: 'the engine keeps no log here.' }
const BUILT_IN: Idle = { why: 'what it does is built in.' }
const NOT_REACHED: Idle = { why: 'statements can’t reach files, addresses or extensions here.' }
const OFF = /^(?:false|0|off|no|f)$/
const ON = /^(?:true|1|on|yes|t)$/

const IDLE: Readonly<Record<string, Idle>> = {
  autoinstall_known_extensions: { why: 'no extension is installed here.', values: OFF },
  autoload_known_extensions: { why: 'no extension is loaded here.', values: OFF },
  calendar: { why: 'dates are of the Gregorian calendar already.', values: /^gregorian$/ },
  custom_profiling_settings: MEASURED,
  enable_external_access: { why: 'statements reach no files or addresses here.', values: OFF },
  enable_http_metadata_cache: CACHE,
  enable_http_logging: { ...SILENT, values: OFF },
  enable_logging: { ...SILENT, values: OFF },
  enable_object_cache: CACHE,
  enable_profiling: MEASURED,
  enable_progress_bar: PROGRESS,
  enable_progress_bar_print: PROGRESS,
  explain_output: { why: 'EXPLAIN gives the plan that would run.' },
  external_threads: ONE_THREAD,
  ieee_floating_point_ops: { why: 'numbers are computed with that way already.', values: ON },
  immediate_transaction_mode: { why: 'no other transactions run here.' },
  lambda_syntax: {
    why: 'both ways of writing a lambda are read already.',
    values: /^(?:default|enable_single_arrow)$/,
  },
  lock_configuration: { why: 'statements can’t change the engine’s other settings anyway.', values: ON },
  max_memory: MEMORY,
  max_temp_directory_size: NO_DISK,
  memory_limit: MEMORY,
  old_implicit_casting: { why: 'only literals are cast implicitly already.', values: OFF },
  parquet_metadata_cache: CACHE,
  preserve_identifier_case: { why: 'names keep their case already.', values: ON },
  preserve_insertion_order: { why: 'rows keep their order here.' },
  profile_output: MEASURED,
  profiling_mode: MEASURED,
  progress_bar_time: PROGRESS,
  temp_directory: NO_DISK,
  threads: ONE_THREAD,
  worker_threads: ONE_THREAD,
}
/** Settings about what statements can't reach. All other settings only affect errors and speed, unless named here. */
const OF_OTHERS = /_(?:path|paths|directory|directories)$|extension|secret|http|proxy/
/** Extensions whose functions are built in, or ours. */
const EXTENSIONS: Readonly<Record<string, Idle>> = {
  core_functions: BUILT_IN,
  icu: BUILT_IN,
  json: BUILT_IN,
  parquet: { why: 'Parquet files are read here once they’re dropped into this window.' },
}
/**
 * Settings that a session may change. None of our own statements depends on them: these write ASC, and are run without
 * the collation (`Database.askGuest`).
 */
const OWN: ReadonlySet<string> = new Set([
  'default_collation',
  'default_null_order',
  'default_order',
  'integer_division',
  'null_order',
  'order_by_non_integer_literal',
  'scalar_subquery_error_on_multiple_rows',
])
/** Settings that affect results. They can't be changed; `refusals.ts` has alternatives. */
const OF_RESULTS: ReadonlySet<string> = new Set(['calendar', 'old_implicit_casting'])
/** Pragmas without a value. */
const IDLE_PRAGMAS: Readonly<Record<string, Idle>> = {
  disable_checkpoint_on_shutdown: STORED,
  disable_object_cache: CACHE,
  disable_print_progress_bar: PROGRESS,
  disable_profiling: MEASURED,
  disable_progress_bar: PROGRESS,
  disable_verification: CHECKS,
  disable_verify_external: CHECKS,
  disable_verify_fetch_row: CHECKS,
  disable_verify_parallelism: CHECKS,
  enable_checkpoint_on_shutdown: STORED,
  enable_object_cache: CACHE,
  enable_print_progress_bar: PROGRESS,
  enable_profiling: MEASURED,
  enable_progress_bar: PROGRESS,
  enable_verification: CHECKS,
  verify_external: CHECKS,
  verify_fetch_row: CHECKS,
  verify_parallelism: CHECKS,
  verify_serializer: CHECKS,
}

/** A setting without effect here. */
export interface Idleness {
  readonly message: string
  /** Its name, if the engine has to confirm that the setting exists. */
  readonly setting?: string
}

/** The message for a setting or LOAD that has no effect here; null for other statements. */
export function idleSetting(statement: Statement): Idleness | null {
  const { tokens } = statement
  const word = wordsOf(tokens)
  const extension = extensionOf(statement)
  if (extension !== null) return said(EXTENSIONS, extension, null)
  if (word(0) === 'pragma' && tokens.length === 2) return said(IDLE_PRAGMAS, word(1), null)
  const setting = settingOf(statement)
  if (!setting || setting.name === 'variable') return null
  const { name, value } = setting
  if (Object.hasOwn(IDLE, name)) return said(IDLE, name, value)
  if (value !== null && OF_RESULTS.has(name)) return null
  return { message: unchangedBy(name, OF_OTHERS.test(name) ? NOT_REACHED : SPEED), setting: name }
}

/** The extension of LOAD or INSTALL; null for other statements. */
export function extensionOf({ tokens }: Statement): string | null {
  const word = wordsOf(tokens)
  const forced = word(0) === 'force' ? 1 : 0
  if (word(forced) !== 'load' && word(forced) !== 'install') return null
  return valueOf(tokens[forced + 1]?.text ?? '')
}

export interface Setting {
  readonly name: string
  /** In lower case; null for the default. */
  readonly value: string | null
  /** Whether it's written SET SESSION or RESET SESSION: DuckDB keeps such a value apart from that of SET alone. */
  readonly ofSession: boolean
}

/** The setting that a statement changes for the session; null for other statements. */
export function ownSetting(statement: Statement): Setting | null {
  const setting = settingOf(statement)
  if (!setting || !OWN.has(setting.name)) return null
  return setting.value === 'default' ? { ...setting, value: null } : setting
}

/** The setting of SET, RESET or a pragma, if it has a single value. */
function settingOf({ tokens }: Statement): Setting | null {
  const word = wordsOf(tokens)
  const verb = word(0)
  if (verb !== 'set' && verb !== 'reset' && verb !== 'pragma') return null
  const scoped = verb !== 'pragma' && /^(?:session|global|local)$/.test(word(1)) ? 2 : 1
  const name = word(scoped)
  const ofSession = scoped === 2 && word(1) !== 'global'
  if (verb === 'reset') return tokens.length === scoped + 1 ? { name, value: null, ofSession } : null
  const isGiven = tokens[scoped + 1]?.text === '=' || word(scoped + 1) === 'to'
  if (!isGiven || tokens.length !== scoped + 3) return null
  return { name, value: valueOf(tokens[scoped + 2].text), ofSession }
}

/** The schemas that USE, SET schema or SET search_path names; none for the default. Null for other statements. */
export function readPlaces(statement: Statement): string[] | null {
  const { tokens } = statement
  const setting = settingOf(statement)
  if (setting?.name === 'schema' || setting?.name === 'search_path')
    return schemasIn(setting.value === null || setting.value === 'default' ? '' : tokens[tokens.length - 1].text)
  if (wordsOf(tokens)(0) !== 'use' || tokens.length < 2) return null
  return schemasIn(
    tokens
      .slice(1)
      .map(({ text }) => text)
      .join(''),
  )
}

/** Names between commas, without the catalog that they are in. `main` by itself is the default. */
function schemasIn(written: string): string[] {
  const references = written.replace(/^'(.*)'$/, '$1').match(/(?:"(?:[^"]|"")*"|[^",])+/g) ?? []
  const schemas = references.map((reference) => {
    const parts = namesOf(reference) ?? [reference.trim()]
    const own = parts[0].toLowerCase() === 'memory' ? parts.slice(1) : parts
    return own.length === 0 ? 'main' : own.join('.')
  })
  return schemas.every((schema) => schema.toLowerCase() === 'main') ? [] : schemas
}

/** The time zone that a statement sets; `UTC` for RESET. Null for other statements. */
export function zoneSetting({ tokens }: Statement): string | null {
  const word = wordsOf(tokens)
  const verb = word(0)
  const scoped = verb !== 'pragma' && /^(?:session|global|local)$/.test(word(1)) ? 2 : 1
  if (verb === 'reset') return word(scoped) === 'timezone' && tokens.length === scoped + 1 ? 'UTC' : null
  if (tokens.length !== scoped + 3 || (verb !== 'set' && verb !== 'pragma')) return null
  const [name, sign, value] = tokens.slice(scoped)
  const isLong = verb === 'set' && word(scoped) === 'time' && word(scoped + 1) === 'zone'
  const isShort = foldIdentifier(name.text) === 'timezone' && (sign.text === '=' || word(scoped + 1) === 'to')
  if (!isLong && !isShort) return null
  const given = value.kind === 'string' ? value.text.replace(/^'(.*)'$/, '$1') : unquoted(value.text)
  return value.kind !== 'string' && given.toLowerCase() === 'default' ? 'UTC' : given
}

/** @param value null if there is none */
function said(among: Readonly<Record<string, Idle>>, name: string, value: string | null): Idleness | null {
  const idle = Object.hasOwn(among, name) ? among[name] : null
  if (!idle || (value !== null && idle.values?.test(value) === false)) return null
  return { message: unchangedBy(name, idle) }
}

const unchangedBy = (name: string, { why }: Idle): string => `Nothing was changed by ${name}: ${why}`

const valueOf = (text: string): string => unquoted(text.replace(/^'(.*)'$/, '$1')).toLowerCase()
