import { createTableStore, LOCAL_TABLES_FOLDER, type EngineClient, type TableStore } from '../../../engine/client.ts'
import { quoteReference } from '../../../lib/duckdb-sql/index.ts'
import { announce } from '../../../ui/announce.ts'
import { plural } from '../../../ui/format.ts'
import { guardLeaving } from '../../../ui/leaving.ts'
import { toast } from '../../../ui/toasts.ts'
import type { LocalTableRecord } from '../types.ts'
import { createChannel, createSqlDatabase } from '../database.ts'
import { Imports } from './imports.ts'
import { LocalTables } from './tables.ts'

/** Local tables, and the files that become some. Made once, outside React: imports go on while other screens are looked at. */
export interface LocalServices {
  readonly tables: LocalTables
  readonly imports: Imports
}

interface LocalServicesOptions {
  readonly engine: Pick<EngineClient, 'inspect'>
  /** Where their rows are. */
  readonly files?: TableStore
}

export function createLocalServices({ engine, files = localFiles() }: LocalServicesOptions): LocalServices {
  const newId = (): string => crypto.randomUUID()
  const tables = new LocalTables({
    files,
    records: createSqlDatabase(),
    channel: createChannel(),
    toast,
    now: Date.now,
    newId,
  })
  const imports = new Imports({ engine, files, tables, newId, onDone: sayDone })
  guardLeaving(imports.subscribe, imports.isBusy)
  return { tables, imports }
}

const localFiles = (): TableStore => createTableStore({ folder: LOCAL_TABLES_FOLDER })

interface Done {
  readonly file: File
  readonly made: readonly LocalTableRecord[]
  readonly leftOut: number
  readonly missing: readonly string[]
}

/** Milliseconds in which files that are done are told of together. */
const TOGETHER = 600
let untold: Done[] = []
let telling: ReturnType<typeof setTimeout> | undefined

function sayDone(
  ...[file, made, leftOut, missing]: [Done['file'], Done['made'], Done['leftOut'], Done['missing']]
): void {
  if (made.length === 0) return
  untold.push({ file, made, leftOut, missing })
  clearTimeout(telling)
  telling = setTimeout(() => {
    const done = untold
    untold = []
    tell(done)
  }, TOGETHER)
}

function tell(done: readonly Done[]): void {
  const made = done.flatMap((one) => one.made)
  const [first] = made
  if (!first) return
  const what = done.length === 1 ? `“${done[0]?.file.name}” is` : `${done.length} files are`
  const title =
    made.length === 1
      ? `${what} ${quoteReference(['local', first.name])}`
      : `${what} ${plural(made.length, 'local table')}`
  const rows = plural(
    sum(made, ({ rowCount }) => rowCount),
    'row',
  )
  const leftOut = sum(done, (one) => one.leftOut)
  const stay = done.length === 1 && made.length === 1 ? 'It stays' : 'They stay'
  const kept = leftOut > 0 ? `${rows}; ${plural(leftOut, 'row')} left out.` : `${rows}. ${stay} in this browser.`
  const missing = done.flatMap((one) => one.missing)
  const description = [kept, ...missing].join(' ')
  toast({ title, description, tone: missing.length > 0 ? 'bad' : 'good' })
  announce(`${title}. ${description}`)
}

const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((total, one) => total + of(one), 0)
