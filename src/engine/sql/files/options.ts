import { foldName } from '../../../lib/names.ts'
import { refused } from '../gate/refusals.ts'
import type { DroppedFile, ResultColumn, TextReading } from '../session-types.ts'
import type { Literal } from './literals.ts'

/*
 * What the options of read_csv and its like mean for files that were read when they were dropped: those that say what was
 * done anyway, or that can be done to the table, are heeded, and all others refused.
 */

/** What is done to the tables of files. */
export interface Reading {
  /** The name of a column with the file's path; null: there's none. */
  readonly pathColumn: string | null
  /** Whether `file_row_number` counts the rows from 0. */
  readonly numbered: boolean
  readonly byName: boolean
  /** The columns as they're to be called and typed, of a file's own; null: as they are. */
  readonly columns: (file: DroppedFile) => readonly ReadColumn[] | null
}

export interface ReadColumn extends ResultColumn {
  /** What it's called in the table. */
  readonly from: string
  readonly cast: boolean
}

type Options = ReadonlyMap<string, Literal>

/** How text is taken for values, where none of it would be read otherwise here: all rows are looked at, and those that don't fit were shown. */
const WITHOUT_EFFECT = new Set([
  'auto_detect',
  'buffer_size',
  'compression',
  'explicit_cardinality',
  'field_appearance_threshold',
  'files_to_sniff',
  'format',
  'ignore_errors',
  'map_inference_threshold',
  'max_line_size',
  'maximum_depth',
  'maximum_line_size',
  'maximum_object_size',
  'maximum_sample_files',
  'new_line',
  'null_padding',
  'parallel',
  'records',
  'sample_size',
  'stop_at_empty',
  'strict_mode',
])
/** Options that change nothing as long as they aren't switched on. */
const HARMLESS_OFF = new Set([
  'allow_quoted_nulls',
  'binary_as_string',
  'convert_strings_to_integers',
  'empty_as_varchar',
  'hive_partitioning',
  'hive_types_autocast',
  'normalize_names',
  'store_rejects',
])
const SYNONYMS: Readonly<Record<string, string>> = {
  column_names: 'names',
  column_types: 'types',
  delimiter: 'delim',
  dtypes: 'types',
  sep: 'delim',
}
const ENCODINGS: readonly RegExp[] = [/^utf-?8/, /^(?:iso-?8859-?1|latin-?1|windows-1252|cp1252)$/, /^utf-?16/]

/**
 * What the options ask for.
 * @param call the function's name as written
 * @throws {EngineError} `sql-not-allowed` for what the files weren't read by
 */
export function readOptions(call: string, given: Options, files: readonly DroppedFile[]): Reading {
  const options = new Map(Array.from(given, ([name, value]) => [SYNONYMS[name] ?? name, value]))
  for (const [name, value] of options) {
    if (isHeeded(name) || WITHOUT_EFFECT.has(name) || (HARMLESS_OFF.has(name) && value === false)) continue
    for (const file of files) assertReadSo(call, name, value, file)
  }
  const filename = options.get('filename')
  return {
    pathColumn: typeof filename === 'string' ? filename : filename === true ? 'filename' : null,
    numbered: options.get('file_row_number') === true,
    byName: options.get('union_by_name') === true,
    columns: (file) => columnsOf(file, options),
  }
}

const isHeeded = (name: string): boolean =>
  /^(?:all_varchar|filename|file_row_number|union_by_name|names|types|columns|sheet)$/.test(name)

/** Fails unless the file was read as the option says. */
function assertReadSo(call: string, name: string, value: Literal, file: DroppedFile): void {
  const { path, read } = file
  if (!KNOWN.has(name) || (read && !read.text)) {
    throw refused(
      `${call} can’t apply ${name}: ${path} was read when it was dropped.`,
      'Leave the option out, and change the values in the statement.',
    )
  }
  if (!read?.text) {
    throw refused(
      `How ${path} was read isn’t known any more, so ${name} can’t be compared with it.`,
      `Drop the file again, or leave ${name} out.`,
    )
  }
  const was = wasRead(name, value, read.text)
  if (was === null) return
  throw refused(
    `${path} was read ${was} when it was dropped, and its text isn’t kept.`,
    `Leave ${name} out, or open the file in Convert, set there how it’s read, and query it from there.`,
  )
}

const KNOWN = new Set(['delim', 'quote', 'escape', 'header', 'skip', 'comment', 'nullstr', 'encoding'])

/** How the file was read, in words, where that isn't what an option says; null where it is. */
function wasRead(name: string, value: Literal, read: TextReading): string | null {
  const sign = typeof value === 'string' ? value.replaceAll('\\t', '\t') : value
  const compared = (was: string | null, what: string): string | null =>
    (was ?? '') === (sign ?? '')
      ? null
      : was === null || was === ''
        ? `without ${what}`
        : `with ${shown(was)} as ${what}`
  if (name === 'delim') return compared(read.delimiter, 'its delimiter')
  if (name === 'quote') return compared(read.quote, 'its quote')
  // The same as the quote is what DuckDB takes where nothing is said.
  if (name === 'escape') return sign === '' && read.escape === read.quote ? null : compared(read.escape, 'its escape')
  if (name === 'comment') return compared(read.comment, 'the sign of comments')
  if (name === 'header') return value === read.header ? null : read.header ? 'with a header' : 'without a header'
  if (name === 'skip') return Number(value) === read.skipLines ? null : `from line ${read.skipLines + 1} on`
  if (name === 'encoding') {
    const family = (each: string): number => ENCODINGS.findIndex((own) => own.test(each.toLowerCase()))
    const same = typeof value === 'string' && family(value) === family(read.encoding) && family(value) >= 0
    return same ? null : `as ${read.encoding}`
  }
  const nulls = Array.isArray(value) ? (value as readonly Literal[]) : [value]
  const missing = nulls.find((each) => typeof each !== 'string' || !read.nullStrings.includes(each))
  return missing === undefined
    ? null
    : `without taking ${shown(typeof missing === 'string' ? missing : 'NULL')} for null`
}

const shown = (sign: string): string => (sign === '\t' ? 'a tab' : `“${sign}”`)

/** Its columns by `columns`, or by `names` and `types`; all are text with `all_varchar`, unless they're given. */
function columnsOf(file: DroppedFile, options: Options): readonly ReadColumn[] | null {
  const own = file.columns
  const columns = options.get('columns')
  const given = columns instanceof Map ? [...(columns as ReadonlyMap<string, Literal>)] : null
  if (columns !== undefined && !given) throw wrong('columns', "columns = {'name': 'TYPE'}")
  if (given && given.length !== own.length)
    throw refused(`${file.path} has ${own.length} columns, and columns names ${given.length}.`, 'Name all of them.')
  const names = given?.map(([name]) => name) ?? texts('names', options.get('names')) ?? []
  if (names.length > own.length)
    throw refused(
      `${file.path} has ${own.length} columns, and names has ${names.length}.`,
      'Name no more than there are.',
    )
  const text = options.get('all_varchar') === true ? own.map(() => 'VARCHAR') : undefined
  const types = given ? new Map(given) : (options.get('types') ?? text)
  if (names.length === 0 && types === undefined) return null
  const called = own.map(({ name }, i) => names[i] ?? name)
  const typed = typesOf(types, called, file)
  return own.map(({ name, type }, i) => {
    const wanted = typed[i] ?? type
    const cast = foldName(wanted) !== foldName(type)
    if (cast && !canBecome(type, wanted)) throw noSuchType(file, called[i], type, wanted)
    return { from: name, name: called[i], type: wanted, cast }
  })
}

/** Types by name, or from the first column on. */
function typesOf(types: Literal | undefined, names: readonly string[], { path }: DroppedFile): (string | null)[] {
  if (types === undefined) return []
  if (!(types instanceof Map)) return (texts('types', types) ?? []).map(checkedType)
  const wanted = new Map(
    Array.from(types as ReadonlyMap<string, Literal>, ([name, type]) => [foldName(name), checkedType(type)]),
  )
  const unknown = [...wanted.keys()].find((name) => !names.some((each) => foldName(each) === name))
  if (unknown !== undefined) throw refused(`${path} has no column ${unknown}.`, `It has ${names.join(', ')}.`)
  return names.map((name) => wanted.get(foldName(name)) ?? null)
}

function texts(option: string, value: Literal | undefined): readonly string[] | null {
  if (value === undefined) return null
  const all = Array.isArray(value) ? (value as readonly Literal[]) : []
  if (all.length === 0 || !all.every((each) => typeof each === 'string')) throw wrong(option, `${option} = ['…']`)
  return all
}

function checkedType(type: Literal): string {
  if (typeof type !== 'string' || !/^[\w\s(),[\]]+$/.test(type)) throw wrong('types', "types = {'name': 'TYPE'}")
  return type
}

const wrong = (option: string, form: string): Error =>
  refused(`${option} isn’t given as it has to be.`, `Write ${form}.`)

const INTEGER = /^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$|^INT[1248]?$|^LONG$|^SHORT$/i
const NUMBER = /^(?:FLOAT|REAL|DOUBLE|FLOAT[48]|DECIMAL|NUMERIC)\b/i
const TEXT = /^(?:VARCHAR|TEXT|STRING|CHAR|BPCHAR)$/i

/** Whether a column's values are as exact in another type as if they had been read as that at once. */
function canBecome(type: string, wanted: string): boolean {
  if (TEXT.test(type)) return true
  if (TEXT.test(wanted)) return INTEGER.test(type)
  if (INTEGER.test(type)) return INTEGER.test(wanted) || NUMBER.test(wanted)
  if (NUMBER.test(type)) return /^(?:DOUBLE|FLOAT8)$/i.test(wanted)
  return /^DATE$/i.test(type) && /^TIMESTAMP$/i.test(wanted)
}

function noSuchType({ path }: DroppedFile, name: string, type: string, wanted: string): Error {
  return refused(
    `${path} was read with ${name} as ${type}, and its text isn’t kept: it can’t be read as ${wanted} any more.`,
    `Cast it in the statement, or open the file in Convert, choose ${wanted} there, and query it from there.`,
  )
}
