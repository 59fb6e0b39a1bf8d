import type { Note } from '../../../tables/plan.ts'
import { EngineError } from '../../errors.ts'
import { damaged, Pages } from './pages.ts'
import { storedRows, valuesOf, type Stored } from './records.ts'
import { parseTable, virtualModule, type TableSchema } from './schema.ts'

/** A readable table of the file. */
export interface StoredTable {
  readonly name: string
  readonly schema: TableSchema
  readonly root: number
  /** Whether it only serves a virtual table. */
  readonly hidden: boolean
}

export interface Database {
  readonly pages: Pages
  readonly tables: readonly StoredTable[]
  readonly notes: readonly Note[]
}

/** Name suffixes of the tables in which virtual tables store their data. */
const SHADOWS =
  /^_(data|idx|content|docsize|config|segments|segdir|stat|node|rowid|parent|chunks|vector_chunks\d*|info)$/

interface Entry {
  readonly type: string
  readonly name: string
  readonly root: number
  readonly sql: string
}

/**
 * The contents of a file.
 * @throws {EngineError} `corrupt-file` if its schema can't be read
 */
export async function openDatabase(file: Blob, signal: AbortSignal): Promise<Database> {
  const pages = await Pages.open(file)
  const entries = await entriesOf(pages, signal)
  const notes: Note[] = []
  if (pages.hasWriteAheadLog) {
    notes.push({
      code: 'write-ahead-log',
      message:
        'The database keeps its latest changes in a second file, “-wal”, which isn’t read: close the program that has it open, and add it again, if rows are missing.',
    })
  }
  const virtual = entries.filter(({ sql }) => virtualModule(sql) !== null)
  const isShadow = (name: string): boolean =>
    virtual.some((of) => name.startsWith(of.name) && SHADOWS.test(name.slice(of.name.length)))
  const tables: StoredTable[] = []
  for (const { type, name, root, sql } of entries) {
    const module = virtualModule(sql)
    if (type === 'view') {
      notes.push({ code: 'view', message: `“${name}” is a view: a query over tables, whose rows aren’t in the file.` })
    } else if (module !== null) {
      const message = `“${name}” is a virtual table (${module}): only the tables that it keeps its data in can be read.`
      notes.push({ code: 'virtual-table', message })
    } else {
      const schema = parseTable(sql)
      if (schema) tables.push({ name, schema, root, hidden: isShadow(name) })
      else
        notes.push({ code: 'unreadable-table', message: `“${name}” can’t be read: its declaration isn’t understood.` })
    }
  }
  return { pages, tables, notes }
}

/** Tables and views, without SQLite's internal ones. */
async function entriesOf(pages: Pages, signal: AbortSignal): Promise<Entry[]> {
  const decoder = new TextDecoder(pages.encoding, { ignoreBOM: true })
  const text = (value: Stored | undefined): string => (value?.kind === 'text' ? decoder.decode(value.bytes) : '')
  const entries: Entry[] = []
  for await (const rows of storedRows(pages, 1, signal)) {
    for (const row of rows) {
      const [type, name, , root, sql] = valuesOf(row)
      const entry = {
        type: text(type),
        name: text(name),
        root: root?.kind === 'integer' ? Number(root.value) : 0,
        sql: text(sql),
      }
      if (!['table', 'view', 'index', 'trigger'].includes(entry.type))
        throw damaged('its list of tables makes no sense', row.page)
      if ((entry.type === 'table' || entry.type === 'view') && !/^sqlite_/i.test(entry.name)) entries.push(entry)
    }
  }
  return entries
}

/** @throws {EngineError} `invalid-plan` */
export function tableOf({ tables }: Database, name: string | null): StoredTable {
  const table = tables.find((each) => each.name === name)
  if (!table) throw new EngineError('invalid-plan', `The file has no table “${name ?? ''}”.`)
  return table
}
