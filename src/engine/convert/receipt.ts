import { formatCount, plural } from '../../lib/counts.ts'
import { isChange } from '../../tables/changes/changes.ts'
import type { CheckOutcome } from '../../tables/checks.ts'
import type {
  MendedRow,
  Difference,
  Receipt,
  ReceiptPart,
  ReceiptShape,
  ReceiptSource,
  TableFingerprint,
} from '../../tables/receipt.ts'
import type { Note } from '../../tables/plan.ts'
import { foundOf } from '../../tables/changes/verbatim.ts'
import { EngineError } from '../errors.ts'
import type { PlannedTable } from './plan.ts'
import type { TableInput, TableTransfer, Transferred } from './transfer.ts'

/** A table that was written, with what was read for it. */
export interface Carried {
  readonly transfer: TableTransfer
  readonly parts: readonly CarriedInput[]
  readonly checks: readonly CheckOutcome[]
  readonly mended: readonly MendedRow[]
  /** Differences between output and source that are known from the types or were counted. */
  readonly changes: readonly Note[]
  /** What was done between reading and writing. */
  readonly shape?: ReceiptShape
}

/** What was read of one input. */
export interface CarriedInput {
  readonly source: ReceiptSource
  readonly notes: readonly Note[]
}

export function carriedInput({ file, source, planned }: TableInput, transferred: Transferred): CarriedInput {
  return {
    source: {
      name: file.name,
      size: file.size,
      format: source.format,
      table: planned.table.name,
      settings: source.settings,
      rows: transferred.rows,
      rejectedRows: transferred.rejectedRows,
      rowChecksum: transferred.rowChecksum,
      ...(isTextCompared(planned, transferred) ? { textCompared: true } : {}),
    },
    notes: planned.table.found?.notes.filter((note) => !isChange(note)) ?? [],
  }
}

/** The result for a table that was read back. */
interface Outcome extends Pick<Receipt, 'output' | 'duration' | 'changes'> {
  readonly parts?: readonly ReceiptPart[]
  readonly compared: { readonly found: TableFingerprint; readonly differences: readonly Difference[] }
}

export function receiptOf(
  { transfer, parts, checks, mended, changes, shape }: Carried,
  { output, duration, compared, changes: written, parts: files }: Outcome,
): Receipt {
  const { found, differences } = compared
  const textCompared = parts.every(({ source }) => source.textCompared)
  const rejectedRows = parts.reduce((sum, { source }) => sum + source.rejectedRows, 0)
  return {
    ...sourcesOf(parts),
    output,
    ...(files ? { parts: files } : {}),
    ...(shape ? { shape } : {}),
    createdAt: new Date().toISOString(),
    duration,
    expected: transfer.expected,
    found,
    differences,
    changes: [...(shape ? [shapeNote(shape, transfer.rows)] : []), ...changes, ...written],
    notes: parts.flatMap(({ source, notes }) => (parts.length > 1 ? notes.map((note) => ofFile(note, source)) : notes)),
    ...(textCompared ? { textCompared: true } : {}),
    rejectedRows,
    ...(mended.length > 0 ? { mended } : {}),
    ...(checks.length > 0 ? { checks } : {}),
    verdict: differences.length === 0 ? 'match' : 'mismatch',
  }
}

/** Rows that a statement filters out don't count as left out: the receipt says what it read and what it returned. */
function shapeNote({ tables }: ReceiptShape, rows: number): Note {
  const read = tables.reduce((sum, table) => sum + table.read.rows, 0)
  const message = `A statement shaped what was read: of ${plural(read, 'row')} it made ${plural(rows, 'row')}.`
  return { code: 'shaped', message }
}

function sourcesOf(parts: readonly CarriedInput[]): Pick<Receipt, 'source' | 'sources'> {
  const sources = parts.map(({ source }) => source)
  const [only] = sources
  if (only && sources.length === 1) {
    const { name, size, format, table, settings } = only
    return { source: { name, size, format, table, ...(settings ? { settings } : {}) } }
  }
  const formats = [...new Set(sources.map(({ format }) => format))]
  const size = sources.reduce((sum, each) => sum + each.size, 0)
  return {
    source: {
      name: `${sources.length} ${sources.every(({ table }) => table === null) ? 'files' : 'tables'}`,
      size,
      format: formats.join(', '),
      table: null,
    },
    sources,
  }
}

const ofFile = (note: Note, { name, table }: ReceiptSource): Note => ({
  ...note,
  message: `“${table === null ? name : `${name}, ${table}`}”: ${note.message}`,
})

/** Inspection and conversion read the same file, so they must count the same rows. */
export function refuseOtherRows(name: string, { table }: PlannedTable, transferred: Transferred): void {
  const rows = transferred.rows + transferred.rejectedRows
  if (!table.found || table.found.rows === rows) return
  throw new EngineError(
    'file-changed',
    `“${name}” has ${plural(rows, 'row')} now; it had ${formatCount(table.found.rows)} when it was added.`,
    {
      ...(table.name === null ? {} : { place: `sheet “${table.name}”` }),
      remedy: 'Add the file again.',
    },
  )
}

/** Inspection and conversion read the same text, so they must find the same cells: a misreading shows as a difference. */
export function refuseOtherText(name: string, planned: PlannedTable, { checksums }: Transferred): void {
  const { table, columns } = planned
  const expected = checksumsOf(planned)
  const differing = columns.find(
    (_, i) => checksums !== null && expected[i] !== undefined && checksums[i] !== expected[i],
  )
  if (!differing) return
  const column = differing.name || `column ${differing.index + 1}`
  throw new EngineError(
    'file-changed',
    `“${name}” isn’t read as it was when it was added: “${column}” holds other text.`,
    {
      ...(table.name === null ? {} : { place: `sheet “${table.name}”` }),
      remedy: 'Add the file again. If that doesn’t help, this is a bug in Rowhouse: please report it.',
    },
  )
}

function isTextCompared(planned: PlannedTable, { checksums }: Transferred): boolean {
  const expected = checksumsOf(planned)
  return (
    checksums !== null && planned.columns.every(({ nesting }, i) => nesting !== undefined || expected[i] !== undefined)
  )
}

/** The columns' text checksums from the inspection. */
function checksumsOf({ table, columns }: PlannedTable): (string | undefined)[] {
  return columns.map((column) => foundOf(table, column)?.checksum)
}

export function refuseMismatch(receipts: readonly Receipt[]): void {
  const receipt = receipts.find(({ verdict }) => verdict === 'mismatch')
  const [first, ...others] = receipt?.differences ?? []
  if (!receipt || !first) return
  const what = first.column === null ? `the ${first.what}` : `${first.what} of column “${first.column}”`
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  throw new EngineError(
    'verification',
    `The output was discarded: read back, it isn’t what was read from the source (${what}: ${first.expected} became ${first.found}${more}).`,
    {
      remedy: 'Convert to another format, or leave the column out. This is a bug in Rowhouse: please report it.',
      details: receipt,
    },
  )
}
