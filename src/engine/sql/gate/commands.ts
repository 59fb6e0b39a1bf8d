import { edited, type Filled } from '../parameters.ts'
import { refused } from './refusals.ts'
import { idleSetting, ownSetting, readPlaces, zoneSetting, type Idleness, type Setting } from './settings.ts'
import { TimeZone } from '../functions/zones/zone.ts'
import { foldIdentifier, placeholders, statementFrom, wordsOf, type Statement } from '../statement.ts'

/** A statement about the session itself that changes no table. */
export type Command =
  | { readonly kind: 'begin' | 'commit' | 'rollback' }
  | { readonly kind: 'deallocate'; readonly name: string }
  | { readonly kind: 'zone'; readonly zone: TimeZone }
  | { readonly kind: 'setting'; readonly setting: Setting }
  /** Of schemas in which names by themselves are looked up, and made in the first; empty: where they are by default. */
  | { readonly kind: 'places'; readonly schemas: readonly string[] }
  /** A setting that has no effect here, with the message for it. */
  | ({ readonly kind: 'idle' } & Idleness)

const TRANSACTIONS: Readonly<Record<string, 'begin' | 'commit' | 'rollback'>> = {
  abort: 'rollback',
  begin: 'begin',
  commit: 'commit',
  end: 'commit',
  rollback: 'rollback',
  start: 'begin',
}

/**
 * Parses a command; null for other statements.
 * @throws {EngineError} `sql-not-allowed` if its name is missing, or the time zone is unknown
 */
export function readCommand(statement: Statement): Command | null {
  const { tokens } = statement
  const word = wordsOf(tokens)
  const verb = word(0)
  if (Object.hasOwn(TRANSACTIONS, verb)) return { kind: TRANSACTIONS[verb] }
  if (verb === 'deallocate') {
    const name = tokens[word(1) === 'prepare' ? 2 : 1]
    if (!name) throw refused('DEALLOCATE needs a name.', 'Name the prepared statement.')
    return { kind: 'deallocate', name: foldIdentifier(name.text) }
  }
  const name = zoneSetting(statement)
  if (name !== null) {
    const zone = TimeZone.find(name)
    if (zone) return { kind: 'zone', zone }
    throw refused(
      `There is no time zone “${name}”.`,
      'Write a region such as Europe/Berlin: pg_timezone_names() lists them.',
    )
  }
  const setting = ownSetting(statement)
  if (setting) return { kind: 'setting', setting }
  const schemas = readPlaces(statement)
  if (schemas) return { kind: 'places', schemas }
  const idle = idleSetting(statement)
  return idle && { kind: 'idle', ...idle }
}

/** A prepared statement. */
export interface Prepared {
  /** Folded. */
  readonly name: string
  readonly statement: Statement
  /** The statement with NULL for its parameters, for binding. */
  readonly bound: Filled
}

/**
 * Parses PREPARE; null for other statements.
 * @throws {EngineError} `sql-not-allowed` if its name or its statement is missing
 */
export function readPrepare(statement: Statement): Prepared | null {
  const { tokens, text } = statement
  const word = wordsOf(tokens)
  if (word(0) !== 'prepare') return null
  if (word(2) === '(') throw refused('PREPARE takes no types.', 'Leave them out, and cast the values: $1::INTEGER.')
  if (word(2) !== 'as' || !tokens[3])
    throw refused('PREPARE needs a name and a statement.', 'Write PREPARE name AS SELECT …, with ? or $1 for values.')
  if (/^(?:prepare|execute|deallocate)$/.test(word(3)) || readCommand(statementFrom(statement, 3)))
    throw refused('Only a statement that reads or changes tables can be prepared.', 'Run this one by itself.')
  const values = placeholders(tokens).map((use) => ({ ...use, text: 'NULL' }))
  return {
    name: foldIdentifier(tokens[1].text),
    statement: statementFrom(statement, 3),
    bound: edited(text, [{ from: 0, to: tokens[3].start, text: '' }, ...values]),
  }
}
