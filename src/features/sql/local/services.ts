import { createTableStore, LOCAL_TABLES_FOLDER, type EngineClient, type TableStore } from '../../../engine/client.ts'
import { quoteReference } from '../../../lib/duckdb-sql/index.ts'
import { announce } from '../../../ui/announce.ts'
import { plural } from '../../../ui/format.ts'
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
  guardLeaving(imports)
  return { tables, imports }
}

const localFiles = (): TableStore => createTableStore({ folder: LOCAL_TABLES_FOLDER })

function sayDone(file: File, made: readonly LocalTableRecord[], leftOut: number, missing: readonly string[]): void {
  const [first] = made
  if (!first) return
  const title =
    made.length === 1
      ? `“${file.name}” is ${quoteReference(['local', first.name])}`
      : `“${file.name}” is ${plural(made.length, 'local table')}`
  const rows = plural(
    made.reduce((sum, { rowCount }) => sum + rowCount, 0),
    'row',
  )
  const kept = leftOut > 0 ? `${rows}; ${plural(leftOut, 'row')} left out.` : `${rows}. It stays in this browser.`
  const description = [kept, ...missing].join(' ')
  toast({ title, description, tone: missing.length > 0 ? 'bad' : 'good' })
  announce(`${title}. ${description}`)
}

/** Has the browser ask before the page is left, only while a file is being added. */
function guardLeaving(imports: Imports): void {
  let guarding = false
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
  imports.subscribe(() => {
    const needed = imports.isBusy()
    if (needed === guarding) return
    guarding = needed
    if (needed) addEventListener('beforeunload', ask)
    else removeEventListener('beforeunload', ask)
  })
}
