import { planFrom } from '../../tables/plan.ts'
import { EngineError } from '../errors.ts'
import type { OpenTableFile } from '../sql/place/table-file.ts'
import { inspectTables } from './inspect.ts'
import { plannedTable, tableColumns } from './plan.ts'
import { readTable } from './read-table.ts'

/** Files that SQL queries where they lie: planned and read by what an import of them would be. */
export const openTableFile: OpenTableFile = async (file, format, signal) => {
  const source = planFrom(await inspectTables(file, { format }, { signal, progress: () => undefined }))
  const [first] = source.tables
  if (!first) throw new EngineError('empty-file', `“${file.name}” has no table in it.`)
  // As an import of it would carry its values.
  const { columns, table } = plannedTable(first, 'text')
  return {
    columns: tableColumns(columns),
    rows: table.found?.rows ?? 0,
    read(wanted, limit, context) {
      const request = { ...source, table: table.name, columns: columns.filter((_, i) => wanted.has(i)) }
      return readTable(file, limit === null ? request : { ...request, limit }, context)
    },
  }
}
