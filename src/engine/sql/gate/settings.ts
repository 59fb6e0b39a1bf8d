import { foldIdentifier, unquoted, wordsOf, type Statement } from '../statement.ts'

/* Settings that scripts begin with, and that say what is so here anyway, or have nothing to work on. */

interface Idle {
  /** Why it changes nothing. */
  readonly why: string
  /** Values that it may have, in small letters, by default any. */
  readonly values?: RegExp
}

const ONE_THREAD: Idle = { why: 'the engine has one thread here.' }
const PROGRESS: Idle = { why: 'progress is shown here while a statement runs.' }
const CHECKS: Idle = { why: 'these checks of the engine’s makers aren’t built in here.' }
const CACHE: Idle = { why: 'what was read stays in memory here by itself.' }
const MEMORY: Idle = { why: 'the engine takes what memory there is here, up to 2 GB.' }
const NO_DISK: Idle = { why: 'what doesn’t fit in memory goes to this browser’s storage by itself.' }
const IN_MAIN: Idle = { why: 'names are looked up in main already.', values: /^(?:memory\.)?main$|^memory$/ }
const OFF = /^(?:false|0|off|no|f)$/
const ON = /^(?:true|1|on|yes|t)$/
const NULLS: Idle = { why: 'NULLs are sorted last already.', values: /^(?:nulls[_ ]last|last|default)$/ }

const IDLE: Readonly<Record<string, Idle>> = {
  autoinstall_known_extensions: { why: 'no extension is installed here.', values: OFF },
  autoload_known_extensions: { why: 'no extension is loaded here.', values: OFF },
  calendar: { why: 'dates are of the Gregorian calendar already.', values: /^gregorian$/ },
  default_null_order: NULLS,
  default_order: { why: 'rows are sorted upwards already.', values: /^asc(?:ending)?$/ },
  enable_external_access: { why: 'statements reach no files or addresses here.', values: OFF },
  enable_http_metadata_cache: CACHE,
  enable_object_cache: CACHE,
  enable_progress_bar: PROGRESS,
  enable_progress_bar_print: PROGRESS,
  external_threads: ONE_THREAD,
  ieee_floating_point_ops: { why: 'numbers are computed with that way already.', values: ON },
  integer_division: { why: '/ gives fractions already.', values: OFF },
  lambda_syntax: {
    why: 'both ways of writing a lambda are read already.',
    values: /^(?:default|enable_single_arrow)$/,
  },
  max_memory: MEMORY,
  max_temp_directory_size: NO_DISK,
  memory_limit: MEMORY,
  null_order: NULLS,
  parquet_metadata_cache: CACHE,
  preserve_insertion_order: { why: 'rows keep their order here.' },
  progress_bar_time: PROGRESS,
  schema: IN_MAIN,
  search_path: IN_MAIN,
  temp_directory: NO_DISK,
  threads: ONE_THREAD,
  worker_threads: ONE_THREAD,
}
/** Pragmas that have no value. */
const IDLE_PRAGMAS: Readonly<Record<string, Idle>> = {
  disable_object_cache: CACHE,
  disable_print_progress_bar: PROGRESS,
  disable_progress_bar: PROGRESS,
  disable_verification: CHECKS,
  disable_verify_external: CHECKS,
  disable_verify_fetch_row: CHECKS,
  disable_verify_parallelism: CHECKS,
  enable_object_cache: CACHE,
  enable_print_progress_bar: PROGRESS,
  enable_progress_bar: PROGRESS,
  enable_verification: CHECKS,
  verify_external: CHECKS,
  verify_fetch_row: CHECKS,
  verify_parallelism: CHECKS,
  verify_serializer: CHECKS,
}

/** What is to be said of a statement about a setting that changes nothing here; null for all others. */
export function idleSetting({ tokens }: Statement): string | null {
  const word = wordsOf(tokens)
  const verb = word(0)
  if (verb === 'use') {
    const place = tokens.slice(1).map(({ text }) => foldIdentifier(text))
    return place.length > 0 ? said({ use: IN_MAIN }, 'use', place.join('')) : null
  }
  if (verb !== 'set' && verb !== 'reset' && verb !== 'pragma') return null
  if (verb === 'pragma' && tokens.length === 2) return said(IDLE_PRAGMAS, word(1), null)
  const scoped = verb !== 'pragma' && /^(?:session|global|local)$/.test(word(1)) ? 2 : 1
  if (verb === 'reset') return tokens.length === scoped + 1 ? said(IDLE, word(scoped), null) : null
  const isGiven = tokens[scoped + 1]?.text === '=' || word(scoped + 1) === 'to'
  if (!isGiven || tokens.length !== scoped + 3) return null
  return said(IDLE, word(scoped), valueOf(tokens[scoped + 2].text))
}

/**
 * The name of the zone that a statement makes the session's: `UTC` where it takes back another. Null for all other
 * statements.
 */
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

/** @param value null where there's none */
function said(among: Readonly<Record<string, Idle>>, name: string, value: string | null): string | null {
  const idle = Object.hasOwn(among, name) ? among[name] : null
  if (!idle || (value !== null && idle.values?.test(value) === false)) return null
  return `Nothing was changed by ${name}: ${idle.why}`
}

const valueOf = (text: string): string => unquoted(text.replace(/^'(.*)'$/, '$1')).toLowerCase()
