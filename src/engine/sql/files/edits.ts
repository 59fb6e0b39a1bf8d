import { foldName } from '../../../lib/names.ts'
import { quoteIdentifier, quoteName, quoteReference, quoteText } from '../../../lib/duckdb-sql/names.ts'
import { plural } from '../../../lib/counts.ts'
import { EngineError } from '../../errors.ts'
import type { Edit } from '../parameters.ts'
import { closest } from '../problems/near.ts'
import { IN_TEMPORARY, temporaryPlace } from '../gate/temporary.ts'
import { refused } from '../gate/refusals.ts'
import type { LocalTable } from '../session-types.ts'
import { dottedAt, foldIdentifier, unquoted, type Statement } from '../statement.ts'
import { columnEdits, type Qualified } from './columns.ts'
import { argumentsAt, stringOf, type Arguments, type Literal } from './literals.ts'
import { readOptions, type ReadColumn, type Reading } from './options.ts'
import { hasWildcards, looksLikePath, pathsMeant } from './paths.ts'
import { assertKind, FILE_FUNCTIONS, noBytes, OF_BYTES, READERS } from './readers.ts'
import { isCte, lacksAlias, relationStarts } from './relations.ts'
import { stemOf } from '../../../tables/file-names.ts'

/* Files that a statement names by their paths, as the local tables that were made of them. */

/** Statements about files of the engine's own, which aren't run: what they say of it is clearer. */
const OTHERS = new Set(['attach', 'copy', 'detach', 'export', 'import', 'install', 'load'])
/** Tables that a note names. */
const NAMED = 4
const SUGGESTIONS = 3

interface FileEdits {
  readonly edits: readonly Edit[]
  /** What the statement's paths and bare names mean, a sentence each. */
  readonly notes: readonly string[]
  /** Whether a path is a parameter's, and the parameter has no value yet. */
  readonly open: boolean
}

/** What the session itself has, which goes before files. */
export interface OwnNames {
  readonly hasTable: (name: string) => boolean
  readonly hasTemporary: (name: string) => boolean
  readonly hasSchema: (name: string) => boolean
}

/** A local table that was made of a file. */
type Dropped = LocalTable & Required<Pick<LocalTable, 'file'>>

/**
 * Puts the tables that were made of files in the place of their paths: `'orders.csv'`, `'sales/*.parquet'`,
 * `read_csv('orders.csv')`, `glob('*.csv')`; and of the names that tables of a DuckDB file have: `shop.orders`.
 * @throws {EngineError} `sql-not-allowed`, with `details: {from, to}`, for files that aren't here, and options that they
 * weren't read by
 */
export function fileEdits(statement: Statement, locals: readonly LocalTable[], own: OwnNames): FileEdits {
  const { tokens } = statement
  const edits: Edit[] = []
  const notes: string[] = []
  const dropped = locals.filter((table): table is Dropped => table.file !== undefined)
  if (OTHERS.has(tokens[0].text.toLowerCase())) return { edits, notes, open: false }
  let open = false
  const qualified: Qualified[] = []
  const names = new Map(locals.map((table) => [foldName(table.name), table]))
  for (const at of relationStarts(statement)) {
    const found =
      readerAt(statement, at, dropped) ??
      databaseAt(statement, at, dropped, own) ??
      temporaryAt(statement, at, own) ??
      pathAt(statement, at, dropped, (name) => names.has(foldName(name)) || own.hasTable(name))
    if (found) edits.push(found.edit)
    if (found?.qualified) qualified.push(found.qualified)
    if (!found) open ||= lacksPath(statement, at)
    const note = found ? found.note : bareName(statement, at, names, own)
    if (note !== null && !notes.includes(note)) notes.push(note)
  }
  edits.push(...columnEdits(statement, qualified, edits))
  return { edits: edits.sort((a, b) => a.from - b.from), notes, open }
}

/** A function that reads files, without a path: parameters without values are NULL. */
function lacksPath({ tokens }: Statement, at: number): boolean {
  const [name, bracket] = tokens.slice(at, at + 2)
  if (bracket?.text !== '(' || !FILE_FUNCTIONS.includes(foldIdentifier(name.text))) return false
  const [path] = argumentsAt(tokens, at + 1)?.plain ?? []
  return path === null || (Array.isArray(path) && path.includes(null))
}

interface Found {
  readonly edit: Edit
  readonly note: string | null
  readonly qualified?: Qualified
}

/** A name by itself that is a local table's. */
function bareName(
  { tokens }: Statement,
  at: number,
  names: ReadonlyMap<string, LocalTable>,
  own: OwnNames,
): string | null {
  const { text, kind } = tokens[at]
  const next = tokens[at + 1]?.text
  if (kind === 'string' || next === '.' || next === '(') return null
  const table = names.get(foldIdentifier(text))
  if (!table || isCte(tokens, at) || own.hasTable(unquoted(text))) return null
  return `${quoteName(table.name)} is the local table ${referenceTo(table)}.`
}

/** A DuckDB file's table by the names that it has when DuckDB attaches the file: `shop.orders`, `shop.sales.orders`. */
function databaseAt(statement: Statement, at: number, dropped: readonly Dropped[], own: OwnNames): Found | null {
  const { last, written, parts } = dottedAt(statement, at)
  if (parts.length < 2 || parts.length > 3 || parts[0].kind === 'string' || statement.tokens[last + 1]?.text === '(')
    return null
  const [file, ...names] = parts.map(({ text }) => foldIdentifier(text))
  const [schema, table] = names.length === 1 ? ['main', ...names] : names
  const meant = dropped.filter(
    ({ file: { path }, database }) =>
      database &&
      foldName(stemOf(path)) === file &&
      foldName(database.schema) === schema &&
      foldName(database.table) === table,
  )
  if (meant.length === 0 || own.hasSchema(file)) return null
  const { start } = parts[0]
  const place = { from: start, to: start + written.length }
  return within(place, () => {
    if (meant.length > 1)
      throw refused(
        `${written} is several tables: ${meant.map(referenceTo).join(', ')}.`,
        'Name the one that you mean.',
      )
    const alias = unquoted(parts[parts.length - 1].text)
    const short = schema === 'main' ? [[file, table]] : []
    const prefixes = [[file, schema, table], ...short, [schema, table]]
    return {
      edit: { ...place, text: inClause(statement, at, last, placeOf(meant[0]), alias) },
      note: noteOf(written, meant),
      ...(lacksAlias(statement, last) ? { qualified: { name: alias, prefixes } } : {}),
    }
  })
}

/** The names that tables of DuckDB files have when DuckDB attaches the files, as statements write them. */
export function databaseNames(locals: readonly LocalTable[]): string[] {
  return locals.flatMap(({ file, database }) => {
    if (!file || !database) return []
    const { schema, table } = database
    return [quoteReference([stemOf(file.path), ...(schema === 'main' ? [] : [schema]), table])]
  })
}

/** A temporary table, which isn't in DuckDB's catalog of these here. */
function temporaryAt(statement: Statement, at: number, own: OwnNames): Found | null {
  const { tokens } = statement
  const { parts, last } = dottedAt(statement, at)
  const name = parts[parts.length - 1]
  if (temporaryPlace(parts) === 'no' || tokens[last + 1]?.text === '(') return null
  if (name.kind === 'string' || !own.hasTemporary(unquoted(name.text)) || (parts.length === 1 && isCte(tokens, at)))
    return null
  const table = unquoted(name.text)
  const prefixes = [['temp', 'main'], ['temp'], ['main']].map((place) => [...place, foldName(table)])
  return {
    edit: { from: parts[0].start, to: name.start, text: IN_TEMPORARY },
    note: null,
    ...(lacksAlias(statement, last) ? { qualified: { name: table, prefixes } } : {}),
  }
}

/** A path in quotes, or one of words and dots. */
function pathAt(
  statement: Statement,
  at: number,
  dropped: readonly Dropped[],
  isTable: (name: string) => boolean,
): Found | null {
  const { tokens } = statement
  const token = tokens[at]
  const string = stringOf(token)
  if (token.kind === 'string') {
    if (!string || !looksLikePath(string.value) || isTable(string.value)) return null
    const place = { from: token.start, to: token.start + string.length }
    return inPlace(statement, at, place, string.value, at, dropped)
  }
  const { last, written, parts } = dottedAt(statement, at)
  if (tokens[last + 1]?.text === '(') return null
  const path = parts.map(({ text }) => unquoted(text)).join('.')
  const isFile = looksLikePath(path) && dropped.some(({ file }) => file.path.split('/').at(-1) === path)
  if (!isFile || isTable(path) || (parts.length === 1 && isCte(tokens, at))) return null
  return inPlace(statement, at, { from: token.start, to: token.start + written.length }, path, last, dropped)
}

function inPlace(
  statement: Statement,
  at: number,
  place: Pick<Edit, 'from' | 'to'>,
  path: string,
  last: number,
  dropped: readonly Dropped[],
): Found {
  const tables = within(place, () => tablesOf(path, dropped, null))
  const text = within(place, () => relationOf(tables, readOptions('The file', new Map(), [])))
  return { edit: { ...place, text: inClause(statement, at, last, text, path) }, note: noteOf(path, tables) }
}

/** A function that reads files. Null where its path is no text: the plan has the word. */
function readerAt(statement: Statement, at: number, dropped: readonly Dropped[]): Found | null {
  const { tokens } = statement
  const token = tokens[at]
  const name = foldIdentifier(token.text)
  const isGlob = name === 'glob'
  if (
    token.kind === 'string' ||
    tokens[at + 1]?.text !== '(' ||
    !(isGlob || Object.hasOwn(READERS, name) || OF_BYTES.has(name))
  )
    return null
  const given = argumentsAt(tokens, at + 1)
  if (OF_BYTES.has(name))
    return within(
      { from: token.start, to: (given ? tokens[given.last] : token).start + (given ? 1 : token.text.length) },
      () => noBytes(name),
    )
  const paths = given && pathsOf(given.plain)
  if (!paths) return null
  const close = tokens[given.last]
  const place = { from: token.start, to: close.start + 1 }
  if (isGlob) {
    const list = within(place, () => listOf(paths, dropped))
    return { edit: { ...place, text: inClause(statement, at, given.last, list, name) }, note: null }
  }
  return within(place, () => {
    const sheet = given.named.get('sheet')
    const tables = paths.flatMap((path) => tablesOf(path, dropped, typeof sheet === 'string' ? sheet : null))
    const files = tables.map(({ file }) => file)
    assertKind(name, files)
    const text = relationOf(tables, readOptions(name, optionsOf(name, given), files))
    const note = noteOf(paths.join(', '), tables)
    return { edit: { ...place, text: inClause(statement, at, given.last, text, name) }, note }
  })
}

/** The one argument of a function that reads files: a path, or a list of them. */
function pathsOf(plain: readonly (Literal | undefined)[]): string[] | null {
  const [first, ...others] = plain
  const paths = Array.isArray(first) ? (first as readonly Literal[]) : [first]
  if (others.length > 0 || paths.length === 0) return null
  return paths.every((path) => typeof path === 'string') ? [...paths] : null
}

function optionsOf(name: string, { named }: Arguments): Map<string, Literal> {
  const options = new Map<string, Literal>()
  for (const [option, value] of named) {
    if (value === undefined)
      throw refused(
        `${option} of ${name} isn’t written as a value.`,
        'Write texts in quotes, numbers, lists and the like.',
      )
    options.set(option, value)
  }
  return options
}

/**
 * The tables that were made of the files that a path means.
 * @param sheet of files that are several tables, the one that is meant
 */
function tablesOf(path: string, dropped: readonly Dropped[], sheet: string | null): Dropped[] {
  if (/^[a-z][\w+.-]+:\/\//i.test(path) && !/^file:/i.test(path))
    throw refused(
      'A statement can’t read files or addresses, only tables.',
      'Download the file, and drop it on this screen.',
    )
  const known = [...new Set(dropped.map(({ file }) => file.path))]
  const meant = pathsMeant(path, known).sort()
  if (meant.length === 0) throw notHere(path, known)
  if (meant.length > 1 && !hasWildcards(path))
    throw refused(`Several files here are called ${path}: ${meant.join(', ')}.`, 'Write its folder, too.')
  return meant.map((each) => {
    const tables = dropped.filter(({ file }) => file.path === each)
    const own =
      sheet === null ? tables : tables.filter(({ file }) => file.table === null || sameName(file.table, sheet))
    const [table, ...others] = own
    const listed = tables.map(referenceTo).join(', ')
    if (!table) throw refused(`${each} has no sheet ${sheet}. Its tables are ${listed}.`, 'Name one of these.')
    if (others.length === 0) return table
    const what = others.some(({ file }) => file.table === table.file.table)
      ? `${each} was dropped more than once`
      : `${each} is several tables`
    throw refused(`${what}: ${listed}.`, 'Name the table that you mean.')
  })
}

const sameName = (a: string, b: string): boolean => foldName(a) === foldName(b)

function notHere(path: string, known: readonly string[]): EngineError {
  const candidates = known.map((each) => ({ name: each.split('/').at(-1) ?? each, whole: `'${each}'` }))
  const near = hasWildcards(path)
    ? []
    : closest(quoteIdentifier(path.split(/[/\\]/).at(-1) ?? path), candidates, SUGGESTIONS)
  const what = hasWildcards(path) ? `No file that ${path} fits is here` : `No file ${path} is here`
  return new EngineError('sql-not-allowed', `${what}: drop it on this screen.`, {
    remedy:
      near.length > 0
        ? `Did you mean ${near.join(' or ')}?`
        : 'Files stay in this browser, and their names can be used in statements from then on.',
    details: { suggestions: near, path },
  })
}

/** The tables as one, for a FROM clause. */
function relationOf(tables: readonly Dropped[], reading: Reading): string {
  const selects = tables.map((table) => ({ table, text: selectOf(table, reading) }))
  const [only, ...others] = selects
  if (others.length === 0 && only.text === null) return placeOf(only.table)
  const rows = selects.map(({ table, text }) => text ?? `FROM ${placeOf(table)}`)
  return `(${rows.join(unionOf(tables, reading))})`
}

/** How rows of several files become those of one table. */
function unionOf(tables: readonly Dropped[], { byName, columns }: Reading): string {
  if (byName) return ' UNION ALL BY NAME '
  const names = tables.map(({ file }) => (columns(file) ?? file.columns).map(({ name }) => foldName(name)))
  const [first] = names
  const other = names.findIndex((own) => own.length !== first.length || !own.every((name) => first.includes(name)))
  if (other >= 0) {
    throw refused(
      `${tables[0].file.path} and ${tables[other].file.path} have different columns.`,
      'To put them together all the same, read them with union_by_name = true.',
    )
  }
  const inOrder = names.every((own) => own.every((name, i) => name === first[i]))
  return inOrder ? ' UNION ALL ' : ' UNION ALL BY NAME '
}

/** Null: all its columns as they are. */
function selectOf(table: Dropped, { pathColumn, numbered, columns }: Reading): string | null {
  const own = columns(table.file)
  if (own === null && pathColumn === null && !numbered) return null
  const path = quoteText(table.file.path)
  const items = [
    ...(own?.map(itemOf) ?? ['*']),
    ...(numbered ? ['row_number() OVER () - 1 AS file_row_number'] : []),
    ...(pathColumn === null ? [] : [`${path} AS ${quoteIdentifier(pathColumn)}`]),
  ]
  return `SELECT ${items.join(', ')} FROM ${placeOf(table)}`
}

function itemOf({ from, name, type, cast }: ReadColumn): string {
  const value = quoteIdentifier(from)
  return `${cast ? `CAST(${value} AS ${type})` : value} AS ${quoteIdentifier(name)}`
}

const placeOf = ({ name }: LocalTable): string => `local.main.${quoteIdentifier(name)}`

/** What `glob` gives. */
function listOf(patterns: readonly string[], dropped: readonly Dropped[]): string {
  const known = [...new Set(dropped.map(({ file }) => file.path))]
  const found = patterns.flatMap((pattern) => {
    const meant = pathsMeant(pattern, known)
    if (meant.length === 0) throw notHere(pattern, known)
    return meant
  })
  const texts = [...new Set(found)].sort().map(quoteText)
  return `(SELECT unnest([${texts.join(', ')}]::VARCHAR[]) AS file)`
}

/**
 * A relation where the statement has a path or a function, between two of its tokens. The engine calls a file by its name
 * without what follows the first dot, and a function by its own.
 */
function inClause(statement: Statement, first: number, last: number, relation: string, path: string): string {
  const before = statement.tokens[first - 1]?.text.toLowerCase() ?? ''
  // After these a name or a query stands, and no alias.
  if (/^(?:describe|show|summarize)$/.test(before)) return relation.startsWith('(') ? `FROM ${relation}` : relation
  const name = path.split(/[/\\]/).at(-1)?.split('.')[0] ?? ''
  const aliased = /^(?:from|join|lateral|using|,|\()$/.test(before) && lacksAlias(statement, last) && name !== ''
  return aliased ? `${relation} AS ${quoteIdentifier(name)}` : relation
}

const referenceTo = ({ name }: LocalTable): string => quoteReference(['local', name])

function noteOf(path: string, tables: readonly Dropped[]): string {
  if (tables.length === 1) return `${path} is the local table ${referenceTo(tables[0])}.`
  const more = tables.length - NAMED
  const listed = tables.slice(0, NAMED).map(referenceTo).join(', ')
  return `${path} is ${plural(tables.length, 'local table')}: ${listed}${more > 0 ? ` and ${more} more` : ''}.`
}

/** Says of what goes wrong which part of the statement it is about. */
function within<T>(place: Pick<Edit, 'from' | 'to'>, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const details = error.details as object | undefined
    throw error.with({ details: { suggestions: [], ...details, from: place.from, to: place.to } })
  }
}
