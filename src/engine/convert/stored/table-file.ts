import { EngineError } from '../../errors.ts'
import type { OpenTableFile } from '../../sql/place/table-file.ts'
import { inspectTables } from '../inspect.ts'
import { plannedTable } from '../plan.ts'
import { readerOf } from '../../formats/registry.ts'
import { sameType } from '../../../tables/types.ts'
import { readTable } from '../read-table.ts'
import { tableColumns } from '../../../tables/names.ts'
import { planFrom } from '../../../tables/edits.ts'

/** Files that SQL queries in place, planned and read like an import. */
export const openTableFile: OpenTableFile = async (file, format, signal) => {
  const reader = await readerOf(format)
  const context = { signal, progress: () => undefined }
  const source = planFrom(await inspectTables(file, { format }, context))
  const [first] = source.tables
  if (!first) throw new EngineError('empty-file', `“${file.name}” has no table in it.`)
  // With values as an import would store them.
  const { columns, table } = plannedTable(first, 'text')
  const own = tableColumns(columns)
  const parts = (await reader.parts?.(file, context)) ?? []
  return {
    columns: own,
    rows: table.found?.rows ?? 0,
    parts: parts.map(({ rows, bounds }) => ({
      rows,
      bounds: (column) => {
        const found = bounds(columns[column].index)
        return found && sameType(found.type, own[column].type) ? found : null
      },
    })),
    read(wanted, limit, reading, only) {
      const request = {
        ...source,
        table: table.name,
        columns: columns.filter((_, i) => wanted.has(i)),
        ...(limit === null ? {} : { limit }),
        ...(only ? { parts: only } : {}),
      }
      return readTable(file, request, reading)
    },
  }
}
