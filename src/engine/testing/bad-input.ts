import { expect } from 'vitest'
import type { FormatId } from '../../contract/formats.ts'
import { defaultOptions, type ColumnPlan, type ImportPlan, type WriteOptions } from '../../tables/plan.ts'
import type { EngineError } from '../errors.ts'
import { refusal as errorOf } from './refusal.ts'
import { convert, type Converted } from './run.ts'
import type { InspectRequest } from '../../tables/inspect-request.ts'

/*
 * What must happen to every file, however bad it is: it becomes a table whose rows are all accounted for, or it's
 * refused with a proper message. Tests only.
 */

export const TARGETS: readonly FormatId[] = ['csv', 'tsv', 'json', 'xlsx', 'parquet', 'arrow']

export function fileOf(name: string, ...parts: readonly (string | Uint8Array)[]): File {
  return new File(parts as (string | Uint8Array<ArrayBuffer>)[], name)
}

export interface Attempt {
  readonly target?: FormatId
  readonly options?: WriteOptions
  readonly change?: (plan: ImportPlan) => ImportPlan
  readonly request?: InspectRequest
}

function attempt(file: File, { target = 'json', options, change, request }: Attempt): Promise<Converted> {
  return convert(file, target, options ?? defaultOptions(target), change, request)
}

/** The error that a file is refused with: it has a message, a remedy, and no effect on later conversions. */
export async function refusal(file: File, how: Attempt = {}): Promise<EngineError> {
  const error = await errorOf(attempt(file, how), file.name)
  expect(error.message).toMatch(/^[“A-Z0-9].*[^ ]\.$/s)
  expect(error.message.length).toBeLessThan(500)
  expect(error.remedy ?? '').toMatch(/^[A-Z].*\.$/s)
  expect(['internal', 'verification', 'worker-lost', 'out-of-memory'], error.message).not.toContain(error.code)
  await expectGoodFile(how.target)
  return error
}

export async function expectGoodFile(target: FormatId = 'json'): Promise<void> {
  const { result } = await convert(fileOf('good.csv', 'id,name\n1,é\n2,\n'), target)
  expect(result.outputs[0].receipts[0]).toMatchObject({ verdict: 'match', expected: { rows: 2 } })
}

export type Row = Readonly<Record<string, unknown>>

export interface Carried extends Converted {
  readonly rows: number
  readonly rejected: number
  readonly receipt: Converted['result']['outputs'][number]['receipts'][number]
}

/** Converts a file of one table, and accounts for every one of its rows. */
export async function carried(file: File, rowsInFile: number, how: Attempt = {}): Promise<Carried> {
  const converted = await attempt(file, how)
  const { result } = converted
  expect(result.outputs).toHaveLength(1)
  const [receipt] = result.outputs[0].receipts
  expect(receipt.verdict).toBe('match')
  expect(receipt.found.rows).toBe(receipt.expected.rows)
  expect(receipt.rejectedRows).toBe(result.rejectedCount)
  expect(receipt.expected.rows + result.rejectedCount).toBe(rowsInFile)
  expect((await rejectedRows(converted)).length).toBe(result.rejectedCount)
  return { ...converted, receipt, rows: receipt.expected.rows, rejected: result.rejectedCount }
}

/** The rows of a file that was converted to JSON. */
export async function jsonRows({ files: [file] }: Converted): Promise<readonly Row[]> {
  return JSON.parse(await file.text()) as readonly Row[]
}

/** The rows in the file of rejected rows. */
export async function rejectedRows({ rejectedFile }: Converted): Promise<readonly Row[]> {
  if (!rejectedFile) return []
  const asText = (plan: ImportPlan): ImportPlan => typed(plan, () => 'VARCHAR')
  return jsonRows(await convert(rejectedFile, 'json', defaultOptions('json'), asText))
}

/** The plan with other column types. */
export function typed(plan: ImportPlan, typeOf: (column: ColumnPlan) => string | undefined): ImportPlan {
  return {
    ...plan,
    tables: plan.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => ({ ...column, type: typeOf(column) ?? column.type })),
    })),
  }
}

/** Random bytes that are the same in each run. */
export function noise(length: number, seed = 7): Uint8Array<ArrayBuffer> {
  const next = randoms(seed)
  return Uint8Array.from({ length }, () => next(256))
}

/** Random numbers that are the same in each run. */
export function randoms(seed = 1): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
