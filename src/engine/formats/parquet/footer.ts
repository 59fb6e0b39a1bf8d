import { EngineError } from '../../errors.ts'
import { formatBytes, sliceBytes } from '../../../lib/bytes.ts'
import { ThriftError, ThriftReader, TYPE } from './thrift.ts'

/** Physical types. */
export const PHYSICAL = { boolean: 0, int32: 1, int64: 2, int96: 3, float: 4, double: 5, bytes: 6, fixed: 7 } as const
export const CONVERTED_INTERVAL = 21
export const CONVERTED_DECIMAL = 5
export const CONVERTED_MAP = 1
export const CONVERTED_MAP_KEY_VALUE = 2
const CONVERTED_ENUM = 4

export const CODECS = ['uncompressed', 'snappy', 'gzip', 'lzo', 'brotli', 'lz4', 'zstd', 'lz4_raw'] as const

/** `LogicalType` is a union: the id of the field that is set determines the type. */
const LOGICAL = [
  undefined,
  'string',
  'map',
  'list',
  'enum',
  'decimal',
  'date',
  'time',
  'timestamp',
  undefined,
  'integer',
  'null',
  'json',
  'bson',
  'uuid',
  'float16',
  'variant',
  'geometry',
  'geography',
] as const
type LogicalType = Exclude<(typeof LOGICAL)[number], undefined>

/** Position of an item in the footer's bytes, needed by `neutral.ts`. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface SchemaElement {
  name: string
  /** Absent for groups. */
  physical?: number
  typeLength?: number
  /** 0 required, 1 optional, 2 repeated. */
  repetition: number
  children: number
  converted?: number
  logical?: LogicalType
  /** Times and timestamps: 1 milliseconds, 2 microseconds, 3 nanoseconds. */
  unit?: number
  utc?: boolean
  precision?: number
  scale?: number
  span: Span
}

export interface ColumnChunk {
  physical: number
  codec: number
  values: number
  compressed: number
  uncompressed: number
  /** Total bytes of its texts, counting repeated ones each time; 0 if the writer doesn't provide it. */
  unencoded: number
  /** Offset of its data pages; 0 if the writer doesn't provide it, or wrote 0 because there are none. */
  dataStart: number
  dictionaryStart: number | undefined
  nulls?: number
  min?: Uint8Array
  max?: Uint8Array
  /** Whether it has statistics that don't fit its type. */
  oddStatistics: boolean
  encrypted: boolean
  /** Position of its metadata in the footer. */
  span: Span
}

interface RowGroup {
  rows: number
  columns: ColumnChunk[]
}

export interface Footer {
  readonly rows: number
  readonly createdBy: string
  /** Depth first, starting with the root. */
  readonly elements: readonly SchemaElement[]
  readonly rowGroups: readonly RowGroup[]
  readonly keys: readonly { readonly key: string; readonly span: Span }[]
  /** Positions of empty lists: some writers don't set their element type. */
  readonly emptyLists: readonly number[]
  /** The footer's bytes, and their offset in the file. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly start: number
}

const MAX_FOOTER = 512 * 1024 * 1024
const DAMAGED = 'Fetch or export the file again: this copy is not complete.'

/**
 * Reads a Parquet file's footer: a few kilobytes at its end, which describe its structure.
 * @see https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
 * @throws {EngineError} `corrupt-file` if it's truncated or damaged, `password-protected` if it's encrypted
 */
export async function readFooter(file: Blob): Promise<Footer> {
  const { size } = file
  const tail = await sliceBytes(file, Math.max(0, size - 8), size)
  const head = await sliceBytes(file, 0, Math.min(4, size))
  const magic = text(tail.subarray(-4))
  if (magic === 'PARE' || text(head) === 'PARE') {
    throw new EngineError('password-protected', 'The Parquet file is encrypted.', {
      remedy: 'Export it again without encryption.',
    })
  }
  if (size < 12 || magic !== 'PAR1' || text(head) !== 'PAR1') {
    throw new EngineError('corrupt-file', 'The Parquet file is cut short: its end, which describes it, is missing.', {
      place: `byte ${size.toLocaleString('en-US')}, the file’s last`,
      remedy: DAMAGED,
    })
  }
  const length = new DataView(tail.buffer).getUint32(0, true)
  const start = size - 8 - length
  if (start < 4) throw damaged(`The footer says that it’s ${formatBytes(length)} long, more than the file.`, size - 8)
  if (length > MAX_FOOTER) throw damaged(`The footer says that it’s ${formatBytes(length)} long.`, size - 8)
  const bytes = await sliceBytes(file, start, size - 8)
  try {
    return parseFooter(bytes, start)
  } catch (error) {
    if (error instanceof ThriftError) throw damaged(`The footer is damaged: ${error.message}.`, start + error.at, error)
    throw error
  }
}

function damaged(message: string, at: number, cause?: unknown): EngineError {
  return new EngineError('corrupt-file', message, {
    place: `byte ${at.toLocaleString('en-US')}`,
    remedy: DAMAGED,
    cause,
  })
}

const text = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

/** @throws {ThriftError} */
function parseFooter(bytes: Uint8Array<ArrayBuffer>, start: number): Footer {
  const reader = new ThriftReader(bytes)
  let rows = -1
  let createdBy = ''
  const elements: SchemaElement[] = []
  const rowGroups: RowGroup[] = []
  const keys: { key: string; span: Span }[] = []
  const emptyLists: number[] = []
  reader.struct(({ id, type, value }) => {
    if ((id === 4 || id === 5) && bytes[value] >> 4 === 0) emptyLists.push(value)
    if (id === 2) reader.list(type, () => elements.push(schemaElement(reader)))
    else if (id === 3) rows = reader.int(type)
    else if (id === 4) reader.list(type, () => rowGroups.push(rowGroup(reader)))
    else if (id === 5) reader.list(type, () => keys.push(keyValue(reader)))
    else if (id === 6) createdBy = reader.text(type)
    else return false
    return true
  })
  const total = rowGroups.reduce((sum, group) => sum + group.rows, 0)
  if (elements.length === 0) reader.fail('there is no schema')
  if (rows < 0 || rows !== total) reader.fail(`it counts ${rows} rows, its row groups ${total}`)
  const leaves = countLeaves(elements, reader)
  for (const group of rowGroups) {
    if (group.columns.length !== leaves) reader.fail('a row group has not as many columns as the schema')
  }
  return { rows, createdBy, elements, rowGroups, keys, emptyLists, bytes, start }
}

function countLeaves(elements: readonly SchemaElement[], reader: ThriftReader): number {
  let leaves = 0
  let open = 1
  for (const [i, element] of elements.entries()) {
    open += element.children - 1
    if (element.physical !== undefined) leaves++
    else if (element.children === 0 && i > 0) reader.fail(`column “${element.name}” has no type`)
    if (open < 0 || (open === 0 && i < elements.length - 1)) reader.fail('the schema is not a tree')
  }
  if (open !== 0) reader.fail('the schema is not a tree')
  return leaves
}

function schemaElement(reader: ThriftReader): SchemaElement {
  const start = reader.at
  const element: SchemaElement = { name: '', repetition: 0, children: 0, span: { start, end: start } }
  reader.struct(({ id, type }) => {
    if (id === 1) element.physical = reader.int(type)
    else if (id === 2) element.typeLength = reader.int(type)
    else if (id === 3) element.repetition = reader.int(type)
    else if (id === 4) element.name = reader.text(type)
    else if (id === 5) element.children = reader.int(type)
    else if (id === 6) element.converted = reader.int(type)
    else if (id === 7) element.scale = reader.int(type)
    else if (id === 8) element.precision = reader.int(type)
    else if (id === 10) logicalType(reader, element)
    else return false
    return true
  })
  element.span = { start, end: reader.at }
  if (element.children < 0 || element.children > reader.bytes.length) reader.fail('a count out of bounds')
  if (element.children > 0) delete element.physical
  if (element.logical === undefined && element.converted === CONVERTED_ENUM) element.logical = 'enum'
  return element
}

function logicalType(reader: ThriftReader, element: SchemaElement): void {
  reader.struct(({ id, type }) => {
    const logical = LOGICAL[id]
    if (logical === undefined || type !== TYPE.struct) return false
    element.logical = logical
    if (logical === 'decimal') {
      decimalType(reader, element)
      return true
    }
    if (logical !== 'time' && logical !== 'timestamp') return false
    reader.struct((field) => {
      if (field.id === 1) element.utc = reader.boolean(field.type)
      else if (field.id === 2 && field.type === TYPE.struct) {
        reader.struct((unit) => {
          element.unit = unit.id
          return false
        })
      } else return false
      return true
    })
    return true
  })
}

function decimalType(reader: ThriftReader, element: SchemaElement): void {
  reader.struct(({ id, type }) => {
    if (id !== 1 && id !== 2) return false
    const value = reader.int(type)
    if (id === 1) element.scale ??= value
    else element.precision ??= value
    return true
  })
}

function keyValue(reader: ThriftReader): { key: string; span: Span } {
  let key = ''
  let span: Span = { start: 0, end: 0 }
  reader.struct(({ id, type }) => {
    if (id !== 1) return false
    key = reader.text(type)
    span = { start: reader.at - new TextEncoder().encode(key).length, end: reader.at }
    return true
  })
  return { key, span }
}

function rowGroup(reader: ThriftReader): RowGroup {
  const group: RowGroup = { rows: -1, columns: [] }
  reader.struct(({ id, type }) => {
    if (id === 1) reader.list(type, () => group.columns.push(columnChunk(reader)))
    else if (id === 3) group.rows = reader.int(type)
    else return false
    return true
  })
  if (group.rows < 0) reader.fail('a row group without a count of rows')
  return group
}

function columnChunk(reader: ThriftReader): ColumnChunk {
  const chunk: ColumnChunk = {
    physical: -1,
    codec: 0,
    values: 0,
    compressed: 0,
    uncompressed: 0,
    unencoded: 0,
    dataStart: 0,
    dictionaryStart: undefined,
    oddStatistics: false,
    encrypted: false,
    span: { start: 0, end: 0 },
  }
  reader.struct(({ id, type }) => {
    if (id === 3 && type === TYPE.struct) columnMetaData(reader, chunk)
    else if (id === 8) {
      chunk.encrypted = true
      return false
    } else return false
    return true
  })
  return chunk
}

function columnMetaData(reader: ThriftReader, chunk: ColumnChunk): void {
  const start = reader.at
  reader.struct(({ id, type }) => {
    if (id === 1) chunk.physical = reader.int(type)
    else if (id === 4) chunk.codec = reader.int(type)
    else if (id === 5) chunk.values = reader.int(type)
    else if (id === 6) chunk.uncompressed = reader.int(type)
    else if (id === 7) chunk.compressed = reader.int(type)
    else if (id === 9) chunk.dataStart = reader.int(type)
    else if (id === 11) chunk.dictionaryStart = reader.int(type)
    else if (id === 12 && type === TYPE.struct) statistics(reader, chunk)
    else if (id === 16 && type === TYPE.struct) sizes(reader, chunk)
    else return false
    return true
  })
  chunk.span = { start, end: reader.at }
}

function sizes(reader: ThriftReader, chunk: ColumnChunk): void {
  reader.struct(({ id, type }) => {
    if (id !== 1) return false
    chunk.unencoded = reader.int(type)
    return true
  })
}

/** Bytes per value, by physical type. */
const WIDTHS: readonly (number | undefined)[] = [1, 4, 8, 12, 4, 8]

function statistics(reader: ThriftReader, chunk: ColumnChunk): void {
  const width = WIDTHS[chunk.physical]
  const bound = (type: number): Uint8Array => {
    const bytes = reader.binary(type)
    chunk.oddStatistics ||= width !== undefined && bytes.length !== width
    return bytes
  }
  reader.struct(({ id, type }) => {
    // `min` and `max` (1 and 2) have no defined order for unsigned values: only `min_value` and `max_value` count.
    if (id === 1 || id === 2) bound(type)
    else if (id === 3) chunk.nulls = reader.int(type)
    else if (id === 4) chunk.oddStatistics ||= reader.int(type) < 0
    else if (id === 5) chunk.max = bound(type)
    else if (id === 6) chunk.min = bound(type)
    else return false
    return true
  })
  chunk.oddStatistics ||= chunk.nulls !== undefined && chunk.nulls < 0
}
