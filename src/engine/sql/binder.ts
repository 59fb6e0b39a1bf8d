import type { RecordBatch } from 'apache-arrow'
import { foldName } from '../../lib/names.ts'
import { EngineError } from '../errors.ts'
import type { Connection, Database } from '../storage/database.ts'
import { guardFunctions, guardWords, scannedTables, type PlanNode } from './authorize.ts'
import type { Catalog } from './catalog.ts'
import { statementError, unknownTable } from './errors.ts'
import { described, EXPLAIN_COLUMNS, isDescribing, readExplain } from './explain.ts'
import { CHANGING, readTableChange, type TableChange } from './temporary-tables.ts'
import { fillIn } from './parameters.ts'
import { failureOf, problemOf, type Written } from './problems.ts'
import type { TemporaryTable } from './protocol.ts'
import type { ParameterValue, ResultColumn, SqlProblem } from './session-types.ts'
import { foldIdentifier, oneStatement, parameterUses, type Statement } from './statement.ts'

/**
 * Decides what a statement may do, and says what's wrong with it, without running it: on a connection of its own, so
 * also while another one runs.
 */
export class Binder {
  private readonly db: Database
  private readonly checker: Connection
  private readonly catalog: Catalog
  private readonly readOnly: boolean
  /** By their texts as they were taken apart: nothing else decides that. */
  private readonly parsed = new RecentMap<Statement>()
  /** Statements for reading that were let through, with their columns, until `forget`. */
  private readonly bound = new RecentMap<readonly ResultColumn[]>()

  /** @param readOnly no statement changes anything, and errors name nothing that the statement doesn't */
  constructor(db: Database, checker: Connection, catalog: Catalog, readOnly: boolean) {
    this.db = db
    this.checker = checker
    this.catalog = catalog
    this.readOnly = readOnly
    catalog.changed = () => this.forget()
  }

  /** To be called whenever a statement may mean something else than before: tables came, went or changed. */
  forget(): void {
    this.bound.clear()
  }

  /**
   * Takes the one statement that a text is, with values for its parameters.
   * @param values null: none are known yet
   * @throws {EngineError} as `fillIn`, `oneStatement` and `guardWords`
   */
  read(sql: string, values: Readonly<Record<string, ParameterValue>> | null): Written {
    const given = this.parse(sql)
    const uses = this.readOnly ? [] : parameterUses(given.tokens)
    const filled = fillIn(given.text, uses, values)
    const statement = uses.length === 0 ? given : this.parse(filled.text)
    if (this.readOnly) guardWords(statement)
    return { statement, filled, text: given.text, toEngine: (part) => part }
  }

  private parse(sql: string): Statement {
    const known = this.parsed.get(sql)
    if (known) return known
    const statement = oneStatement(sql, this.db.bindings.tokenize(sql))
    this.parsed.set(sql, statement)
    return statement
  }

  /**
   * `authorize`, and the columns of a statement that reads. Both are bound once as long as nothing changes: they cost
   * milliseconds, as much as many a statement itself.
   * @throws {EngineError} as `authorize`
   */
  admit(written: Written): TableChange | { readonly columns: readonly ResultColumn[] } {
    const { statement, toEngine } = written
    const text = `${statement.text}\0${toEngine(statement.text)}`
    const known = this.bound.get(text)
    if (known) return { columns: known }
    const change = this.authorize(written)
    if (change) return change
    if (readExplain(statement, !this.readOnly)) return { columns: EXPLAIN_COLUMNS }
    const columns = this.columns(written)
    // What its columns are depends on rows, which none can vouch for.
    if (!pivots(statement)) this.bound.set(text, columns)
    return { columns }
  }

  /**
   * What a statement does to the session's temporary tables, null for one that reads; once it's sure that it does no more
   * than that.
   * @throws {EngineError} `sql-not-allowed`, `sql-error`, `unknown-table`
   */
  authorize(written: Written): TableChange | null {
    const { statement } = written
    const change = this.readOnly ? null : readTableChange(statement)
    guardFunctions(statement)
    if (change?.returning) throw noReturning()
    if (change) {
      this.bind({ ...statement, text: change.text }, written, CHANGING)
      // The plan of a view's making doesn't show its query.
      if (change.query) this.bind(change.query, written)
      return change
    }
    const explained = readExplain(statement, !this.readOnly)
    if (explained) this.bind(explained.statement, written)
    else {
      const inner = described(statement)
      if (inner) this.bind(inner, written)
      this.bind(statement, written)
    }
    return null
  }

  /** Fails unless all that a statement's plan does is to read tables that are there for it. */
  private bind(part: Statement, written: Written, also?: ReadonlySet<string>): void {
    const plans = this.query('EXPLAIN (FORMAT JSON)\n', part, '', written).flatMap(textRows)
    const bound = plans.find(([stage]) => stage === 'logical_plan')
    if (!bound) throw new EngineError('internal', 'The engine gave no plan.')
    const { readable } = this.catalog
    let temporary: ReadonlySet<string> | null = null
    for (const table of scannedTables(JSON.parse(bound[1]) as PlanNode[], also)) {
      if (readable.has(table)) continue
      temporary ??= new Set(this.readOnly ? [] : this.temporaryNames())
      if (!temporary.has(table)) throw unknownTable('that the statement reads')
    }
  }

  /** Names and types of what a statement gives that reads. */
  private columns(written: Written): ResultColumn[] {
    const { statement } = written
    const batches = isDescribing(statement)
      ? this.query('DESCRIBE FROM (\n', statement, '\n)', written)
      : this.query('DESCRIBE ', statement, '', written)
    return batches.flatMap(textRows).map(([name, type]) => ({ name, type }))
  }

  /** What's wrong with a statement, or nothing. */
  problems(written: Written): SqlProblem[] {
    try {
      if (!pivots(written.statement)) this.admit(written)
      return []
    } catch (error) {
      const problem = problemOf(failureOf(error, written, 0, this.names()))
      return problem ? [problem] : []
    }
  }

  /**
   * What went wrong with a statement, to be thrown.
   * @param before bytes that the engine was given before the statement
   */
  failure(cause: unknown, written: Written, before: number): unknown {
    return this.readOnly
      ? statementError(cause, { statement: written.statement, before })
      : failureOf(cause, written, before, this.names()).error
  }

  private names(): Parameters<typeof failureOf>[3] {
    return { tables: this.catalog.all, temporary: this.temporaryNames() }
  }

  /** Tables and views that the session has made. */
  temporary(): TemporaryTable[] {
    const kinds = this.rows(`
      SELECT table_name, 'table' FROM duckdb_tables() WHERE database_name = 'memory' AND schema_name = 'main' AND NOT internal
      UNION ALL
      SELECT view_name, 'view' FROM duckdb_views() WHERE database_name = 'memory' AND schema_name = 'main' AND NOT internal
      ORDER BY 1`)
    if (kinds.length === 0) return []
    const columns = this.rows(`
      SELECT table_name, column_name, data_type FROM duckdb_columns()
      WHERE database_name = 'memory' AND schema_name = 'main' AND NOT internal ORDER BY table_name, column_index`)
    return kinds.map(([name, kind]) => ({
      name,
      kind: kind === 'view' ? 'view' : 'table',
      columns: columns.filter(([table]) => table === name).map(([, column, type]) => ({ name: column, type })),
    }))
  }

  /** Whether the session has a table or view of that name, as a statement writes it. */
  has(name: string): boolean {
    return this.temporaryNames().some((each) => foldName(each) === foldIdentifier(name))
  }

  private temporaryNames(): string[] {
    return this.rows(`
      SELECT table_name FROM duckdb_tables() WHERE database_name = 'memory' AND schema_name = 'main' AND NOT internal
      UNION ALL
      SELECT view_name FROM duckdb_views() WHERE database_name = 'memory' AND schema_name = 'main' AND NOT internal`).map(
      ([name]) => name,
    )
  }

  private rows(sql: string): string[][] {
    return this.db.run(sql).flatMap(textRows)
  }

  /** Errors tell their places in the statement as it was written. */
  private query(prefix: string, part: Statement, after: string, written: Written): RecordBatch[] {
    try {
      return this.checker.query(prefix + written.toEngine(part.text) + after)
    } catch (error) {
      throw this.failure(error, written, prefix.length - offsetOf(part, written.statement))
    }
  }
}

/** A batch's rows, every cell as text. */
export function textRows(batch: RecordBatch): string[][] {
  return Array.from({ length: batch.numRows }, (_, row) =>
    batch.data.children.map((__, column) => String(batch.getChildAt(column)?.get(row))),
  )
}

/** Bytes of a statement that are before a part of it that reaches to its end. */
export function offsetOf(part: Statement, whole: Statement): number {
  return new TextEncoder().encode(whole.text.slice(0, whole.text.length - part.text.length)).length
}

/** PIVOT looks for its columns' names in the rows before it's bound: that is running. */
export function pivots({ tokens }: Statement): boolean {
  return tokens.some(({ kind, text }) => kind === 'keyword' && /^pivot/i.test(text))
}

function noReturning(): EngineError {
  return new EngineError('sql-not-allowed', 'RETURNING isn’t available.', {
    remedy: 'Run the statement without it, and SELECT the rows afterwards.',
  })
}

/** Entries that a `RecentMap` keeps. */
const KEPT = 64
/** Longer statements aren't kept, in characters: they would be most of the memory. */
const LONGEST = 20_000

/** What was found out about statements, those used last. */
export class RecentMap<T> {
  /** By text, the one used longest ago first. */
  private readonly entries = new Map<string, T>()

  get(text: string): T | undefined {
    const value = this.entries.get(text)
    if (value === undefined) return undefined
    this.entries.delete(text)
    this.entries.set(text, value)
    return value
  }

  set(text: string, value: T): void {
    if (text.length > LONGEST) return
    this.entries.set(text, value)
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= KEPT) return
      this.entries.delete(oldest)
    }
  }

  clear(): void {
    this.entries.clear()
  }
}
