import { columnNames } from '../../../tables/names.ts'
import type { Data } from 'apache-arrow'
import { NEVER } from '../../../lib/abort.ts'
import { VARCHAR, type Column, type ColumnType } from '../../../tables/types.ts'
import { batchFromColumns } from '../../arrow/batch.ts'
import { openTypedWriter } from '../../formats/arrow/writer.ts'
import type { ByteSink } from '../../../lib/sink.ts'
import type { ResultColumn } from '../session-types.ts'
import { childType } from '../../arrow/types.ts'
import { tableType } from '../../arrow/duckdb-types.ts'
import type { Batches } from './batches.ts'
import { withHugeints } from './hugeints.ts'
import { instantTexts } from './instants.ts'
import type { TimeZone } from '../functions/zones/zone.ts'
import { checkpoint } from '../../../lib/yielding.ts'

const MIME = 'application/vnd.apache.arrow.file'
/** Bytes that are gathered before they're handed to the browser, which keeps them where it likes. */
const PART_BYTES = 8 * 1024 * 1024

class BlobSink implements ByteSink {
  size = 0
  private readonly blobs: Blob[] = []
  private parts: Uint8Array<ArrayBuffer>[] = []
  private gathered = 0

  write(bytes: Uint8Array): Promise<void> {
    this.parts.push(bytes as Uint8Array<ArrayBuffer>)
    this.gathered += bytes.length
    this.size += bytes.length
    if (this.gathered >= PART_BYTES) this.flush()
    return Promise.resolve()
  }

  private flush(): void {
    this.blobs.push(new Blob(this.parts))
    this.parts = []
    this.gathered = 0
  }

  file(name: string): File {
    this.flush()
    return new File(this.blobs, name, { type: MIME })
  }
}

/**
 * All rows as an Arrow file whose columns the engine's reader gives the types that they have here. Column names that
 * are empty or there already get one of their own, as in files that are read. HUGEINT with 39 digits stays text: no file
 * format that is written holds them as numbers. The fields say what is text here and has a type of its own.
 * @param zones by whose clocks columns of times are written, as text
 */
export async function arrowFile(
  batches: Batches,
  columns: readonly ResultColumn[],
  { name, zones }: { readonly name: string; readonly zones: readonly (TimeZone | null)[] },
): Promise<File> {
  const names = columnNames(columns.map((column) => column.name))
  const asText: string[] = []
  const own = columns.map((column, i): Column => {
    if (zones[i]) {
      asText.push('')
      return { name: names[i], type: VARCHAR }
    }
    const declared = tableType(column.type)
    const kept = new Set(declared.asText)
    const parts = Array.from({ length: batches.count }, (_, batch) => batches.column(batch, i))
    const type = fileType(declared.type, parts, kept)
    asText.push([...kept].join(', '))
    return { name: names[i], type }
  })
  const sink = new BlobSink()
  const writer = openTypedWriter(sink, { signal: NEVER, progress: () => undefined }, asText)
  await writer.begin({ name, columns: own })
  for (let batch = 0; batch < batches.count; batch++) {
    const data = own.map(({ type }, i) => {
      const zone = zones[i]
      return zone ? instantTexts(batches.column(batch, i), zone) : withHugeints(type, batches.column(batch, i))
    })
    await writer.write(batchFromColumns(data, batches.rowsOf(batch)))
    await checkpoint(NEVER)
  }
  await writer.finish()
  return sink.file(name)
}

/**
 * The type of a column in the file.
 * @param parts the column's batches, in which integers of 128 bits are text
 * @param asText gets the names of types that stay text
 */
function fileType(type: ColumnType, parts: readonly Data[], asText: Set<string>): ColumnType {
  const within = (own: ColumnType, child: number): ColumnType =>
    fileType(
      own,
      parts.map(({ children }) => children[child]),
      asText,
    )
  switch (type.kind) {
    case 'decimal':
      return type
    case 'scalar':
      if (type.name !== 'HUGEINT' || parts.every((part) => longest(part) <= 38)) return type
      asText.add(type.name)
      return VARCHAR
    case 'list':
      return { kind: 'list', item: within(type.item, 0) }
    case 'struct':
      return { kind: 'struct', fields: type.fields.map(({ name, type: own }, i) => ({ name, type: within(own, i) })) }
    case 'map': {
      const entries = within(childType(type, 0), 0)
      return { kind: 'map', key: childType(entries, 0), value: childType(entries, 1) }
    }
  }
}

/** Digits of the longest of integers that are carried as text. */
function longest({ valueOffsets: offsets, values, length }: Data): number {
  let digits = 0
  for (let row = 0; row < length; row++) {
    const size = offsets[row + 1] - offsets[row]
    if (size > digits) digits = Math.max(digits, values[offsets[row]] === 0x2d ? size - 1 : size)
  }
  return digits
}
