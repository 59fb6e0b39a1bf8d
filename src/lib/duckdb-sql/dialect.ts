import { isReserved } from './names.ts'

/** A function of the engine. */
export interface FunctionInfo {
  readonly name: string
  readonly kind: 'scalar' | 'aggregate' | 'table' | 'macro'
  /** `(string VARCHAR, start BIGINT) → VARCHAR`, one for each way to call it. */
  readonly signatures: readonly string[]
  readonly description: string
}

/** The vocabulary of an engine. */
export interface Dialect {
  readonly keywords: readonly string[]
  readonly types: readonly string[]
  readonly functions: readonly FunctionInfo[]
}

/** An engine's vocabulary, for look-ups. */
export interface Words {
  readonly keywords: readonly string[]
  readonly functions: readonly FunctionInfo[]
  readonly types: readonly string[]
  /** Whether to show it as a keyword wherever it is. Many keywords are more often column names. */
  isKeyword(word: string): boolean
  isType(word: string): boolean
  functionNamed(name: string): FunctionInfo | null
}

/** Unreserved words that are rarely used as names. */
const STATEMENT_WORDS = new Set(
  `alter begin between by call commit copy create delete drop exclude execute exists explain export filter following
  if ignore insert install load macro materialized no nulls of over partition preceding prepare recursive rename replace
  respect rollback rows sample set temp temporary ties truncate unbounded update values view within without coalesce
  interval nullif grouping`.split(/\s+/),
)

/** Keywords offered first, before the engine's others. */
export const COMMON_KEYWORDS: ReadonlySet<string> = new Set(
  `select from where group by having order limit offset with as distinct on using join left right inner full outer cross
  asof semi anti natural positional union all intersect except values in not and or is null like ilike between exists
  case when then else end cast try_cast over partition rows range preceding following unbounded filter qualify window
  asc desc nulls first last exclude replace columns create temp table view or if pivot unpivot summarize describe show
  explain analyze sample true false interval recursive lateral returning insert into update set delete`.split(/\s+/),
)

const TYPES =
  `BIGINT BIT BLOB BOOLEAN DATE DECIMAL DOUBLE ENUM FLOAT HUGEINT INTEGER INTERVAL JSON LIST MAP SMALLINT STRUCT
  TEXT TIME TIMESTAMP TIMESTAMPTZ TINYINT UBIGINT UHUGEINT UINTEGER UNION USMALLINT UTINYINT UUID VARCHAR`.split(/\s+/)

/**
 * Without a dialect (before the engine has answered), the words common to all SQL.
 * @param macros those of the session, which hide the engine's functions of the same names
 */
export function createWords(dialect: Dialect | null, macros: readonly FunctionInfo[] = []): Words {
  const types = dialect?.types ?? TYPES
  const own = new Set(macros.map(({ name }) => name.toLowerCase()))
  const functions = [
    ...macros,
    ...(dialect?.functions ?? []).filter(({ name }) => !own.has(name.toLowerCase())),
  ].filter(({ name }) => /^[a-z]\w*$/i.test(name))
  const keywords = [...new Set(dialect?.keywords ?? COMMON_KEYWORDS)]
  const typeNames = new Set(types.map((type) => type.toLowerCase()))
  const byName = new Map(functions.map((known) => [known.name.toLowerCase(), known]))
  return {
    keywords,
    functions,
    types,
    isKeyword: (word) =>
      (isReserved(word) && !/^(?:map|struct|columns)$/i.test(word)) || STATEMENT_WORDS.has(word.toLowerCase()),
    isType: (word) => typeNames.has(word.toLowerCase()),
    functionNamed: (name) => byName.get(name.toLowerCase()) ?? null,
  }
}

/** A parsed signature: `(string VARCHAR, start BIGINT) → VARCHAR`. */
export interface Signature {
  readonly parameters: readonly string[]
  readonly returns: string
  readonly variadic: boolean
}

export function parseSignature(signature: string): Signature {
  const close = closingParenthesis(signature)
  const parameters = splitParameters(signature.slice(signature.indexOf('(') + 1, close))
  const returns = signature.slice(close + 1).replace(/^\s*(?:→|->)\s*/, '')
  return { parameters, returns, variadic: /\.\.\.|…/.test(parameters.at(-1) ?? '') }
}

/** The signature that a call with that many arguments most likely means: the first with enough parameters. */
export function signatureFor(signatures: readonly Signature[], argument: number): number {
  const fitting = signatures.findIndex(({ parameters, variadic }) => variadic || parameters.length > argument)
  return fitting === -1 ? 0 : fitting
}

function closingParenthesis(text: string): number {
  let depth = 0
  for (let at = text.indexOf('('); at !== -1 && at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '(') depth++
    if (char === ')' && --depth === 0) return at
  }
  return text.length
}

function splitParameters(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if ('([{'.includes(char)) depth++
    if (')]}'.includes(char)) depth--
    if (char !== ',' || depth > 0) continue
    parts.push(text.slice(start, at).trim())
    start = at + 1
  }
  const rest = text.slice(start).trim()
  return rest === '' ? parts : [...parts, rest]
}

const READS_FILES = /^(?:glob|parquet_scan|read_(?:csv|csv_auto|json|json_auto|ndjson|ndjson_auto|parquet|xlsx))$/i

/** Whether a function reads the files whose paths are its arguments. */
export function readsFiles(name: string): boolean {
  return READS_FILES.test(name)
}

const TAKES_PART = /^date_?(?:trunc|part|diff|sub)$/i

/** Whether a function's first argument is the name of a part of a date. */
export function takesDatePart(name: string): boolean {
  return TAKES_PART.test(name)
}

/** Parts of dates and times, the most likely first. Only those that `date_trunc` accepts. */
export const DATE_PARTS: readonly string[] =
  'month year quarter week day hour minute second millisecond microsecond isoyear decade century millennium'.split(' ')

/** Words that begin a query, also in parentheses. */
export const BEGINS_QUERY: ReadonlySet<string> = new Set([
  'select',
  'from',
  'with',
  'values',
  'pivot',
  'unpivot',
  'summarize',
  'describe',
  'show',
  'table',
])

/** Words that end a FROM clause. */
export const LEAVE_FROM: ReadonlySet<string> = new Set([
  'where',
  'group',
  'having',
  'qualify',
  'window',
  'order',
  'limit',
  'offset',
  'set',
  'returning',
  'values',
])
