import { PLAN_LIMITS } from '../../contract/limits.ts'
import type { Plan } from '../../contract/schemas.ts'
import { endpointLimits, limitsOf } from '../../service/middleware/windows.ts'
import { mattering } from '../../service/stores/over.ts'
import { type Followed, KnownDatasets } from '../../service/stores/records-cache.ts'
import {
  UnavailableError,
  type Admission,
  type Caller,
  type DatasetRecord,
  type ReadTransaction,
  type Records,
  type StoreName,
  type Stores,
  type WriteTransaction,
} from '../../service/ports.ts'
import type { DatabaseClock } from './clock.ts'
import type { Connection, Database } from './database.ts'
import { columnsOf, decode, foundBy, putting, tableOf, usedAt } from './layout.ts'

/** Runs work with the same name one after the other. */
class Turns {
  private readonly last = new Map<string, Promise<unknown>>()

  async inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.last.get(name) ?? Promise.resolve()).then(work)
    const ended = mine.catch(() => undefined)
    this.last.set(name, ended)
    try {
      return await mine
    } finally {
      if (this.last.get(name) === ended) this.last.delete(name)
    }
  }
}

interface RecordsOptions {
  /** The database's clock, by which requests are counted; by default, that's the caller's. */
  readonly clock?: DatabaseClock
}

const PLANS = (Object.keys(PLAN_LIMITS) as Plan[]).flatMap((plan) =>
  limitsOf(PLAN_LIMITS[plan], null).map((limit) => ({ plan, ...limit })),
)

/** The result of `rowhouse.admit`. */
interface AdmissionRow extends Omit<Admission, 'caller'> {
  readonly caller: (Caller & { readonly lastUsedAt: number | null }) | null
}

function admissionOf({ now, caller, counted }: AdmissionRow): Admission {
  if (!caller) return { now, caller, counted }
  const { key, lastUsedAt, workspace, windows } = caller
  return {
    now,
    counted,
    caller: {
      key: usedAt(key, lastUsedAt),
      workspace,
      windows: windows.map(({ endpoint, name, limit, start, end, used }) => {
        return { endpoint, name, limit, start, end, used: counted ? used + 1 : used }
      }),
    },
  }
}

/**
 * Records in PostgreSQL, embedded or not, in the tables that `migrate` creates.
 *
 * Writers lock the tables of their stores, so that a store's writers run one after the other, on all servers. Readers
 * see all of their stores as they were at one moment, without waiting. Datasets are cached: a transaction reads only
 * those that have changed.
 */
export function createRecords(database: Database, { clock }: RecordsOptions = {}): Records {
  const known = new KnownDatasets()
  const keys = new Turns()
  return {
    async admit({ hash, endpoint, now, counts }) {
      const limits = [...PLANS, ...endpointLimits(endpoint)]
      const parameters = [hash, clock ? null : now, counts, JSON.stringify(limits)]
      try {
        const ask = () =>
          database.use((connection) =>
            connection.query<{ admission: AdmissionRow }>(
              'SELECT rowhouse.admit($1, $2, $3, $4) AS admission',
              parameters,
            ),
          )
        // Requests with the same key wait for each other here, without holding a connection that others need.
        const [row] = await (counts ? keys.inTurn(hash, ask) : ask())
        clock?.set(row.admission.now)
        return admissionOf(row.admission)
      } catch (error) {
        throw portError(error)
      }
    },
    read: (stores, work) =>
      transact(database, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', (statements) =>
        work(readAccess(statements, stores, known)),
      ),
    write: (stores, work, { durability = 'strict' } = {}) => {
      // Always in the same order, to prevent deadlocks.
      const tables = [...stores].sort().map(tableOf)
      const relaxed = durability === 'relaxed' ? '; SET LOCAL synchronous_commit = off' : ''
      const begin = `BEGIN${relaxed}; LOCK TABLE ${tables.join(', ')} IN EXCLUSIVE MODE`
      return transact(database, begin, (statements) => work(writeAccess(statements, stores)))
    },
  }
}

/** The statements of one transaction. If one fails, so does the transaction, even if nobody awaits that statement. */
class Statements {
  private readonly connection: Connection
  private readonly running = new Set<Promise<unknown>>()
  private failed: { readonly error: unknown } | null = null

  constructor(connection: Connection) {
    this.connection = connection
  }

  run<Row>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    const run = this.connection.query<Row>(sql, parameters).catch((error: unknown) => {
      const failure = portError(error)
      // Later statements fail only because the first did, so its error is the one to report.
      this.failed ??= { error: failure }
      throw this.failed.error
    })
    this.running.add(run)
    const ended = (): void => void this.running.delete(run)
    run.then(ended, ended)
    return run
  }

  /** Resolves when all have ended, including those that nobody awaits. */
  async settle(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running)
  }

  throwIfFailed(): void {
    if (this.failed) throw this.failed.error
  }
}

async function transact<T>(
  database: Database,
  begin: string,
  work: (statements: Statements) => Promise<T>,
): Promise<T> {
  try {
    return await database.use(async (connection) => {
      try {
        await connection.exec(begin)
        const statements = new Statements(connection)
        try {
          const result = await work(statements)
          await statements.settle()
          statements.throwIfFailed()
          await connection.exec('COMMIT')
          return result
        } finally {
          await statements.settle()
        }
      } catch (error) {
        // If the connection is lost, so is the transaction.
        await connection.exec('ROLLBACK').catch(() => undefined)
        throw error
      }
    })
  } catch (error) {
    throw portError(error)
  }
}

function requireStore(stores: readonly StoreName[], store: StoreName): void {
  if (!stores.includes(store)) throw new Error(`${store} isn’t in this transaction`)
}

/** @param known the cache; null in transactions that may write */
function readAccess(
  statements: Statements,
  stores: readonly StoreName[],
  known: KnownDatasets | null,
): ReadTransaction {
  const select = async <S extends StoreName>(
    store: S,
    where: string,
    parameters: readonly (string | readonly string[])[],
  ) => {
    requireStore(stores, store)
    // PostgreSQL refuses U+0000, so no record can have it.
    if (parameters.flat().some((text) => text.includes('\0'))) return []
    const rows = await statements.run(
      `SELECT ${columnsOf(store)} FROM ${tableOf(store)} ${where} ORDER BY id COLLATE "C"`,
      parameters,
    )
    return rows.map((row) => decode(store, row))
  }
  /** Runs a statement that returns a number. */
  const number = async (store: StoreName, sql: string, where = '', parameters: readonly string[] = []) => {
    requireStore(stores, store)
    const [row] = await statements.run<{ number: unknown }>(
      `SELECT ${sql} AS number FROM ${tableOf(store)} ${where}`,
      parameters,
    )
    return Number(row.number)
  }
  const ask = async <S extends StoreName>(store: S, question: string, where: string, parameters: readonly string[]) => {
    if (store !== 'datasets' || !known || !stores.includes(store)) return select(store, where, parameters)
    const [{ token, removal }] = await statements.run<{ token: string; removal: string }>(
      "SELECT token, removal FROM rowhouse.revisions WHERE store = 'datasets'",
      [],
    )
    return (await known.read(token, question, (before) =>
      follow(statements, { where, parameters, removal }, before),
    )) as readonly Stores[S][]
  }
  return {
    get: async (store, id) => (await select(store, 'WHERE id = $1', [id]))[0],
    some: (store, ids) => select(store, 'WHERE id = ANY($1)', [ids.filter((id) => !id.includes('\0'))]),
    beginning: (store, text) => select(store, 'WHERE starts_with(id, $1)', [text]),
    count: (store) => number(store, 'count(*)'),
    objectBytes: (workspaceId) => number('objects', 'coalesce(sum(size), 0)', 'WHERE workspace_id = $1', [workspaceId]),
    all: (store) => ask(store, 'all', '', []),
    by(store, index, value) {
      const where = `WHERE ${foundBy(store, index)}`
      return typeof value === 'string'
        ? ask(store, `${index} ${value}`, where, [value])
        : select(store, where, [value].flat())
    },
  }
}

interface Asked {
  readonly where: string
  readonly parameters: readonly string[]
  /** The token of the last removal. */
  readonly removal: string
}

/** Datasets in the order of their ids. Only those that have changed since the last time are read. */
async function follow(
  statements: Statements,
  { where, parameters, removal }: Asked,
  before: Followed | undefined,
): Promise<Followed> {
  if (parameters.some((text) => text.includes('\0'))) return { records: [], upTo: null }
  const { records, upTo } = before ?? { records: [], upTo: null }
  const newer = `${where === '' ? 'WHERE' : `${where} AND`} change > $${parameters.length + 1}`
  const rows = await statements.run<{ record: DatasetRecord; change: unknown }>(
    `SELECT record, change FROM rowhouse.datasets ${newer}`,
    [...parameters, upTo?.change ?? 0],
  )
  let kept = records
  if (upTo && upTo.removal !== removal) {
    const left = await statements.run<{ id: string }>(`SELECT id FROM rowhouse.datasets ${where}`, parameters)
    const ids = new Set(left.map(({ id }) => id))
    kept = records.filter(({ id }) => ids.has(id))
  }
  const change = rows.reduce((last, row) => Math.max(last, Number(row.change)), upTo?.change ?? 0)
  return {
    records: replaced(
      kept,
      rows.map(({ record }) => record),
    ),
    upTo: { change, removal },
  }
}

/** Replaces records by newer ones with the same id, and adds the others, in the order of ids. */
function replaced(records: readonly DatasetRecord[], newer: readonly DatasetRecord[]): readonly DatasetRecord[] {
  const left = new Map(newer.map((record) => [record.id, record]))
  const result = records.map((record) => {
    const found = left.get(record.id)
    if (found) left.delete(record.id)
    return found ?? record
  })
  return left.size === 0 ? result : [...result, ...left.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

function writeAccess(statements: Statements, stores: readonly StoreName[]): WriteTransaction {
  const run = async (store: StoreName, sql: string, parameters: readonly unknown[]): Promise<void> => {
    requireStore(stores, store)
    await statements.run(sql, parameters)
  }
  return {
    ...readAccess(statements, stores, null),
    async put<S extends StoreName>(store: S, record: Stores[S]) {
      const { sql, parameters } = putting(store, record)
      await run(store, sql, parameters)
    },
    remove: (store, id) => run(store, `DELETE FROM ${tableOf(store)} WHERE id = $1`, [id]),
    clear: (store) => run(store, `DELETE FROM ${tableOf(store)}`, []),
    async removeOver(store, now) {
      requireStore(stores, store)
      const { after, upTo } = mattering(now)
      const [where, parameters] =
        store === 'objects' ? ['ends_at <= $1', [now]] : ['start <= $1 OR start > $2', [after, upTo]]
      const rows = await statements.run(
        `DELETE FROM ${tableOf(store)} WHERE ${where} RETURNING ${columnsOf(store)}`,
        parameters,
      )
      return rows.map((row) => decode(store, row))
    },
  }
}

/** The driver's own errors for a lost connection, which have no code. */
const GONE = /connection terminated|is not queryable|timeout exceeded when trying to connect/i
/** Temporary errors: classes and codes of PostgreSQL (appendix A of its manual), and codes of Node. */
const PASSING = /^(?:08|40|53(?!100)|55P03|57P|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)/

/** Translates a database's error to one of the port's. */
function portError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DOMException || error instanceof UnavailableError) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === '23505') return new DOMException('There is one of the same name already.', 'ConstraintError')
  if (code === '53100') return new DOMException('The database’s disk is full.', 'QuotaExceededError')
  if (PASSING.test(code) || GONE.test(error.message)) {
    return new UnavailableError('The database can’t be reached right now. Try again in a moment.', { cause: error })
  }
  return error
}
