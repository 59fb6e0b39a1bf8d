import { formatCount } from '../../../lib/counts.ts'
import type { EngineError } from '../../errors.ts'
import { KEPT } from '../kept/place.ts'
import type { ObjectKind } from '../session-types.ts'
import type { Edit } from '../parameters.ts'
import { refused, refusedStatement } from './refusals.ts'
import { dottedAt, foldIdentifier, statementFrom, unquoted, wordsOf, type Statement, type Token } from '../statement.ts'
import { usedTemporaries, type FindTemporary } from './temporary-uses.ts'
import { guardTemporary, IN_TEMPORARY, TEMPORARY, temporaryPlace } from './temporary.ts'

/** A statement that changes objects which the session has created. */
export interface Change {
  readonly verb:
    | 'create'
    | 'insert'
    | 'update'
    | 'delete'
    | 'truncate'
    | 'merge'
    | 'drop'
    | 'alter'
    | 'comment'
    | 'set'
    | 'reset'
    | 'maintain'
  readonly kind: ObjectKind | 'variable'
  /** As written, without catalog and schema. */
  readonly name: string
  /** Folded. */
  readonly schema: string
  /**
   * The statement for the engine, of the same length, without TEMP, which would hide the object from the session's
   * other connections.
   */
  readonly text: string
  /** The query of a view. */
  readonly query: Statement | null
  /** Offset of RETURNING in `text`. */
  readonly returning: number | null
  /** Whether it has `IF EXISTS` or `IF NOT EXISTS`. */
  readonly conditional: boolean
}

/** Operators in the plans of such statements. `INSERT ... ON CONFLICT` is planned as a MERGE. */
export const CHANGING: ReadonlySet<string> = new Set([
  'ALTER',
  'CREATE_INDEX',
  'CREATE_MACRO',
  'CREATE_SCHEMA',
  'CREATE_SEQUENCE',
  'CREATE_TABLE',
  'CREATE_TYPE',
  'CREATE_VIEW',
  'DELETE',
  'DROP',
  'INSERT',
  'MERGE_INTO',
  'RESET',
  'SET',
  'UPDATE',
  'VACUUM',
])

/** The name of the persistent table that a change is about; null for others. */
export function keptName({ schema, name }: Change): string | null {
  return schema === KEPT ? unquoted(name) : null
}

/** Other names that a statement may use. */
export interface Surroundings {
  /** The session's own schemas besides `main`, folded. */
  readonly schemas: ReadonlySet<string>
  /** Workspaces with tables, folded. */
  readonly workspaces: ReadonlySet<string>
  /** The schema that something is in, or is to be made in, whose name stands by itself. */
  readonly schemaOf: (change: Pick<Change, 'verb' | 'kind' | 'name'>) => string
}

/** Catalogs of the session's own tables. */
const OWN_CATALOGS: ReadonlySet<string> = new Set(['memory', 'temp'])
/** The engine's own schemas. */
const KEPT_SCHEMAS: ReadonlySet<string> = new Set([
  TEMPORARY,
  'information_schema',
  'local',
  'main',
  'memory',
  KEPT,
  'pg_catalog',
  'system',
  'temp',
])

const KINDS: Readonly<Record<string, ObjectKind>> = {
  function: 'macro',
  index: 'index',
  macro: 'macro',
  schema: 'schema',
  sequence: 'sequence',
  table: 'table',
  type: 'type',
  view: 'view',
}
const ALTERED: ReadonlySet<string> = new Set(['table', 'view', 'sequence'])

/**
 * What a statement changes in the session; null if it only reads, or isn't SQL.
 * @throws {EngineError} `sql-not-allowed` for a statement that changes anything else
 */
export function readChange(statement: Statement, around: Surroundings): Change | null {
  const { tokens } = statement
  const verb = wordsOf(tokens)(0)
  const refusal = refusedStatement(statement)
  if (refusal) throw refusal
  const target = readTarget(statement)
  if (target) return { ...changeOf(statement, target, around), ...target.index }
  switch (verb) {
    case 'set':
    case 'reset':
      return { ...plain(statement, verb), kind: 'variable', name: tokens[2]?.text ?? '' }
    case 'vacuum':
    case 'analyze':
    case 'checkpoint':
    case 'force':
      return readMaintenance(statement, around)
    default:
      return null
  }
}

/**
 * Replaces the names of temporary things by those that they have here, where they're made, changed or, except for tables,
 * used. A name by itself means something temporary before others, whichever schema USE has named.
 * @param own what the session has
 * @throws {EngineError} `sql-not-allowed` as DuckDB, in whose `temp` is what is temporary, and nothing else
 */
export function temporaryEdits(statement: Statement, own: Temporaries): Edit[] {
  const target = readTarget(statement)
  const changed = target && statement.tokens[target.at] ? targetEdits(statement, target, own) : []
  const used = own.usesTemporary ? usedTemporaries(statement, own.findTemporary, target?.at) : []
  return [...changed, ...used].sort((a, b) => a.from - b.from)
}

/** The session's temporary things. */
interface Temporaries {
  /** Whether there's a table or view with a name. */
  readonly hasTemporary: (name: string) => boolean
  readonly findTemporary: FindTemporary
  /** Whether there may be macros, types or sequences. */
  readonly usesTemporary: boolean
}

function targetEdits(statement: Statement, target: Target, own: Temporaries): Edit[] {
  const { verb, kind, blanks = [] } = target
  const parts = ownParts(statement, target)
  const isMade = verb === 'create' && kind !== 'index'
  if (isMade) guardTemporary(parts, blanks.length > 0, kind)
  const [first] = parts
  const name = parts.at(-1)
  if (!first || !name || kind === 'schema') return []
  const isTable = kind === 'table' || kind === 'view' || kind === 'index'
  const named = unquoted(name.text)
  const goesFirst = isTable ? own.hasTemporary(named) : own.findTemporary(kind, named) === 'hiding'
  const isMeant = isMade ? blanks.length > 0 : goesFirst
  const place = temporaryPlace(parts)
  if (place === 'no' || (place === 'perhaps' && !isMeant)) return []
  return [{ from: first.start, to: name.start, text: IN_TEMPORARY }]
}

/** What a statement changes by its name; null for statements that change nothing, or name nothing. */
function readTarget({ tokens }: Statement): Target | null {
  const word = wordsOf(tokens)
  const verb = word(0)
  const rows = readRowChange(tokens, verb === 'with' ? mainVerb(tokens, word) : 0)
  if (rows) return rows
  switch (verb) {
    case 'create':
      return readCreate(tokens)
    case 'drop':
    case 'alter': {
      const kind = KINDS[word(1)]
      if (!kind || (verb === 'alter' && !ALTERED.has(kind))) throw onlyKinds(verb)
      const named = kind === 'macro' && word(2) === 'table' ? 3 : 2
      return { verb, kind, at: word(named) === 'if' ? named + 2 : named }
    }
    case 'comment': {
      const kind = word(2) === 'column' ? 'column' : KINDS[word(2)]
      if (!kind) throw onlyKinds(verb)
      return { verb, kind: kind === 'column' ? 'table' : kind, at: 3, inside: kind === 'column' }
    }
    default:
      return null
  }
}

/** Index of the verb after `WITH … AS (…)`: the first word after a closing parenthesis, outside of all parentheses. */
function mainVerb(tokens: readonly Token[], word: (i: number) => string): number {
  let depth = 0
  for (const [i, { text }] of tokens.entries()) {
    if (text === '(') depth++
    else if (text === ')') depth--
    else if (depth === 0 && tokens[i - 1]?.text === ')' && word(i) !== 'as' && word(i) !== ',') return i
  }
  return 0
}

/** @param at index of the verb's token */
function readRowChange(tokens: readonly Token[], at: number): Target | null {
  const word = wordsOf(tokens)
  const of = (verb: Change['verb'], target: number): Target => ({ verb, kind: 'table', at: target })
  switch (word(at)) {
    case 'insert': {
      const into = tokens.findIndex((_, i) => i > at && word(i) === 'into')
      return into < 0 || into > at + 3 ? null : of('insert', into + 1)
    }
    case 'update':
      return of('update', at + 1)
    case 'delete':
      return word(at + 1) === 'from' ? of('delete', at + 2) : null
    case 'merge':
      return word(at + 1) === 'into' ? of('merge', at + 2) : null
    case 'truncate':
      return of('truncate', word(at + 1) === 'table' ? at + 2 : at + 1)
    default:
      return null
  }
}

function readCreate(tokens: readonly Token[]): Target {
  const word = wordsOf(tokens)
  let at = 1
  if (word(at) === 'or' && word(at + 1) === 'replace') at += 2
  const blanks: Token[] = []
  if (word(at) === 'temp' || word(at) === 'temporary') blanks.push(tokens[at++])
  if (word(at) === 'unique' && word(at + 1) === 'index') at++
  const kind = KINDS[word(at)]
  if (!kind) throw onlyKinds('create')
  at++
  const conditional = word(at) === 'if'
  if (conditional) at += 3
  // An index belongs to its table's schema, and may have no name.
  const on = kind === 'index' ? tokens.findIndex((_, i) => i >= at && word(i) === 'on') : -1
  if (on < 0) return { verb: 'create', kind, at, blanks }
  return { verb: 'create', kind, at: on + 1, index: { name: tokens.slice(at, on).at(-1)?.text ?? '', conditional } }
}

/** A request for maintenance, such as CHECKPOINT or VACUUM. */
function readMaintenance(statement: Statement, around: Surroundings): Change {
  const { tokens } = statement
  const word = wordsOf(tokens)
  const all = /^(?:(?:vacuum|vacuum analyze|analyze|(?:force )?checkpoint)(?: memory)?)$/
  if (all.test(tokens.map((_, i) => word(i)).join(' ')))
    return { ...plain(statement, 'maintain'), kind: 'table', name: '' }
  if (word(0) === 'checkpoint' || word(0) === 'force')
    throw refused('CHECKPOINT applies only to the tables of this tab.', 'Leave out the name after it.')
  return changeOf(statement, { verb: 'maintain', kind: 'table', at: word(1) === 'analyze' ? 2 : 1 }, around)
}

function plain({ text }: Statement, verb: Change['verb']): Omit<Change, 'kind' | 'name'> {
  return { verb, schema: 'main', text, query: null, returning: null, conditional: false }
}

interface Target {
  readonly verb: Change['verb']
  readonly kind: ObjectKind
  /** Index of the token where the name begins. */
  readonly at: number
  readonly blanks?: readonly Token[]
  /** Whether the last part of the name is a part of the object, such as a column. */
  readonly inside?: boolean
  /** Of an index, whose own name isn't at `at`: its table's is. */
  readonly index?: Pick<Change, 'name' | 'conditional'>
}

/** The parts of a target's name. */
function ownParts(statement: Statement, { at, inside = false }: Target): readonly Token[] {
  const { parts } = dottedAt(statement, at)
  return inside ? parts.slice(0, -1) : parts
}

function changeOf(statement: Statement, target: Target, around: Surroundings): Change {
  const { verb, kind, at, blanks = [] } = target
  const { tokens, text } = statement
  if (!tokens[at]) {
    const what = verb === 'maintain' ? 'table' : kind
    throw refused(`${tokens[0].text.toUpperCase()} needs a name.`, `Name the ${what} that it’s about.`)
  }
  const { last, written } = dottedAt(statement, at)
  const own = ownParts(statement, target)
  const places = own.slice(0, -1).map(({ text: part }) => foldIdentifier(part))
  const [name] = own.slice(-1)
  if (!isOwn(places, around) || (kind === 'schema' && isKept(foldIdentifier(name.text), around)))
    throw notOwn(written, places, kind, around)
  const as = tokens.findIndex((token, i) => i > last && token.kind === 'keyword' && /^as$/i.test(token.text))
  const query = kind === 'view' && verb === 'create' && as > 0 && tokens[as + 1] ? as + 1 : null
  const returning = tokens.find((token, i) => i > last && token.kind === 'keyword' && /^returning$/i.test(token.text))
  return {
    verb,
    kind,
    name: name.text,
    schema: places.findLast((place) => !OWN_CATALOGS.has(place)) ?? around.schemaOf({ verb, kind, name: name.text }),
    text: blank(text, blanks),
    query: query === null ? null : statementFrom(statement, query),
    returning: returning?.start ?? null,
    conditional: /^exists$/i.test(tokens[at - 1].text),
  }
}

/** Whether a name's qualifiers are the session's own catalog and schemas. */
function isOwn(places: readonly string[], { schemas }: Surroundings): boolean {
  const isSchema = (name: string): boolean => name === 'main' || schemas.has(name)
  const [first, second] = places
  if (first === undefined) return true
  if (second === undefined) return OWN_CATALOGS.has(first) || isSchema(first)
  return places.length === 2 && OWN_CATALOGS.has(first) && isSchema(second)
}

function isKept(schema: string, { workspaces }: Surroundings): boolean {
  return KEPT_SCHEMAS.has(schema) || workspaces.has(schema)
}

/** Overwrites tokens with blanks, so that all other offsets stay the same. */
function blank(text: string, tokens: readonly Token[]): string {
  let result = text
  for (const { start, text: own } of tokens) {
    result = result.slice(0, start) + ' '.repeat(own.length) + result.slice(start + own.length)
  }
  return result
}

function notOwn(
  written: string,
  [first]: readonly string[],
  kind: ObjectKind,
  { workspaces }: Surroundings,
): EngineError {
  if (kind === 'schema' && first === undefined)
    return refused(`The name ${written} isn’t free for a schema of your own.`, 'Choose another name.')
  if (first !== undefined && first !== 'local' && !workspaces.has(first))
    return refused(`There is no schema ${first} of your own.`, `Make it first: CREATE SCHEMA ${first}.`)
  const what = first === 'local' ? 'local files' : 'datasets'
  return refused(
    `${written} can’t be changed: ${what} are read-only here.`,
    kind === 'table' || kind === 'view'
      ? `Work on a copy: CREATE TABLE my_copy AS FROM ${written}. It’s temporary; to keep it, export it or save it as a dataset.`
      : 'Leave out what stands before its last point: what you make yourself needs no workspace.',
  )
}

function onlyKinds(verb: string): EngineError {
  const kinds = verb === 'alter' ? ALTERED : Object.keys(KINDS).filter((kind) => kind !== 'function')
  const names = [...kinds].map((kind) => kind.toUpperCase())
  return refused(
    `${verb.toUpperCase()} works for what you make in this tab alone.`,
    `Use ${verb === 'comment' ? 'COMMENT ON' : verb.toUpperCase()} ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`,
  )
}

/**
 * The message after a change.
 * @param idle whether `IF EXISTS` or the like made it do nothing
 * @param pending whether a transaction is still open
 */
export function changeMessage(change: Change, count: number, idle: boolean, pending: boolean): string {
  const { verb, kind, name } = change
  if (verb === 'maintain') return 'There was nothing to do: the tables of this tab are in memory.'
  const stays = change.schema === KEPT
  const temporary = !stays && (kind === 'table' || kind === 'view') ? 'temporary ' : ''
  const thing = `${temporary}${kind}${name === '' ? '' : ` ${stays ? `${KEPT}.` : ''}${name}`}`
  if (idle) return `Nothing was changed: there is ${verb === 'create' ? 'already a' : 'no'} ${thing}.`
  const rows = count === 1 ? '1 row' : `${formatCount(count)} rows`
  const what = `the ${thing}`
  const gone = stays
    ? `which stays in this browser${pending ? ' once it’s committed' : ''}`
    : 'which is gone when this tab closes'
  switch (verb) {
    case 'create':
      return `Created ${what}${count > 0 ? ` with ${rows}` : ''}, ${gone}.`
    case 'insert':
      return `Added ${rows} to ${what}, ${gone}.`
    case 'update':
    case 'merge':
      return `Changed ${rows} of ${what}, ${gone}.`
    case 'delete':
    case 'truncate':
      return `Removed ${rows} of ${what}.`
    case 'drop':
      return `Removed ${what}.`
    case 'alter':
      return `Changed ${what}, ${gone}.`
    case 'comment':
      return `Set the comment on ${what}, ${gone}.`
    case 'set':
      return `Set ${what}, ${gone}.`
    case 'reset':
      return `Emptied ${what}.`
  }
}
