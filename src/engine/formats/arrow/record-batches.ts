import type { Data } from 'apache-arrow'
import { EngineError } from '../../errors.ts'
import { valueType } from './arrow-type.ts'
import { extents, readBuffers, type Body, type Extent } from './body.ts'
import { asCorrupt, corrupt, messageAt, type Layout } from './layout.ts'
import { Loader, type Dictionaries } from './load.ts'
import type { IpcBatch, IpcField } from '../../arrow/ipc/metadata.ts'
import { checkpoint } from '../../../lib/yielding.ts'

interface ColumnBatch {
  /** The requested columns, in that order, with the file's types. */
  readonly data: readonly Data[]
  readonly length: number
  /** Offset in the file where the batch ends. */
  readonly bytes: number
}

/** Adjacent columns are read with one slice up to this size. */
const RUN_BYTES = 32 * 1024 * 1024

/**
 * Reads the record batches of a file, but only the bytes of the requested columns.
 * @throws {EngineError} `corrupt-file` that names the batch
 */
export async function* readRecordBatches(
  file: Blob,
  { schema, messages }: Layout,
  columns: readonly number[],
  signal: AbortSignal,
): AsyncGenerator<ColumnBatch, void, undefined> {
  const chosen = columns.map((column) => schema.fields[column])
  const wanted = dictionaryFields(chosen)
  const dictionaries: Dictionaries = new Map()
  const total = messages.filter(({ kind }) => kind === 'batch').length
  let number = 0
  for (const at of messages) {
    const place = at.kind === 'batch' ? `record batch ${++number} of ${total}` : 'a dictionary'
    const message = await messageAt(file, at, place)
    const body: Body = { file, start: at.offset + at.metadata, size: message.body }
    try {
      if (message.kind === 'dictionary') {
        const field = wanted.get(message.id)
        if (!field) continue
        const [data] = await loadColumns([field], message.batch, body, [0], dictionaries)
        const known = message.delta ? (dictionaries.get(message.id) ?? []) : []
        dictionaries.set(message.id, [...known, data])
      } else if (message.kind === 'batch') {
        const { batch } = message
        const data = await loadColumns(schema.fields, batch, body, columns, dictionaries)
        if (data.some(({ length }) => length !== batch.rows)) {
          throw corrupt('A column has another number of rows than its record batch.', place)
        }
        yield { data, length: batch.rows, bytes: at.offset + at.metadata + at.body }
      }
    } catch (error) {
      throw asCorrupt(error, place)
    }
    await checkpoint(signal)
  }
}

/** The fields that define the layout of each dictionary's values, by its id. */
function dictionaryFields(fields: readonly IpcField[]): Map<bigint, IpcField> {
  const found = new Map<bigint, IpcField>()
  const visit = (field: IpcField): void => {
    if (field.dictionary) found.set(field.dictionary.id, { ...field, dictionary: null })
    for (const child of field.children) visit(child)
  }
  for (const field of fields) visit(field)
  return found
}

async function loadColumns(
  fields: readonly IpcField[],
  batch: IpcBatch,
  body: Body,
  columns: readonly number[],
  dictionaries: Dictionaries,
): Promise<Data[]> {
  if (batch.rows > 2 ** 31 - 1) throw new EngineError('too-large', 'A record batch has more than 2,147,483,647 rows.')
  const where = extents(fields, batch)
  const buffers = await readBuffers(batch, body, runs(where, batch, columns))
  return columns.map((column) => {
    const field = fields[column]
    const loader = new Loader(batch, buffers, dictionaries, where[column])
    return field.dictionary ? loader.load(field) : loader.load(field, valueType(field))
  })
}

/** Ranges of buffers that the columns need; adjacent ones are merged. */
function runs(where: readonly Extent[], batch: IpcBatch, columns: readonly number[]): [number, number][] {
  const result: [number, number][] = []
  let size = 0
  for (const column of [...new Set(columns)].sort((a, b) => a - b)) {
    const from = where[column].buffer
    const to = where[column + 1].buffer
    let bytes = 0
    for (let i = from; i < to; i++) bytes += batch.buffers[i * 2 + 1] ?? 0
    const last = result.at(-1)
    if (last && last[1] === from && size + bytes <= RUN_BYTES) {
      last[1] = to
      size += bytes
    } else {
      result.push([from, to])
      size = bytes
    }
  }
  return result
}
