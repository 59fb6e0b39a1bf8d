import type { RecordBatch } from 'apache-arrow'
import { foldName } from '../../lib/names.ts'
import { quoteReference, quoteText } from '../../lib/duckdb-sql/names.ts'
import { EngineError } from '../errors.ts'
import type { Connection, Database } from '../storage/database.ts'
import { guardFunctions, guardWords, scannedTables, type PlanNode } from './gate/authorize.ts'
import { CATALOG_OPERATORS, guardCalls } from './gate/catalog-functions.ts'
import { guardKept } from './gate/kept.ts'
import { TEMPORARY } from './gate/temporary.ts'
import { guardMixedJoins } from './gate/mixed-joins.ts'
import type { Catalog } from './catalog.ts'
import { statementError, unknownTable } from './problems/errors.ts'
import { described, EXPLAIN_COLUMNS, isDescribing, readExplain } from './explain/explain.ts'
import { CHANGING, readChange, temporaryEdits, type Change, type Surroundings } from './gate/changes.ts'
import { databaseNames, fileEdits, type OwnNames } from './files/edits.ts'
import { jsonEdits } from './functions/json/edits.ts'
import { engineName } from './functions/own-names.ts'
import type { TimeZone } from './functions/zones/zone.ts'
import { zoneEdits } from './functions/zones/edits.ts'
import { truncEdits } from './functions/date-trunc.ts'
import { edited, fillIn, over, type Edit } from './parameters.ts'
import { OwnObjects } from './gate/own-objects.ts'
import { withColumns } from './problems/columns.ts'
import { failureOf, placedIn, problemOf, type Written } from './problems/problems.ts'
import { RecentMap } from './recent-map.ts'
import { refused } from './gate/refusals.ts'
import { readCommand, readPrepare } from './gate/commands.ts'
import { rewrite, type Rewritten } from './rewrite.ts'
import type { SessionState } from './session-state.ts'
import type { ParameterValue, ResultColumn, SqlProblem } from './session-types.ts'
import { textRows } from './text-rows.ts'
import { foldIdentifier, oneStatement, parameterUses, unquoted, wordsOf, type Statement } from './statement.ts'

const NONE: ReadonlySet<string> = new Set()
/** Name of a prepared statement whose types are determined. */
const RETURNED = '__returned'

/**
 * Decides what a statement may do, and what is wrong with it, without running it. Uses its own connection, so it works
 * while another statement runs.
 */
export class Binder {
  private readonly db: Database
  private readonly checker: Connection
  private readonly catalog: Catalog
  private readonly readOnly: boolean
  private readonly state: SessionState
  readonly own: OwnObjects
  /** Parsed statements by text, which nothing else can change. */
  private readonly parsed = new RecentMap<Statement>()
  /** Statements after rewriting, until `forget`, as long as nothing else affects their meaning. */
  private readonly written = new RecentMap<WrittenBefore>()
  /** The columns of reading statements that were admitted, until `forget` or until the catalog has other views. */
  private readonly bound = new RecentMap<readonly ResultColumn[]>()

  /** @param readOnly no statement may change anything, and errors reveal no names other than the statement's */
  constructor(db: Database, checker: Connection, catalog: Catalog, state: SessionState, readOnly: boolean) {
    this.db = db
    this.state = state
    this.own = new OwnObjects((sql) => (state.seeing ? db.askGuest(sql) : db.run(sql)).flatMap(textRows))
    this.checker = checker
    this.catalog = catalog
    this.readOnly = readOnly
    catalog.onChange = () => this.bound.clear()
  }

  /** Call whenever a statement may have changed the session's objects. */
  forget(): void {
    this.bound.clear()
    this.written.clear()
    this.own.forget()
  }

  /**
   * Parses the statement in a text, with values for its parameters.
   * @param values null if none are known yet
   * @throws {EngineError} as `fillIn`, `oneStatement` and `guardWords`
   */
  read(sql: string, values: Readonly<Record<string, ParameterValue>> | null): Written {
    const given = this.parse(sql)
    if (this.readOnly) {
      guardWords(given)
      return this.withOwnFunctions({
        statement: given,
        filled: edited(given.text, []),
        text: given.text,
        toEngine: (part) => part,
      })
    }
    const { prepared, zone } = this.state
    const { locals } = this.catalog
    const before = this.written.get(sql)
    if (before?.locals === locals && before.zone === zone.zone) return before.written
    const uses = parameterUses(given.tokens)
    let filled = fillIn(given.text, uses, values)
    let statement = uses.length === 0 ? given : this.parse(filled.text)
    const prepares = readPrepare(statement)
    let next: Rewritten | null = prepares?.bound ?? rewrite(statement, prepared)
    const { named } = next ?? {}
    const rewritten = next !== null
    for (; next; next = rewrite(statement, prepared)) {
      filled = over(filled, next)
      statement = this.parse(next.text)
    }
    const finished = (own: Statement): Written => {
      const begun = { statement: own, filled, text: given.text, toEngine: (part: string) => part }
      const placed = this.withEdits(begun, temporaryEdits(own, this.own))
      return this.withFiles(this.withOwnFunctions({ ...placed, ...(prepares ? { prepares } : {}) }))
    }
    const names = named === undefined ? {} : { named: finished(this.parse(named)).statement }
    const written = { ...finished(statement), ...names }
    if (uses.length === 0 && !rewritten) this.written.set(sql, { locals, zone: zone.zone, written })
    return written
  }

  /** Adapts calls of our own functions to what they need. */
  private withOwnFunctions(written: Written): Written {
    try {
      const cut = this.withEdits(written, truncEdits(written.statement))
      const json = this.withEdits(cut, jsonEdits(cut.statement))
      return this.withEdits(json, zoneEdits(json.statement, this.readOnly ? null : this.state.zone.zone))
    } catch (error) {
      if (error instanceof EngineError) throw error
      // The functions' own errors, about invalid JSON paths.
      throw new EngineError('sql-error', (error as Error).message)
    }
  }

  private withEdits(written: Written, edits: readonly Edit[]): Written {
    if (edits.length === 0) return written
    const filled = edited(written.statement.text, edits)
    return { ...written, statement: this.parse(filled.text), filled: over(written.filled, filled) }
  }

  /** Replaces file names by the tables that were made from the files. */
  private withFiles(written: Written): Written {
    const own: OwnNames = {
      hasTable: (name) => this.own.hasTable(name),
      hasTemporary: (name) => this.own.hasTemporary(name),
      hasSchema: (name) => this.own.schemas().has(foldName(name)),
    }
    try {
      const { edits, ...found } = fileEdits(written.statement, this.catalog.locals, own)
      if (edits.length === 0) return { ...written, ...found }
      const filled = edited(written.statement.text, edits)
      return { ...written, ...found, statement: this.parse(filled.text), filled: over(written.filled, filled) }
    } catch (error) {
      throw placedIn(written, error)
    }
  }

  private parse(sql: string): Statement {
    const known = this.parsed.get(sql)
    if (known) return known
    const statement = oneStatement(sql, this.db.bindings.tokenize(sql))
    this.parsed.set(sql, statement)
    return statement
  }

  /**
   * Authorizes a statement, and returns the columns of one that reads. Results are cached, since binding takes
   * milliseconds, as much as running many a statement.
   * @throws {EngineError} as `authorize`
   */
  admit(written: Written): Admitted {
    const { statement, toEngine } = written
    const text = [statement.text, toEngine(statement.text), written.named?.text ?? ''].join('\0')
    const known = this.bound.get(text)
    if (known) return { columns: known }
    const change = this.authorize(written)
    if (change) return change
    if (readExplain(statement, !this.readOnly)) return { columns: EXPLAIN_COLUMNS }
    const columns = this.columns(written)
    // A pivot's columns depend on the rows, which may change.
    if (!pivots(statement)) this.bound.set(text, columns)
    return { columns }
  }

  /**
   * What a statement changes in the session; null for one that reads. It has been checked to do nothing else.
   * @throws {EngineError} `sql-not-allowed`, `sql-error`, `unknown-table`
   */
  authorize(written: Written): Change | null {
    const { statement } = written
    const change = this.readChange(statement)
    this.guard(statement)
    if (change) {
      this.bindChange(change, statement, written)
      return change
    }
    const explained = readExplain(statement, !this.readOnly)
    const planned = explained && this.readChange(explained.statement)
    if (explained && planned) {
      if (explained.analyze) throw notRunToExplain()
      this.bindChange(planned, explained.statement, written)
    } else if (explained) this.bind(explained.statement, written)
    else {
      const inner = described(statement)
      if (inner) this.bind(inner, written)
      this.bind(statement, written)
    }
    return null
  }

  /** What a statement changes in the session, judging by its words. */
  readChange(statement: Statement): Change | null {
    if (this.readOnly) return null
    const { own, catalog, state } = this
    const around: Surroundings = {
      get schemas() {
        return own.schemas()
      },
      get workspaces() {
        return new Set(catalog.all.map(({ workspace }) => foldName(workspace)))
      },
      schemaOf: (named) => own.schemaOf(named, state.schema),
    }
    const change = readChange(statement, around)
    if (change) guardKept(change, statement)
    return change
  }

  private guard(statement: Statement): void {
    if (this.readOnly) guardFunctions(statement)
    else guardCalls(statement, (sql) => this.parse(sql))
  }

  /** Checks that a change does nothing else. */
  private bindChange(change: Change, statement: Statement, written: Written): void {
    const { verb, query, name, schema } = change
    if (this.own.isBuiltIn(change))
      throw refused(`${name} is one of the engine’s own macros.`, 'Give yours another name, or a schema of your own.')
    // Unqualified names also find local tables, whose views a statement mustn't change.
    if (verb !== 'create' && isTable(change) && this.catalog.hasLocal(foldIdentifier(name)) && !this.own.has(change))
      throw refused(
        `${name} is the local table ${quoteReference(['local', unquoted(name)])}, which statements don’t change.`,
        `Make a table of it first: CREATE TABLE ${name} AS FROM ${quoteReference(['local', unquoted(name)])}.`,
      )
    // DuckDB can't explain these; they contain nothing but names.
    if (verb === 'comment' || verb === 'maintain') return
    if (verb === 'create' && schema === TEMPORARY && !isTable(change)) this.own.usesTemporary = true
    this.bind({ ...statement, text: withoutReturning(change) }, written, CHANGING)
    // The plan of CREATE VIEW doesn't include its query.
    if (query) this.bind(query, written)
  }

  /**
   * The types of a change's RETURNING clause, determined by preparing it. Uses the connection that runs statements,
   * since DuckDB 1.4 can plan some changes only with its optimizer.
   */
  returningTypes(change: Change, written: Written): string[] {
    const { guest } = this.db
    const prepare = `PREPARE ${RETURNED} AS\n`
    try {
      const text = written.toEngine(change.text)
      guest.query(prepare + (change.verb === 'merge' ? mergedRows(text, written.statement, change) : text))
    } catch (error) {
      throw this.failure(error, written, prepare.length)
    }
    const types = guest.query(
      `SELECT unnest(result_types) FROM duckdb_prepared_statements() WHERE name = '${RETURNED}'`,
    )
    guest.query(`DEALLOCATE ${RETURNED}`)
    return types.flatMap(textRows).map(([type]) => type)
  }

  /** Checks that a statement's plan only reads tables that it may use. */
  private bind(part: Statement, written: Written, also: ReadonlySet<string> = NONE): void {
    const plans = this.query('EXPLAIN (FORMAT JSON)\n', part, '', written).flatMap(textRows)
    const bound = plans.find(([stage]) => stage === 'logical_plan')
    if (!bound) throw new EngineError('internal', 'The engine gave no plan.')
    const { readable } = this.catalog
    let temporary: ReadonlySet<string> | null = null
    const more = this.readOnly ? also : new Set([...also, ...CATALOG_OPERATORS])
    const plan = JSON.parse(bound[1]) as PlanNode[]
    guardMixedJoins(plan, part, () => (this.readOnly ? [] : this.own.bodies()))
    for (const table of scannedTables(plan, more)) {
      if (readable.has(table)) continue
      temporary ??= new Set(this.readOnly ? [] : this.own.scannedNames())
      if (!temporary.has(table)) throw unknownTable('that the statement reads')
    }
  }

  /** Names and types of the columns of a reading statement. */
  private columns(written: Written): ResultColumn[] {
    const { statement } = written
    const batches = isDescribing(statement)
      ? this.query('DESCRIBE FROM (\n', statement, '\n)', written)
      : this.query('DESCRIBE ', statement, '', written)
    const columns = batches.flatMap(textRows).map(([name, type]) => ({ name: engineName(name), type }))
    const { named, ...bare } = written
    // Column names must be found by position if the engine's text differs.
    if (!named || written.toEngine(statement.text) !== statement.text) return columns
    try {
      const names = this.columns({ ...bare, statement: named })
      return columns.map((column, i) => ({ ...column, name: names[i].name }))
    } catch {
      // A placeholder is allowed where a function call isn't.
      return columns
    }
  }

  /** The bound, unoptimized plan of an admitted statement, serialized by DuckDB as JSON. */
  serializedPlan({ statement, toEngine }: Written): string {
    const text = quoteText(toEngine(statement.text))
    const sql = `SELECT system.main.json_serialize_plan(${text}, skip_null := true, skip_empty := true)`
    return this.checker.query(sql).flatMap(textRows)[0]?.[0] ?? ''
  }

  /** The problems in a statement. */
  problems(written: Written): SqlProblem[] {
    try {
      const { statement } = written
      const isTaken = this.db.guest.isRunning && mergesBySource(statement)
      if (!pivots(statement) && !isTaken && (this.readOnly || !readCommand(statement))) this.admit(written)
      return []
    } catch (error) {
      const problem = problemOf(this.failed(error, written, 0))
      return problem ? [problem] : []
    }
  }

  /** An error of a statement, to throw. @param before bytes before the statement in what the engine was given */
  failure(cause: unknown, written: Written, before: number): unknown {
    if (this.readOnly) return statementError(cause, { statement: written.statement, before }, written)
    return this.failed(cause, written, before).error
  }

  private failed(cause: unknown, written: Written, before: number): ReturnType<typeof failureOf> {
    // Nothing can be asked of a transaction that the engine has aborted.
    this.state.afterFailure()
    const { statement, toEngine } = written
    const bind = (sql: string): unknown => this.connectionFor(statement).query(`EXPLAIN ${sql}`)
    return failureOf(withColumns(cause, { statement, before }, toEngine, bind), written, before, this.names())
  }

  private names(): Parameters<typeof failureOf>[3] {
    const own = this.own.tables().map(({ reference }) => reference)
    return { tables: this.catalog.all, others: [...own, ...databaseNames(this.catalog.locals)] }
  }

  private connectionFor(part: Statement): Connection {
    const { guest } = this.db
    return this.state.seeing ?? (mergesBySource(part) && !guest.isRunning ? guest : this.checker)
  }

  /** Runs a query. Positions in errors refer to the statement as it was written. */
  private query(prefix: string, part: Statement, after: string, written: Written): RecordBatch[] {
    try {
      return this.connectionFor(part).query(prefix + written.toEngine(part.text) + after)
    } catch (error) {
      throw this.failure(error, written, prefix.length - offsetOf(part, written.statement))
    }
  }
}

interface WrittenBefore {
  readonly written: Written
  /** The catalog's local tables, and the time zone, at that time. */
  readonly locals: Catalog['locals']
  readonly zone: TimeZone
}

/** The change that a statement makes, or the columns of its result. */
export type Admitted = Change | { readonly columns: readonly ResultColumn[] }

/** Byte offset of a part that extends to the statement's end. */
export function offsetOf(part: Statement, whole: Statement): number {
  return new TextEncoder().encode(whole.text.slice(0, whole.text.length - part.text.length)).length
}

/** Whether a statement has a PIVOT, for which DuckDB reads the rows during binding to get the columns' names. */
export function pivots({ tokens }: Statement): boolean {
  return tokens.some(({ kind, text }) => kind === 'keyword' && /^pivot/i.test(text))
}

/** DuckDB 1.4 can't bind a MERGE from a query with WHEN NOT MATCHED BY SOURCE without the optimizer. */
function mergesBySource({ tokens }: Statement): boolean {
  const word = wordsOf(tokens)
  return (
    tokens.some((_, i) => word(i) === 'by' && word(i + 1) === 'source') && tokens.some((_, i) => word(i) === 'merge')
  )
}

/** A statement with the types that a MERGE returns, which DuckDB can't prepare. */
function mergedRows(text: string, { tokens }: Statement, { returning }: Change): string {
  const word = wordsOf(tokens)
  const into = tokens.findIndex((_, i) => word(i) === 'into' && word(i - 1) === 'merge')
  const using = tokens.findIndex((_, i) => i > into && word(i) === 'using')
  const target = text.slice(tokens[into + 1].start, tokens[using].start)
  const given = text.slice(returning ?? text.length).replaceAll(/"merge_action"|\bmerge_action\b/gi, "''")
  return `DELETE FROM ${target} WHERE false ${given}`
}

/** Overwrites RETURNING with blanks, so that the length stays the same. */
function withoutReturning({ text, returning }: Change): string {
  return returning === null
    ? text
    : text.slice(0, returning) + text.slice(returning).replaceAll(/[^\n]/gu, (each) => ' '.repeat(each.length))
}

function isTable({ kind, schema }: Change): boolean {
  return (kind === 'table' || kind === 'view') && schema === 'main'
}

export function notRunToExplain(): EngineError {
  return refused('A statement that changes something isn’t run to be explained.', 'Explain it without running it.')
}
