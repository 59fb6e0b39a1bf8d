import { DuckDBTypeId, type DuckDBResult, type DuckDBValue, type Json } from '@duckdb/node-api'
import type { Io } from '../io.ts'

/** The number of rows that determine the columns' widths. */
const MEASURED = 2048
/** A column's largest width in characters, so that others remain visible. */
const WIDEST = 60

const NUMBERS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.DECIMAL,
])

/** Integer types that the library converts to text, whatever the value. */
const WIDE: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.UHUGEINT,
])

/** Prints rows as they arrive, in columns, with numbers aligned to the right. Returns the number of rows. */
export async function writeText(result: DuckDBResult, io: Io): Promise<number> {
  const names = result.columnNames()
  const types = names.map((_, i) => result.columnTypeId(i))
  let widths: number[] | null = null
  let measured: string[][] = []
  let rows = 0
  const line = (cells: readonly string[], all: readonly number[]): string =>
    cells
      .map((cell, i) => (NUMBERS.has(types[i]) ? cell.padStart(all[i]) : cell.padEnd(all[i])))
      .join('  ')
      .trimEnd()
  const flush = async (): Promise<void> => {
    const some = [names, ...measured]
    widths = names.map((_, i) => Math.min(WIDEST, Math.max(...some.map((row) => row[i].length))))
    const all = widths
    const head = [line(names, all), all.map((width) => '─'.repeat(width)).join('  ')]
    await io.out(`${[...head, ...measured.map((row) => line(row, all))].join('\n')}\n`)
    measured = []
  }
  for await (const chunk of result.yieldRows()) {
    io.signal.throwIfAborted()
    const texts = chunk.map((row) => row.map((value, i) => textOf(value, types[i])))
    rows += texts.length
    if (widths) {
      const all: readonly number[] = widths
      await io.out(texts.map((row) => `${line(row, all)}\n`).join(''))
      continue
    }
    measured.push(...texts)
    if (measured.length >= MEASURED) await flush()
  }
  if (!widths) await flush()
  return rows
}

/** A value as text on one line. */
function textOf(value: DuckDBValue, type: DuckDBTypeId): string {
  if (value === null) return 'NULL'
  const isFloat = type === DuckDBTypeId.DOUBLE || type === DuckDBTypeId.FLOAT
  const text =
    isFloat && Number.isInteger(value) && Math.abs(Number(value)) < 1e15 ? `${Number(value)}.0` : String(value)
  return text.replaceAll('\r', '\\r').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

/** Prints rows as they arrive, as one JSON document. */
export async function writeJson(result: DuckDBResult, io: Io): Promise<void> {
  const names = result.columnNames()
  const types = names.map((_, i) => result.columnTypeId(i))
  const columns = names.map((name, i) => ({ name, type: String(result.columnType(i)) }))
  await io.out(`{"columns":${JSON.stringify(columns)},"rows":[`)
  let isFirst = true
  for await (const chunk of result.yieldRowsJson()) {
    io.signal.throwIfAborted()
    const rows = chunk.map((row) => JSON.stringify(row.map((value, i) => exact(value, types[i]))))
    if (rows.length === 0) continue
    await io.out(`${isFirst ? '\n' : ',\n'}${rows.join(',\n')}`)
    isFirst = false
  }
  await io.out('\n]}\n')
}

/** Integers become numbers if every program can read them exactly. */
function exact(value: Json, type: DuckDBTypeId): Json {
  if (typeof value !== 'string' || !WIDE.has(type)) return value
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}
