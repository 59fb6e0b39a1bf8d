import { columnNames } from '../../../tables/names.ts'
import type { ColumnFlag, InspectedColumn, Note, Proposal } from '../../../tables/plan.ts'
import { PLAIN_TEXT } from '../../../tables/meaning.ts'
import { printType, scalar, VARCHAR, type ColumnType } from '../../../tables/types.ts'
import { formatCount, plural } from '../../../lib/counts.ts'
import { ColumnInference } from '../../columns/infer/column-inference.ts'
import { inferredColumn, inferType } from '../../columns/infer/column-type.ts'
import { SPECIAL } from '../../columns/infer/kinds.ts'
import { valueCount, type ColumnStats, type InferredType } from '../../columns/infer/column-stats.ts'
import { proposalsOf } from '../../columns/infer/proposals.ts'
import { asTextNote } from '../shared/adapt.ts'
import type { Cell } from './cells.ts'
import type { SchemaColumn } from './schema.ts'

/** In SQLite, values have types, not columns, so a column's type is inferred from all its values. */
export class ColumnValues {
  private readonly inference = new ColumnInference('json')
  private blobs = 0

  add(cell: Cell | null): void {
    if (cell === null) this.inference.observeNull()
    else if (cell.kind === 'blob') {
      this.blobs++
      this.inference.observeNull()
    } else if (cell.kind === 'text') this.inference.observe(cell.text, 0, cell.text.length)
    else if (isInfinite(cell.text)) this.inference.observeKind(SPECIAL, cell.text, 0, cell.text.length)
    else this.inference.observeNumber(cell.text, 0, cell.text.length)
  }

  /** Statistics of the values, and the number of blobs, which the statistics don't include. */
  summary(): { readonly stats: ColumnStats; readonly blobs: number } {
    return { stats: this.inference.stats(), blobs: this.blobs }
  }
}

/** `Infinity`, or with a sign: digits are never an I. */
const isInfinite = (text: Uint8Array): boolean => text[0] === 0x49 || text[1] === 0x49

/** Types proposed for texts: SQLite has no such types, so only the person can decide. */
const PROPOSED: ReadonlyMap<string, string> = new Map([
  ['DATE', 'dates'],
  ['TIME', 'times of day'],
  ['TIMESTAMP', 'dates with times'],
  ['TIMESTAMP_NS', 'dates with times'],
  ['TIMESTAMP WITH TIME ZONE', 'dates with times and offsets'],
])

/** The columns of a table here, with notes about them. */
export function inspectedColumns(
  columns: readonly SchemaColumn[],
  values: readonly ColumnValues[],
): { readonly columns: InspectedColumn[]; readonly notes: Note[] } {
  const names = columnNames(columns.map(({ name }) => name))
  const notes: Note[] = []
  const inspected = columns.map(({ name: source, declared }, index): InspectedColumn => {
    const { stats, blobs } = values[index].summary()
    const found = foundType(stats, blobs)
    const { reason, flags, nulls } = inferredColumn(stats, found)
    const proposals = proposed(stats, found)
    const name = names[index]
    const isMixed = blobs > 0 && found.type === VARCHAR
    if (isMixed) notes.push(...asTextNote(name, 'BLOB', blobs))
    const all: ColumnFlag[] = [...flags]
    if (isMixed) all.push('as-text')
    if (name !== source) all.push('renamed')
    return {
      index,
      source,
      name,
      type: printType(found.type),
      reason: declared === '' ? reason : `${reason} It’s declared as ${declared}.`,
      flags: all,
      nulls: nulls - blobs,
      ...(proposals.length > 0 ? { proposals } : {}),
    }
  })
  return { columns: inspected, notes }
}

function foundType(stats: ColumnStats, blobs: number): InferredType {
  const count = valueCount(stats)
  if (blobs > 0) {
    if (count === 0)
      return {
        type: scalar('BLOB'),
        reason: blobs === 1 ? 'The one value is bytes.' : `All ${plural(blobs, 'value')} are bytes.`,
      }
    const reason = `${formatCount(blobs)} of ${plural(count + blobs, 'value')} ${blobs === 1 ? 'is' : 'are'} bytes, the others aren’t.`
    return { type: VARCHAR, reason, flags: ['mixed-types'] }
  }
  const found = inferType(stats, 'json', {})
  // SQLite's integers have up to 64 bits, whatever values the file has.
  if (isInteger(found.type)) return { ...found, type: scalar('BIGINT') }
  return PROPOSED.has(printType(found.type)) ? { type: VARCHAR, reason: PLAIN_TEXT } : found
}

const isInteger = (type: ColumnType): boolean => printType(type) === 'INTEGER'

function proposed(stats: ColumnStats, found: InferredType): Proposal[] {
  const type = printType(inferType(stats, 'json', {}).type)
  const words = PROPOSED.get(type)
  if (words === undefined || found.type !== VARCHAR) return proposalsOf(stats, {}, found)
  const count = valueCount(stats)
  const from = stats.firstTexts.find((text) => text !== '') ?? ''
  return [
    {
      code: 'iso-dates',
      label: `Apply: ${words}`,
      message: `${plural(count, 'value')} would become ${words}, such as “${from}”.`,
      count,
      change: { kind: 'column', patch: { type } },
    },
  ]
}
