import type { RecordBatch } from 'apache-arrow'
import { foldName } from '../../lib/names.ts'
import type { Connection, Database } from '../storage/database.ts'
import { EngineError } from '../errors.ts'
import type { ParameterValue, ResultColumn, SqlProblem } from './session-types.ts'
import { unknownTable } from './errors.ts'
import { described, readExplain } from './explain.ts'
import { guardFunctions } from './guard.ts'
import { scannedTables, type PlanNode } from './bound-plan.ts'
import { foldIdentifier, oneStatement, type Statement } from './statement.ts'
import type { SessionCatalog } from './catalog.ts'
import { behind, CHANGING, readOwnChange, type OwnChange } from './own-tables.ts'
import { fillIn } from './parameters.ts'
import { failureOf, problemOf, type Failure, type Written } from './problems.ts'
import type { TemporaryTable } from './protocol.ts'
import { Recent } from './recent.ts'
import { parameterUses } from './script.ts'

/** What EXPLAIN gives. */
export const EXPLAIN_COLUMNS: readonly ResultColumn[] = ['explain_key', 'explain_value'].map((name) => ({
  name,
  type: 'VARCHAR',
}))

/** Beginnings that `SELECT ... FROM (...)` can't be put around as a whole, but `FROM (...)` can. */
const AS_QUERY = /^(?:describe|desc|summarize|show)$/i

/** Looks at statements without running them, on a connection of its own: also while another one runs. */
export class Binder {
  private readonly db: Database
  private readonly checker: Connection
  private readonly catalog: SessionCatalog
  /** By their texts as they were taken apart: nothing else decides that. */
  private readonly taken = new Recent<Statement>()
  /** Statements for reading that were let through, with their columns, until `forget`. */
  private readonly bound = new Recent<readonly ResultColumn[]>()

  constructor(db: Database, checker: Connection, catalog: SessionCatalog) {
    this.db = db
    this.checker = checker
    this.catalog = catalog
    catalog.changed = () => this.forget()
  }

  /** To be called whenever a statement may mean something else than before: tables came, went or changed. */
  forget(): void {
    this.bound.forget()
  }

  /**
   * `authorize`, and the columns of a statement that reads. Both are bound once as long as nothing changes: they cost
   * milliseconds, as much as many a statement itself.
   * @throws {EngineError} as `authorize`
   */
  admit(written: Written): OwnChange | { readonly columns: readonly ResultColumn[] } {
    const { statement, toEngine } = written
    const text = `${statement.text}\0${toEngine(statement.text)}`
    const known = this.bound.recall(text)
    if (known) return { columns: known }
    const change = this.authorize(written)
    if (change) return change
    if (explained(statement)) return { columns: EXPLAIN_COLUMNS }
    const columns = this.columns(written)
    // What its columns are depends on rows, which none can vouch for.
    if (!pivots(statement)) this.bound.remember(text, columns)
    return { columns }
  }

  /**
   * Takes the one statement that a text is, with values for its parameters.
   * @param values null: none are known yet
   * @throws {EngineError} as `fillIn` and `oneStatement`
   */
  read(sql: string, values: Readonly<Record<string, ParameterValue>> | null): Written {
    const given = this.takeApart(sql)
    const uses = parameterUses(given.tokens)
    const filled = fillIn(given.text, uses, values)
    const statement = uses.length === 0 ? given : this.takeApart(filled.text)
    return { statement, filled, text: given.text, toEngine: (part) => part }
  }

  private takeApart(sql: string): Statement {
    const known = this.taken.recall(sql)
    if (known) return known
    const statement = oneStatement(sql, this.db.bindings.tokenize(sql))
    this.taken.remember(sql, statement)
    return statement
  }

  /**
   * What a statement does to the session's own tables, null for one that reads; once it's sure that it does no more
   * than that.
   * @throws {EngineError} `sql-not-allowed`, `sql-error`, `unknown-table`
   */
  authorize(written: Written): OwnChange | null {
    const { statement } = written
    const change = readOwnChange(statement)
    guardFunctions(statement)
    if (change?.returning) throw noReturning()
    if (change) {
      this.bind({ ...statement, text: change.text }, written, CHANGING)
      // The plan of a view's making doesn't show its query.
      if (change.query) this.bind(change.query, written)
      return change
    }
    const inner = explained(statement) ?? described(statement)
    if (inner) this.bind(inner, written)
    if (!explained(statement)) this.bind(statement, written)
    return null
  }

  /** Fails unless all that a statement's plan does is to read tables that are there for the session. */
  private bind(part: Statement, written: Written, also?: ReadonlySet<string>): void {
    const [batch] = this.query('EXPLAIN (FORMAT JSON)\n', part, '', written)
    let bound: readonly PlanNode[] | null = null
    for (let row = 0; row < (batch?.numRows ?? 0); row++) {
      if (batch.getChildAt(0)?.get(row) === 'logical_plan')
        bound = JSON.parse(String(batch.getChildAt(1)?.get(row))) as PlanNode[]
    }
    if (!bound) throw new EngineError('internal', 'The engine gave no plan.')
    const { readable } = this.catalog
    let own: ReadonlySet<string> | null = null
    for (const table of scannedTables(bound, also)) {
      if (readable.has(table)) continue
      own ??= new Set(this.ownNames())
      if (!own.has(table)) throw unknownTable('that the statement reads')
    }
  }

  /** Names and types of what a statement gives that reads. */
  private columns(written: Written): ResultColumn[] {
    const { statement } = written
    const asQuery = AS_QUERY.test(statement.tokens[0].text)
    const batches = asQuery
      ? this.query('DESCRIBE FROM (\n', statement, '\n)', written)
      : this.query('DESCRIBE ', statement, '', written)
    return batches.flatMap((batch) =>
      Array.from({ length: batch.numRows }, (_, row) => ({
        name: String(batch.getChildAt(0)?.get(row)),
        type: String(batch.getChildAt(1)?.get(row)),
      })),
    )
  }

  /** What's wrong with a statement, or nothing. */
  problems(written: Written): SqlProblem[] {
    try {
      if (!pivots(written.statement)) this.admit(written)
      return []
    } catch (error) {
      const problem = problemOf(this.failure(error, written, 0))
      return problem ? [problem] : []
    }
  }

  failure(cause: unknown, written: Written, before: number): Failure {
    return failureOf(cause, written, before, { tables: this.catalog.all, own: this.ownNames() })
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
    return this.ownNames().some((own) => foldName(own) === foldIdentifier(name))
  }

  private ownNames(): string[] {
    return this.rows(`
      SELECT table_name FROM duckdb_tables() WHERE database_name = 'memory' AND schema_name = 'main' AND NOT internal
      UNION ALL
      SELECT view_name FROM duckdb_views() WHERE database_name = 'memory' AND schema_name = 'main' AND NOT internal`).map(
      ([name]) => name,
    )
  }

  private rows(sql: string): string[][] {
    return this.db
      .run(sql)
      .flatMap((batch) =>
        Array.from({ length: batch.numRows }, (_, row) =>
          batch.data.children.map((__, column) => String(batch.getChildAt(column)?.get(row))),
        ),
      )
  }

  /** Errors tell their places in the statement as it was written. */
  private query(prefix: string, part: Statement, after: string, written: Written): RecordBatch[] {
    try {
      return this.checker.query(prefix + written.toEngine(part.text) + after)
    } catch (error) {
      throw this.failure(error, written, prefix.length - offsetOf(part, written.statement)).error
    }
  }
}

/** Bytes of a statement that are before a part of it that reaches to its end. */
function offsetOf(part: Statement, whole: Statement): number {
  return new TextEncoder().encode(whole.text.slice(0, whole.text.length - part.text.length)).length
}

/** What an EXPLAIN is about, also one that runs it; null for other statements. */
export function explained(statement: Statement): Statement | null {
  const { tokens } = statement
  const word = (i: number): string => tokens[i]?.text.toLowerCase() ?? ''
  if (word(0) !== 'explain') return null
  if (word(1) === 'analyze' && tokens[2]) return behind(statement, 2)
  return readExplain(statement)?.statement ?? null
}

/** PIVOT looks for its columns' names in the rows before it's bound: that is running. */
function pivots({ tokens }: Statement): boolean {
  return tokens.some(({ kind, text }) => kind === 'keyword' && /^pivot/i.test(text))
}

function noReturning(): EngineError {
  return new EngineError('sql-not-allowed', 'RETURNING isn’t available.', {
    remedy: 'Run the statement without it, and SELECT the rows afterwards.',
  })
}
