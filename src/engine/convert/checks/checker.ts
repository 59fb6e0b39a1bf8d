import type { Data } from 'apache-arrow'
import type { CheckName, CheckOutcome, ColumnChecks, FailedRow } from '../../../tables/checks.ts'
import { checkRowCount, wholeValue } from '../../../tables/checking.ts'
import type { ValueFormat } from '../../../tables/plan.ts'
import { typeName } from '../../../tables/type-names.ts'
import { printType, sameType, VARCHAR, type ColumnType } from '../../../tables/types.ts'
import { cellToString, makeCellText } from '../../arrow/text.ts'
import { makeColumnBuilder } from '../../columns/builder.ts'
import { appendTexts } from '../../columns/column-builder.ts'
import { EngineError } from '../../errors.ts'
import { layoutOf } from '../fingerprint/hash.ts'
import { RowNumbers } from '../placement.ts'
import { readText } from '../read-text.ts'
import type { CarriedInput } from '../receipt.ts'
import type { OutputTablePlan, PassedRows, TableInput } from '../transfer.ts'
import type { CheckedColumn } from '../plan.ts'
import { ValueSet } from './value-set.ts'
import { isNull } from '../../arrow/scalars.ts'

const FIRST = 5
const SHOWN = 200

/** Checks a table, and its rows as they are read, one input after another. */
export class Checker {
  private readonly table: OutputTablePlan
  private readonly columns: readonly ColumnChecker[]
  private numbers = new RowNumbers()
  private formats: readonly (ValueFormat | undefined)[] = []
  private file: string | undefined

  /** @throws {EngineError} `invalid-plan` for a check that doesn't exist for the column's type */
  constructor(table: OutputTablePlan) {
    this.table = table
    this.columns = table.checks.map((column) => new ColumnChecker(column))
  }

  /** Starts with the rows of another input. */
  begin(input: TableInput): void {
    this.numbers = new RowNumbers()
    this.formats = textFormats(input)
    this.file = this.table.inputs.length > 1 ? input.file.name : undefined
  }

  add(passed: PassedRows): void {
    const { batch } = passed
    const numbers = this.numbers.of(passed)
    const { file } = this
    const place = (row: number): Pick<FailedRow, 'row' | 'file'> => ({
      row: numbers[row],
      ...(file === undefined ? {} : { file }),
    })
    for (const column of this.columns) {
      column.add(batch.data.children[column.index], batch.numRows, this.formats[column.index], place)
    }
  }

  /** @param parts what was read of the table's inputs */
  outcomes(parts: readonly CarriedInput[]): CheckOutcome[] {
    const { table, columns } = this
    const ofColumns = columns.flatMap((column) => column.outcomes)
    return [...ofColumns, ...missingColumns(table.inputs), ...rowCountOf(table, parts)]
  }
}

/** How an input's text is read, for each column of the output. */
function textFormats({ planned, placement }: TableInput): (ValueFormat | undefined)[] {
  const own = planned.columns.map(({ textFormat }) => textFormat)
  return placement?.columns.map((column) => (column.kind === 'own' ? own[column.index] : undefined)) ?? own
}

/** Whether the table has about as many rows as last time. */
function rowCountOf({ rowCount }: OutputTablePlan, parts: readonly CarriedInput[]): CheckOutcome[] {
  if (!rowCount) return []
  const rows = parts.reduce((sum, { source }) => sum + source.rows + source.rejectedRows, 0)
  const outcome = checkRowCount(rowCount.check, rowCount.table, rows)
  return outcome ? [outcome] : []
}

/** Columns to be checked that don't exist. */
function missingColumns(inputs: readonly TableInput[]): CheckOutcome[] {
  return inputs.flatMap(({ file, planned: { table } }) =>
    (table.missing ?? []).map((column): CheckOutcome => {
      const of = inputs.length > 1 ? { file: file.name } : {}
      return { column, check: 'present', expected: '', failed: 1, first: [{ ...of, row: null, value: null }] }
    }),
  )
}

type Test = (row: number) => boolean

/** A check of a column, with its test for batches and the values that failed. */
interface Tested {
  readonly check: CheckName
  readonly expected: string
  readonly of: (data: Data) => Test
  failed: number
  readonly first: FailedRow[]
}

class ColumnChecker {
  readonly index: number
  private readonly column: CheckedColumn
  private readonly type: ColumnType
  private readonly tests: readonly Tested[]

  constructor(column: CheckedColumn) {
    this.column = column
    this.index = column.index
    this.type = column.textOf ?? column.type
    this.tests = testsOf(column.name, this.type, column.checks).map((test) => ({ ...test, failed: 0, first: [] }))
  }

  add(
    carried: Data,
    rows: number,
    format: ValueFormat | undefined,
    place: (row: number) => Pick<FailedRow, 'row' | 'file'>,
  ): void {
    const { type } = this
    const data = sameType(this.column.type, type) ? carried : readText(carried, this.column.type, type, format)
    for (const tested of this.tests) {
      const passes = tested.of(data)
      for (let row = 0; row < rows; row++) {
        if (passes(row)) continue
        if (tested.failed++ < FIRST) {
          tested.first.push({ ...place(row), value: cellToString(type, data, row, SHOWN) })
        }
      }
    }
  }

  get outcomes(): CheckOutcome[] {
    const { name } = this.column
    return this.tests.map(({ check, expected, failed, first }) => ({ column: name, check, expected, failed, first }))
  }
}

type Made = Pick<Tested, 'check' | 'expected' | 'of'>

function testsOf(name: string, type: ColumnType, checks: ColumnChecks): Made[] {
  const { required, unique, minimum, maximum, minLength, maxLength, pattern } = checks
  const made: Made[] = []
  const add = (check: CheckName, expected: string, of: (data: Data) => Test): void =>
    void made.push({ check, expected, of: check === 'required' ? of : orNull(of) })
  if (required) add('required', '', (data) => (row) => !isNull(data, row))
  if (unique) {
    const known = new ValueSet(name)
    add('unique', '', (data) => {
      const write = makeCellText(type, data)
      return (row) => known.add((out) => write(out, row))
    })
  }
  if (minimum !== undefined) {
    const least = limitOf(name, type, 'minimum', minimum)
    add('minimum', minimum, (data) => ordered(type, data, (value) => value >= least))
  }
  if (maximum !== undefined) {
    const most = limitOf(name, type, 'maximum', maximum)
    add('maximum', maximum, (data) => ordered(type, data, (value) => value <= most))
  }
  const text = (check: CheckName, expected: string, passes: (value: string) => boolean): void => {
    if (!sameType(type, VARCHAR)) throw refused(name, type, check)
    add(check, expected, (data) => (row) => passes(cellToString(type, data, row) ?? ''))
  }
  if (minLength !== undefined) text('minLength', String(minLength), (value) => lengthOf(value) >= minLength)
  if (maxLength !== undefined) text('maxLength', String(maxLength), (value) => lengthOf(value) <= maxLength)
  if (pattern !== undefined) {
    const expression = expressionOf(name, pattern)
    text('pattern', pattern, (value) => expression.test(value))
  }
  if (checks.enum) {
    const allowed = new Set(checks.enum.map((value) => enumValue(name, type, value)))
    add('enum', checks.enum.join(', '), (data) => (row) => allowed.has(cellToString(type, data, row) ?? ''))
  }
  return made
}

const orNull =
  (of: (data: Data) => Test): ((data: Data) => Test) =>
  (data) => {
    const passes = of(data)
    return (row) => isNull(data, row) || passes(row)
  }

/** Counts characters, not UTF-16 code units. */
const lengthOf = (value: string): number => Array.from(value).length

function expressionOf(name: string, pattern: string): RegExp {
  try {
    return wholeValue(pattern)
  } catch (cause) {
    throw new EngineError('invalid-plan', `The pattern that “${name}” is checked by isn’t a regular expression.`, {
      remedy: 'Correct it under Columns.',
      cause,
    })
  }
}

function refused(name: string, type: ColumnType, check: CheckName): EngineError {
  return new EngineError('invalid-plan', `“${check}” can’t be checked for “${name}”: its type is ${printType(type)}.`, {
    remedy: 'Remove the check, or choose another type, under Columns.',
  })
}

/** Parses the text of a check as a value of the column's type. */
function valueOf(name: string, type: ColumnType, check: CheckName, text: string): Data {
  const builder = makeColumnBuilder(type)
  if (appendTexts(builder, [text])) return builder.finish()
  throw new EngineError(
    'invalid-plan',
    `“${name}” is checked by “${text}” (${check}), which isn’t a value of type “${typeName(printType(type))}”.`,
    { remedy: 'Correct the check, or choose another type, under Columns.' },
  )
}

const enumValue = (name: string, type: ColumnType, text: string): string =>
  cellToString(type, valueOf(name, type, 'enum', text), 0) ?? ''

function limitOf(name: string, type: ColumnType, check: CheckName, text: string): number | bigint {
  const value = valueOf(name, type, check, text)
  if (!isOrdered(type)) throw refused(name, type, check)
  return reader(type, value)(0)
}

const isOrdered = (type: ColumnType): boolean => {
  const layout = layoutOf(type)
  return layout === 'words' || layout === 'pairs' || layout === 'quads' || layout === 'doubles'
}

function ordered(type: ColumnType, data: Data, passes: (value: number | bigint) => boolean): Test {
  const read = reader(type, data)
  return (row) => passes(read(row))
}

/** Returns a reader of comparable values. */
function reader(type: ColumnType, data: Data): (row: number) => number | bigint {
  const values = data.values as Int32Array
  const layout = layoutOf(type)
  if (layout === 'words' || layout === 'doubles') return (row) => values[row]
  const { buffer, byteOffset, byteLength } = values
  const words = byteLength / 8
  const signed = new BigInt64Array(buffer, byteOffset, words)
  if (layout === 'quads') {
    const unsigned = new BigUint64Array(buffer, byteOffset, words)
    return (row) => (signed[2 * row + 1] << 64n) | unsigned[2 * row]
  }
  const isUnsigned = type.kind === 'scalar' && type.name === 'UBIGINT'
  const pairs = isUnsigned ? new BigUint64Array(buffer, byteOffset, words) : signed
  return (row) => pairs[row]
}
