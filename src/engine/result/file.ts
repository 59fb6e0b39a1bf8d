import type { Data } from 'apache-arrow'
import { checkpoint } from '../../lib/abort.ts'
import { scalar, type Column, type ColumnType } from '../../tables/types.ts'
import { makeColumnBuilder } from '../arrow/builder.ts'
import { batchFromColumns } from '../arrow/normalize.ts'
import { isNull } from '../arrow/text.ts'
import { EngineError } from '../errors.ts'
import { proposeNames } from '../formats/arrow/names.ts'
import { openTypedWriter } from '../formats/arrow/writer.ts'
import type { ByteSink } from '../io/sink.ts'
import type { ResultColumn } from '../sql-session.ts'
import type { Batches } from './batches.ts'

const HUGEINT = scalar('HUGEINT')
const MIME = 'application/vnd.apache.arrow.file'
const NEVER = new AbortController().signal

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
 * are empty or there already get one of their own, as in files that are read. A HUGEINT column with 39 digits in it
 * stays text: no file format that is written holds them as numbers.
 */
export async function arrowFile(batches: Batches, columns: readonly ResultColumn[], name: string): Promise<File> {
  const names = proposeNames(columns.map((column) => column.name))
  const own = columns.map((column, i): Column => ({ name: names[i].name, type: fileType(batches, column, i) }))
  const sink = new BlobSink()
  const writer = openTypedWriter(sink, { signal: NEVER, progress: () => undefined })
  await writer.begin({ name, columns: own })
  for (let batch = 0; batch < batches.count; batch++) {
    const data = own.map(({ type }, i) => {
      const column = batches.column(batch, i)
      return isHugeint(type) ? hugeints(column) : column
    })
    await writer.write(batchFromColumns(data, batches.rowsOf(batch)))
    await checkpoint(NEVER)
  }
  await writer.finish()
  return sink.file(name)
}

function fileType(batches: Batches, { type }: ResultColumn, column: number): ColumnType {
  const carried = batches.types[column]
  if (type === 'HUGEINT') return longest(batches, column) > 38 ? carried : HUGEINT
  return type === 'INTERVAL' ? scalar('INTERVAL') : carried
}

const isHugeint = (type: ColumnType): boolean => type.kind === 'scalar' && type.name === 'HUGEINT'

/** Digits of the longest of a column's integers, which are carried as text. */
function longest(batches: Batches, column: number): number {
  let digits = 0
  for (let batch = 0; batch < batches.count; batch++) {
    const { valueOffsets: offsets, values, length } = batches.column(batch, column)
    for (let row = 0; row < length; row++) {
      const size = offsets[row + 1] - offsets[row]
      if (size > digits) digits = Math.max(digits, values[offsets[row]] === 0x2d ? size - 1 : size)
    }
  }
  return digits
}

function hugeints(texts: Data): Data {
  const builder = makeColumnBuilder(HUGEINT)
  const offsets: Int32Array = texts.valueOffsets
  for (let row = 0; row < texts.length; row++) {
    if (isNull(texts, row)) builder.appendNull()
    else if (!builder.appendText(texts.values, offsets[row], offsets[row + 1])) {
      throw new EngineError('internal', 'An integer of the result isn’t one.')
    }
  }
  return builder.finish()
}
