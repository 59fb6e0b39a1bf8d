import type { ResultColumn, ResultSet } from '../../../engine/client.ts'
import type { QueryData } from '../../../contract/schemas.ts'

/** A service's answer, read as results of the engine are. Its values are JSON: types are what can be told from them. */
export function serviceResult(data: QueryData): ResultSet {
  const { columns: names, rows } = data
  const columns = names.map((name): ResultColumn => ({ name, type: typeOf(rows, name) }))
  const body = new Blob([JSON.stringify(rows)])
  let held = rows
  const value = (row: number, column: number): unknown => held[row]?.[names[column] ?? ''] ?? null
  return {
    columns,
    get rowCount() {
      return held.length
    },
    bytes: body.size,
    status: 'complete',
    text(row, column) {
      const found = value(row, column)
      if (found === null) return null
      return typeof found === 'string' ? found : JSON.stringify(found)
    },
    value,
    subscribe: () => () => undefined,
    file: (name) => Promise.resolve(new File([body], `${name}.json`, { type: 'application/json' })),
    dispose() {
      held = []
    },
  }
}

function typeOf(rows: QueryData['rows'], name: string): string {
  let type: string | null = null
  for (const row of rows) {
    const found = kindOf(row[name])
    if (found === null || found === type) continue
    if (type === null) type = found
    else if (isNumber(type) && isNumber(found)) type = 'DOUBLE'
    else return 'JSON'
  }
  return type ?? 'VARCHAR'
}

const isNumber = (type: string): boolean => type === 'BIGINT' || type === 'DOUBLE'

function kindOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return 'VARCHAR'
  if (typeof value === 'boolean') return 'BOOLEAN'
  if (typeof value === 'number') return Number.isInteger(value) ? 'BIGINT' : 'DOUBLE'
  return 'JSON'
}
