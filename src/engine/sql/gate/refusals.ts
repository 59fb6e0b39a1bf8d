import { EngineError } from '../../errors.ts'
import { wordsOf, type Statement } from '../statement.ts'
import { extensionOf } from './settings.ts'

const SETTINGS = 'the engine’s settings are the same for everybody, so that results are, too.'
const FILES = 'a statement can’t reach files, databases or extensions.'
const NEVER = 'extensions can’t be loaded: nothing is fetched from elsewhere.'
const DROP_IT = 'To read a file, drop it into this window: it’s then a table, local.<name>.'
const EXPORT = 'To write a file, run a SELECT and use “Export”.'

/** Statements that can't run: the reason, which follows a colon, and what to do instead. */
const REFUSED: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  attach: [FILES, `${DROP_IT} CREATE SCHEMA name makes a place for tables of your own.`],
  detach: [FILES, 'DROP TABLE name and DROP SCHEMA name CASCADE remove what you made yourself.'],
  export: ['a statement can’t write files.', EXPORT],
  import: ['a statement can’t read files.', DROP_IT],
  pragma: [
    SETTINGS,
    'Of pragmas there are table_info, show_tables, version and the like; for a table’s columns, use DESCRIBE.',
  ],
  grant: ['nobody else is here.', 'Who may read a dataset is set under Datasets.'],
  revoke: ['nobody else is here.', 'Who may read a dataset is set under Datasets.'],
}

const IN_ONE_TEXT = "Write the schemas in one text: SET search_path = 'first,main'."
const ZONE = "Write SET TimeZone = 'Europe/Berlin', with the name of a region in quotes."

/** What to write instead of a setting. */
const INSTEAD: Readonly<Record<string, string>> = {
  autoinstall_known_extensions: DROP_IT,
  autoload_known_extensions: DROP_IT,
  calendar: 'Dates use the Gregorian calendar; strftime writes them in any format.',
  default_collation: "Write a collation in quotes: SET default_collation = 'NOCASE'.",
  default_order: "Write SET default_order = 'desc', or 'asc'.",
  enable_external_access: DROP_IT,
  ieee_floating_point_ops: 'Write a / nullif(b, 0) to get NULL where b is 0.',
  lambda_syntax: 'Write lambda x: x + 1.',
  lock_configuration: 'Settings such as default_null_order can be changed without it.',
  old_implicit_casting: 'Cast where types differ: value::VARCHAR.',
  preserve_identifier_case: 'Use AS to write a name in the case that you want.',
  schema: IN_ONE_TEXT,
  time: ZONE,
  timezone: ZONE,
  search_path: IN_ONE_TEXT,
}
export const VALUES = "Values of your own are kept by SET VARIABLE name = value, and read by getvariable('name')."

/** What to do instead of COPY, whose forms are `COPY t FROM 'file'`, `COPY t TO 'file'` and `COPY (…) TO 'file'`. */
function insteadOfCopy(text: string): string {
  const [, into, file] = /^\s*copy\s+([^']+?)\s+from\s+('(?:[^']|'')*')/i.exec(text) ?? []
  if (into !== undefined && file !== undefined)
    return `Drop the file into this window, and write INSERT INTO ${into} FROM ${file}.`
  const table = /^\s*copy\s+([^\s(']+)\s+to\b/i.exec(text)?.[1]
  return table === undefined ? 'Run the query alone, and use “Export”.' : `Run FROM ${table}, and use “Export”.`
}

/** The error for a statement that can't run in any form; null for others. */
export function refusedStatement(statement: Statement): EngineError | null {
  const { tokens } = statement
  const word = wordsOf(tokens)
  const verb = word(0)
  const named = (name: string, reason: string, remedy: string): EngineError =>
    refused(`${name} isn’t run here: ${reason}`, remedy)
  if (verb === 'pragma' && Object.hasOwn(INSTEAD, word(1))) return named('PRAGMA', SETTINGS, INSTEAD[word(1)])
  if (verb === 'copy') return named('COPY', 'a statement can’t write or read files.', insteadOfCopy(statement.text))
  if (Object.hasOwn(REFUSED, verb)) return named(verb.toUpperCase(), ...REFUSED[verb])
  if ((verb === 'set' || verb === 'reset') && word(1) !== 'variable') {
    const setting = word(1) === 'session' || word(1) === 'global' || word(1) === 'local' ? word(2) : word(1)
    return named(verb.toUpperCase(), SETTINGS, INSTEAD[setting] ?? VALUES)
  }
  if (verb === 'update' && word(1) === 'extensions')
    return named('UPDATE EXTENSIONS', NEVER, 'What the engine can do comes with this page, and is updated with it.')
  if (extensionOf(statement) !== null)
    return named(
      word(verb === 'force' ? 1 : 0).toUpperCase(),
      NEVER,
      'To read Excel or SQLite, or a file from elsewhere, drop the file into this window.',
    )
  return null
}

export function refused(message: string, remedy: string): EngineError {
  return new EngineError('sql-not-allowed', message, { remedy })
}

/** Refuses functions whose results are meaningless in another statement. */
export function guardSortKeys(name: string): void {
  if (!/^icu_(?:collate_|sort_key$)/.test(name)) return
  throw refused(
    `${name}() can’t be used here: its values order texts within one statement alone.`,
    'Write COLLATE instead: ORDER BY name COLLATE de.',
  )
}
