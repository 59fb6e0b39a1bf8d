import type { RecordBatch } from 'apache-arrow'
import { columnNames } from '../../../tables/names.ts'
import type { Note } from '../../../tables/plan.ts'
import { shapeMessage, shapeProblem } from '../../../tables/reshape/shape.ts'
import type { ShapeTable } from '../../../tables/reshape/types.ts'
import { printType, type Column } from '../../../tables/types.ts'
import { tableType } from '../../arrow/duckdb-types.ts'
import { batchFromColumns } from '../../arrow/batch.ts'
import { combined } from '../../arrow/concatenate.ts'
import { EngineError } from '../../errors.ts'
import { WASM } from '../../sql/duckdb.ts'
import { SqlEngine } from '../../sql/engine.ts'
import type { Outcome } from '../../sql/outcome.ts'
import { LOCAL } from '../../sql/catalog.ts'
import type { StatementCall } from '../../sql/protocol.ts'
import { withHugeints } from '../../sql/result/hugeints.ts'
import type { LocalTable, ResultColumn } from '../../sql/session-types.ts'
import { stopped } from '../../storage/database.ts'

/** A table that a statement reads. */
export interface StatementTable {
  readonly named: ShapeTable
  readonly columns: readonly Column[]
  readonly fileId: string
  readonly file: File
}

/** The columns of a statement's result. */
interface GivenColumns {
  readonly columns: readonly Column[]
  /** Notes about them: names that were made unique, types that tables here can't have. */
  readonly notes: readonly Note[]
}

type Rows = Extract<Outcome, { readonly kind: 'rows' }>

/** A statement between reading and writing, which can only read the given tables. */
export class ShapeStatement {
  private readonly sql: string
  private readonly engine: SqlEngine
  private readonly signal: AbortSignal
  private call: Omit<StatementCall, 'sql'> = { tables: [], files: new Map(), parameters: {} }
  private names: readonly string[] = []

  private constructor(sql: string, engine: SqlEngine, signal: AbortSignal) {
    this.sql = sql
    this.engine = engine
    this.signal = signal
  }

  /** @throws {EngineError} `sql-not-allowed` unless it's a single statement that only reads */
  static async open(sql: string, signal: AbortSignal): Promise<ShapeStatement> {
    const problem = shapeProblem(sql)
    if (problem !== null) throw new EngineError('sql-not-allowed', problem, { remedy: 'Change the statement.' })
    return new ShapeStatement(sql, await SqlEngine.open(WASM), signal)
  }

  /** Sets the tables that the statement reads. */
  use(tables: readonly StatementTable[]): void {
    this.names = tables.map(({ named }) => named.name)
    this.engine.use({ published: [], local: tables.map(localTable) })
    this.call = {
      tables: tables.map(({ named, fileId }) => ({ ...LOCAL, table: named.name, fileId })),
      files: new Map(tables.map(({ fileId, file }) => [fileId, file])),
      parameters: {},
    }
  }

  /**
   * Determines the result's columns without running the statement.
   * @throws {EngineError} `sql-error`, `sql-not-allowed`, `unknown-table`
   */
  bind(): Promise<GivenColumns> {
    return this.outcome(({ columns }) => Promise.resolve(givenColumns(columns)))
  }

  /**
   * Runs the statement.
   * @param columns as returned by `bind`
   * @param take called with its rows; awaited
   * @throws {EngineError} like `bind`, and `out-of-memory`
   */
  run(columns: readonly Column[], take: (batch: RecordBatch) => Promise<void>): Promise<void> {
    return this.outcome(async (outcome) => {
      for await (const batch of combined(outcome.read(), outcome.types)) {
        const data = columns.map(({ type }, i) => withHugeints(type, batch.data.children[i]))
        await take(batchFromColumns(data, batch.numRows))
      }
    })
  }

  private async outcome<T>(use: (outcome: Rows) => Promise<T>): Promise<T> {
    try {
      return await this.engine.run({ ...this.call, sql: this.sql }, this.signal, (outcome) => {
        if (outcome.kind === 'rows') return use(outcome)
        throw new EngineError('sql-not-allowed', 'The statement between reading and writing can only read.', {
          remedy: 'Write one that gives rows: SELECT or FROM.',
        })
      })
    } catch (error) {
      this.signal.throwIfAborted()
      throw this.explained(error)
    }
  }

  /** Rewords the error for a statement over these tables. */
  private explained(given: unknown): unknown {
    const error = stopped(given) ?? given
    if (!(error instanceof EngineError)) return error
    const { line, column } = (error.details ?? {}) as { readonly line?: number; readonly column?: number }
    const place = line === undefined ? error.place : `the statement, line ${line}, column ${column ?? 1}`
    return error.with({ message: shapeMessage(error.message), place, remedy: this.remedy(error) })
  }

  private remedy({ code, message, remedy, details }: EngineError): string | undefined {
    const { suggestions = [] } = (details ?? {}) as { readonly suggestions?: readonly string[] }
    if (code === 'out-of-memory') return LESS
    if (suggestions.length > 0) return remedy
    const isElsewhere = code === 'unknown-table' || shapeMessage(message) !== message
    if (isElsewhere) return `It can read ${this.names.map((name) => `“${name}”`).join(', ')}.`
    if (code === 'sql-not-allowed') return 'Write one that gives rows: SELECT or FROM.'
    return code === 'sql-error' ? 'Change the statement.' : remedy
  }
}

const LESS =
  'Leave out columns or rows that the statement doesn’t need, or sort and join less. Or split the file, and combine what becomes of its parts.'

function localTable({ named, fileId, columns }: StatementTable): LocalTable {
  const { name, file, table } = named
  if (file === undefined) return { name, fileId }
  const schema = columns.map((column) => ({ name: column.name, type: printType(column.type) }))
  return { name, fileId, file: { path: file, table, columns: schema, read: null } }
}

function givenColumns(given: readonly ResultColumn[]): GivenColumns {
  const names = columnNames(given.map(({ name }) => name))
  const types = given.map(({ type }) => tableType(type))
  const notes = given.flatMap(({ name }, i) => [
    ...(names[i] === name ? [] : [namedNote(name, names[i])]),
    ...types[i].asText.map((type) => textNote(names[i], type)),
  ])
  return { columns: names.map((name, i) => ({ name, type: types[i].type })), notes }
}

function namedNote(from: string, to: string): Note {
  const message =
    from.trim() === ''
      ? `A column of the statement without a name is named “${to}”.`
      : `A second column “${from}” of the statement is named “${to}”.`
  return { code: 'renamed', message }
}

const textNote = (column: string, type: string): Note => ({
  code: 'type-as-text',
  message: `Values of type ${type.slice(0, 100)} are kept as text.`,
  column,
})
