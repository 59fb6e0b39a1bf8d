import { onceAFile } from '../shared/once-a-file.ts'
import { columnNames } from '../../../tables/names.ts'
import type { RecordBatch } from 'apache-arrow'
import type { ColumnFlag, InspectedColumn, Inspection, Note } from '../../../tables/plan.ts'
import { isNested, printType, sameType } from '../../../tables/types.ts'
import { normalizeBatch } from '../../arrow/normalize.ts'
import { BATCH_BYTES, BATCH_ROWS, batchFromColumns } from '../../arrow/batch.ts'
import { EngineError } from '../../errors.ts'
import type { EngineContext, FormatReader, ReadBatch, ReadRequest } from '../types.ts'
import { extents } from './body.ts'
import { applyRules, eachLeaf, FinenessProbe } from '../shared/leaf-rules.ts'
import { messageAt, orCorrupt, readLayout, type Layout } from './layout.ts'
import type { IpcField } from '../../arrow/ipc/metadata.ts'
import { asTextNote } from '../shared/adapt.ts'
import { readRecordBatches } from './record-batches.ts'
import { TEXT_KEY, batchBytes } from '../shared/output-batches.ts'
import { fileTypeName, leavesOf, needsProbe, typedColumn, type TypedArrowColumn } from './typed.ts'
import { checkpoint } from '../../../lib/yielding.ts'

/** Reads Arrow IPC files (including Feather version 2) and streams. The types come from the file. */
export const arrowReader: FormatReader = { format: 'arrow', convertsTypes: false, inspect, read }

interface OpenedFile {
  readonly layout: Layout
  readonly typed: readonly TypedArrowColumn[]
  readonly rows: number
  /** Null count of each column. */
  readonly nulls: readonly number[]
}

const openFile = onceAFile(open)

async function open(file: File, context: EngineContext): Promise<OpenedFile> {
  const layout = await readLayout(file)
  const { fields } = layout.schema
  if (fields.length === 0) throw new EngineError('empty-file', 'The Arrow file has no columns.')
  const { rows, nulls } = await count(file, layout, context)
  const probes = await probe(file, layout, context)
  return { layout, typed: fields.map((field) => typedColumn(field, probes)), rows, nulls }
}

/** Counts rows and nulls from the metadata of the batches. */
async function count(file: File, layout: Layout, context: EngineContext): Promise<{ rows: number; nulls: number[] }> {
  const { fields } = layout.schema
  const nulls = fields.map(() => 0)
  const batches = layout.messages.filter(({ kind }) => kind === 'batch')
  let rows = 0
  for (const [i, at] of batches.entries()) {
    const place = `record batch ${i + 1} of ${batches.length}`
    const message = await messageAt(file, at, place)
    if (message.kind !== 'batch') continue
    const { batch } = message
    rows += batch.rows
    for (const [column, { node }] of orCorrupt(() => extents(fields, batch), place)
      .slice(0, -1)
      .entries()) {
      nulls[column] += fields[column].type.name === 'Null' ? batch.rows : (batch.nodes[node * 2 + 1] ?? 0)
    }
    context.progress({ bytes: at.offset, rows })
    if (i % 64 === 0) await checkpoint(context.signal)
  }
  return { rows, nulls }
}

/** Checks all values of columns whose unit may be finer than ours. */
async function probe(
  file: File,
  layout: Layout,
  context: EngineContext,
): Promise<ReadonlyMap<IpcField, FinenessProbe>> {
  const { fields } = layout.schema
  const probes = new Map<IpcField, FinenessProbe>()
  for (const leaf of fields.flatMap(leavesOf)) if (needsProbe(leaf)) probes.set(leaf, new FinenessProbe())
  const columns = fields.flatMap((field, i) => (leavesOf(field).some((leaf) => probes.has(leaf)) ? [i] : []))
  if (columns.length === 0) return probes
  for await (const { data } of readRecordBatches(file, layout, columns, context.signal)) {
    for (const [i, column] of columns.entries()) {
      const leaves = leavesOf(fields[column])
      eachLeaf(data[i], (leaf, at) => probes.get(leaves[at])?.look(leaf))
    }
  }
  return probes
}

async function inspect(file: File, _given: unknown, context: EngineContext): Promise<Inspection> {
  const { layout, typed, rows, nulls } = await openFile(file, context)
  context.progress({ bytes: file.size, rows })
  const { fields } = layout.schema
  const names = columnNames(fields.map(({ name }) => name))
  const notes: Note[] = typed.flatMap(({ zonedNanos }, i) => (zonedNanos ? [zoneNote(names[i])] : []))
  for (const [i, field] of fields.entries()) notes.push(...asTextNote(names[i], textTypes(field), rows - nulls[i]))
  for (const [i, { unreadable }] of typed.entries()) {
    if (unreadable) notes.push({ code: 'unreadable-column', column: names[i], message: unreadable.message })
  }
  if (!layout.ended) {
    notes.push({
      code: 'no-end-mark',
      message: 'The stream has no mark at its end: if it was cut between two record batches, there is no way to know.',
    })
  }
  const columns = fields.map((field, i): InspectedColumn => {
    const type = printType(typed[i].type)
    return {
      index: i,
      source: field.name,
      name: names[i],
      type,
      reason: reasonOf(field, typed[i]),
      flags: columnFlags(typed[i], nulls[i] === rows, names[i] !== field.name),
      nulls: nulls[i],
    }
  })
  return {
    format: 'arrow',
    settings: { kind: 'arrow', layout: layout.layout },
    tables: [{ name: null, columns, rows, rejectedCount: 0, rejected: [], notes }],
    notes: [],
  }
}

function reasonOf(field: IpcField, { type, asText, unreadable }: TypedArrowColumn): string {
  if (unreadable) return `${unreadable.message} ${unreadable.remedy ?? ''}`
  const own = fileTypeName(field, printType(type))
  if (textTypes(field) !== '') return `It was ${textTypes(field)}, which is kept as text.`
  if (own.startsWith('no type')) return `The file gives it ${own}.`
  return `The file says ${own}${asText ? '; it has more digits than can be carried, so it is kept as text' : ''}.`
}

/** Names of a column's types that its writer stored as text. */
function textTypes({ metadata }: IpcField): string {
  return metadata.get(TEXT_KEY) ?? ''
}

function columnFlags({ type, asText }: TypedArrowColumn, empty: boolean, renamed: boolean): ColumnFlag[] {
  const flags: ColumnFlag[] = []
  if (isNested(type)) flags.push('nested')
  if (asText) flags.push('as-text')
  if (empty) flags.push('empty')
  if (renamed) flags.push('renamed')
  return flags
}

function zoneNote(name: string): Note {
  return {
    code: 'zone-dropped',
    column: name,
    message: `“${name}” has times finer than a microsecond; they are kept to the nanosecond as UTC, without the zone.`,
  }
}

async function* read(file: File, request: ReadRequest, context: EngineContext): AsyncGenerator<ReadBatch> {
  const { layout, typed } = await openFile(file, context)
  for (const { index, type, source } of request.columns) {
    if (!typed[index]) throw new EngineError('invalid-plan', `The file has no column number ${index + 1}.`)
    if (typed[index].unreadable) throw typed[index].unreadable
    if (!sameType(type, typed[index].type)) {
      throw new EngineError('invalid-plan', `“${source}” is ${printType(typed[index].type)}, not ${printType(type)}.`)
    }
  }
  const indexes = request.columns.map(({ index }) => index)
  const types = request.columns.map(({ type }) => type)
  const names = request.columns.map(({ source }) => source)
  const { limit = Infinity } = request
  let rows = 0
  for await (const { data, length, bytes } of readRecordBatches(file, layout, indexes, context.signal)) {
    const ruled = data.map((column, i) => applyRules(column, typed[indexes[i]].rules))
    for (const batch of slices(await normalizeBatch(batchFromColumns(ruled, length), types, names), limit - rows)) {
      rows += batch.numRows
      context.progress({ bytes, rows })
      yield { batch, rejected: [], bytes }
      await checkpoint(context.signal)
    }
    if (rows >= limit) return
  }
  context.progress({ bytes: file.size, rows })
}

/** Slices a batch to our usual batch size. */
function* slices(batch: RecordBatch, limit: number): Generator<RecordBatch> {
  const total = Math.min(batch.numRows, limit)
  const fitting = Math.floor((BATCH_BYTES * batch.numRows) / Math.max(1, batchBytes(batch)))
  const step = Math.max(1, Math.min(BATCH_ROWS, fitting))
  if (total <= step && total === batch.numRows) {
    yield batch
    return
  }
  for (let at = 0; at < total; at += step) yield batch.slice(at, Math.min(at + step, total))
}
