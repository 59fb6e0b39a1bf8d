import { formatCount } from '../../lib/counts.ts'
import { EngineError } from '../errors.ts'
import { foldIdentifier, statementFrom, type Statement, type Token } from './statement.ts'

/** A statement that changes the session's temporary tables. */
export interface TableChange {
  readonly verb: 'create' | 'insert' | 'update' | 'delete' | 'truncate' | 'drop' | 'alter'
  readonly kind: 'table' | 'view'
  /** As it was written. */
  readonly name: string
  /** As the engine is to have it: the same length, without what would hide it from the session's other connections. */
  readonly text: string
  /** Of a view: its query. */
  readonly query: Statement | null
  readonly returning: boolean
  /** `IF EXISTS` or `IF NOT EXISTS`. */
  readonly conditional: boolean
}

/** Operators of plans of such statements; `INSERT ... ON CONFLICT` is planned as a MERGE. */
export const CHANGING: ReadonlySet<string> = new Set([
  'ALTER',
  'CREATE_TABLE',
  'CREATE_VIEW',
  'DELETE',
  'DROP',
  'INSERT',
  'MERGE_INTO',
  'UPDATE',
])

/** Where a session's temporary tables are; `temp` is another word for it here. */
const TEMPORARY_PLACES = new Set(['main', 'memory', 'temp'])

const SETTINGS = 'The engine’s settings are the same for everybody, so that results are, too.'
const FILES = 'A statement can’t reach files, databases or extensions.'
const TRANSACTIONS = 'Each statement is a transaction of its own.'
const DROP_IT = 'Drop the file into this window: it’s then a table, local.<name>.'
const EXPORT = 'Run a SELECT and use “Export”.'
const READS = 'Use SELECT, FROM, WITH, VALUES, DESCRIBE, SUMMARIZE, SHOW, EXPLAIN, PIVOT or UNPIVOT.'

/** Statements that aren't run: why, and what to do instead. */
const REFUSED: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  attach: [FILES, DROP_IT],
  detach: [FILES, 'Nothing needs to be detached.'],
  use: ['Names are always whole here.', 'Write workspace.dataset.table, or local.<name>.'],
  copy: ['A statement can’t write or read files.', `To write: ${EXPORT} To read: ${DROP_IT}`],
  export: ['A statement can’t write files.', EXPORT],
  import: ['A statement can’t read files.', DROP_IT],
  install: [FILES, 'What the engine can do is complete: the editor’s completion lists its functions.'],
  load: [FILES, 'What the engine can do is complete: the editor’s completion lists its functions.'],
  set: [SETTINGS, 'Leave it out. For values, use parameters: $name.'],
  reset: [SETTINGS, 'Leave it out.'],
  pragma: [SETTINGS, 'For a table’s columns, use DESCRIBE.'],
  call: ['Functions that change the engine can’t be called.', READS],
  begin: [TRANSACTIONS, 'Leave it out.'],
  start: [TRANSACTIONS, 'Leave it out.'],
  commit: [TRANSACTIONS, 'Leave it out.'],
  end: [TRANSACTIONS, 'Leave it out.'],
  rollback: [TRANSACTIONS, 'Leave it out.'],
  abort: [TRANSACTIONS, 'Leave it out.'],
  prepare: ['Prepared statements aren’t kept.', 'Use parameters: $name.'],
  execute: ['Prepared statements aren’t kept.', 'Use parameters: $name.'],
  deallocate: ['Prepared statements aren’t kept.', 'Leave it out.'],
  merge: ['MERGE isn’t available.', 'Use INSERT, UPDATE or DELETE on your temporary tables.'],
  comment: ['Tables have no comments here.', 'A dataset’s description is edited under Datasets.'],
  checkpoint: ['The engine does that by itself.', 'Leave it out.'],
  force: ['The engine does that by itself.', 'Leave it out.'],
  vacuum: ['The engine does that by itself.', 'Leave it out.'],
  analyze: ['The engine does that by itself.', 'To see how a statement runs, use EXPLAIN ANALYZE.'],
  grant: ['Nobody else is here.', 'Who may read a dataset is set under Datasets.'],
  revoke: ['Nobody else is here.', 'Who may read a dataset is set under Datasets.'],
  update_extensions: [FILES, 'Leave it out.'],
}

/**
 * What a statement does to the session's temporary tables; null when it's one for reading, or no SQL at all.
 * @throws {EngineError} `sql-not-allowed` for all that isn't for reading and touches anything else
 */
export function readTableChange(statement: Statement): TableChange | null {
  const { tokens } = statement
  const word = (i: number): string => (tokens[i]?.kind === 'string' ? '' : (tokens[i]?.text.toLowerCase() ?? ''))
  const verb = word(0)
  if (Object.hasOwn(REFUSED, verb)) {
    const [reason, remedy] = REFUSED[verb]
    throw refused(`${verb.toUpperCase().replaceAll('_', ' ')} isn’t run here: ${reason}`, remedy)
  }
  switch (verb) {
    case 'create':
      return readCreate(statement, word)
    case 'insert': {
      const at = tokens.findIndex((_, i) => word(i) === 'into')
      return at < 0 || at > 3 ? null : change(statement, 'insert', 'table', at + 1)
    }
    case 'update':
      return word(1) === 'extensions' ? fail('update_extensions') : change(statement, 'update', 'table', 1)
    case 'delete':
      return word(1) === 'from' ? change(statement, 'delete', 'table', 2) : null
    case 'truncate':
      return change(statement, 'truncate', 'table', word(1) === 'table' ? 2 : 1)
    case 'drop':
    case 'alter': {
      const kind = word(1)
      if (kind !== 'table' && kind !== 'view') throw onlyTables(verb)
      return change(statement, verb, kind, word(2) === 'if' ? 4 : 2)
    }
    default:
      return null
  }
}

function readCreate(statement: Statement, word: (i: number) => string): TableChange {
  let at = 1
  if (word(at) === 'or' && word(at + 1) === 'replace') at += 2
  const blanks: Token[] = []
  if (word(at) === 'temp' || word(at) === 'temporary') blanks.push(statement.tokens[at++])
  const kind = word(at)
  if (kind !== 'table' && kind !== 'view') throw onlyTables('create')
  at++
  if (word(at) === 'if') at += 3
  return change(statement, 'create', kind, at, blanks)
}

/** @param at the index of the token that the table's name begins with */
function change(
  statement: Statement,
  verb: TableChange['verb'],
  kind: TableChange['kind'],
  at: number,
  blanks: readonly Token[] = [],
): TableChange {
  const { tokens, text } = statement
  const first = tokens[at]
  if (!first) throw refused(`${verb.toUpperCase()} needs a table’s name.`, READS)
  let last = at
  while (tokens[last + 1]?.text === '.' && tokens[last + 2]) last += 2
  const places = tokens.slice(at, last).filter(({ text: part }) => part !== '.')
  const name = text.slice(first.start, tokens[last].start + tokens[last].text.length)
  if (!places.every((part) => TEMPORARY_PLACES.has(foldIdentifier(part.text)))) throw readOnly(name, places)
  const hidden = foldIdentifier(first.text) === 'temp' && last > at ? tokens.slice(at, at + 2) : []
  const as = tokens.findIndex((token, i) => i > last && token.kind === 'keyword' && /^as$/i.test(token.text))
  const query = kind === 'view' && verb === 'create' && as > 0 && tokens[as + 1] ? as + 1 : null
  return {
    verb,
    kind,
    name: text.slice(tokens[last].start, tokens[last].start + tokens[last].text.length),
    text: blank(text, [...blanks, ...hidden]),
    query: query === null ? null : statementFrom(statement, query),
    returning: tokens.some((token) => token.kind === 'keyword' && /^returning$/i.test(token.text)),
    conditional: /^exists$/i.test(tokens[at - 1]?.text ?? ''),
  }
}

/** Blanks in the place of tokens, so that all other places stay. */
function blank(text: string, tokens: readonly Token[]): string {
  let result = text
  for (const { start, text: own } of tokens) {
    result = result.slice(0, start) + ' '.repeat(own.length) + result.slice(start + own.length)
  }
  return result
}

function readOnly(name: string, [first]: readonly Token[]): EngineError {
  const local = foldIdentifier(first.text) === 'local'
  return refused(
    local
      ? `${name} can’t be changed: local files are read-only here.`
      : `${name} can’t be changed: datasets are read-only here.`,
    `Work on a copy: CREATE TABLE my_copy AS FROM ${name}. It’s temporary; to keep it, export it or save it as a dataset.`,
  )
}

function onlyTables(verb: string): EngineError {
  return refused(
    `${verb.toUpperCase()} works for temporary tables and views alone.`,
    `Use ${verb.toUpperCase()} TABLE or ${verb.toUpperCase()} VIEW.`,
  )
}

function fail(verb: string): never {
  const [reason, remedy] = REFUSED[verb]
  throw refused(`${verb.toUpperCase().replaceAll('_', ' ')} isn’t run here: ${reason}`, remedy)
}

function refused(message: string, remedy: string): EngineError {
  return new EngineError('sql-not-allowed', message, { remedy })
}

/**
 * What is to be said of a change.
 * @param idle whether it was to be done only if something was otherwise than it is */
export function changeMessage({ verb, kind, name }: TableChange, count: number, idle: boolean): string {
  if (idle) return `Nothing was changed: there is ${verb === 'create' ? 'already a' : 'no'} temporary ${kind} ${name}.`
  const rows = count === 1 ? '1 row' : `${formatCount(count)} rows`
  const what = `the temporary ${kind} ${name}`
  switch (verb) {
    case 'create':
      return `Created ${what}${count > 0 ? ` with ${rows}` : ''}, which is gone when this tab closes.`
    case 'insert':
      return `Added ${rows} to ${what}, which is gone when this tab closes.`
    case 'update':
      return `Changed ${rows} of ${what}, which is gone when this tab closes.`
    case 'delete':
    case 'truncate':
      return `Removed ${rows} of ${what}.`
    case 'drop':
      return `Removed ${what}.`
    case 'alter':
      return `Changed ${what}, which is gone when this tab closes.`
  }
}
