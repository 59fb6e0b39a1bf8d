import { crc32, deflateRawSync } from 'node:zlib'
import type { Inspection, ReadSettings, RejectedRow } from '../../../../tables/plan.ts'
import { parseType } from '../../../../tables/types.ts'
import { cellToString } from '../../../arrow/text.ts'
import type { FormatReader } from '../../types.ts'
import { concatBytes } from '../../../../lib/bytes.ts'
import type { ZipEntry } from '../../../../lib/zip/read.ts'
import { openEntry, type ZipArchive } from '../zip.ts'
import { xlsxReader } from '../reader.ts'
import { QUIET } from '../../../testing/quiet.ts'

/* Tests only. */

export interface ZipPart {
  readonly name: string
  readonly data: string | Uint8Array
  readonly stored?: boolean
  /** Wrong values for the directory. */
  readonly declare?: {
    readonly size?: number
    readonly crc?: number
    readonly flags?: number
    readonly offset?: number
  }
}

export interface ZipOptions {
  readonly comment?: string
  readonly zip64?: boolean
  /** Write sizes and checksum after the data, with zeros before it, like programs that stream. */
  readonly descriptors?: boolean
}

const encoder = new TextEncoder()

class Bytes {
  readonly parts: Uint8Array[] = []
  length = 0

  add(bytes: Uint8Array): this {
    this.parts.push(bytes)
    this.length += bytes.length
    return this
  }

  /** Little-endian numbers as pairs of width and value. */
  numbers(...pairs: readonly (readonly [width: 2 | 4 | 8, value: number])[]): this {
    for (const [width, value] of pairs) {
      const bytes = new Uint8Array(width)
      const view = new DataView(bytes.buffer)
      if (width === 2) view.setUint16(0, value, true)
      else if (width === 4) view.setUint32(0, value, true)
      else view.setBigUint64(0, BigInt(value), true)
      this.add(bytes)
    }
    return this
  }

  take(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(Buffer.concat(this.parts))
  }
}

/** Makes a zip archive, valid or not. */
export function makeZip(parts: readonly ZipPart[], options: ZipOptions = {}): Uint8Array<ArrayBuffer> {
  const { zip64 = false, descriptors = false, comment = '' } = options
  const out = new Bytes()
  const directory = new Bytes()
  for (const part of parts) {
    const name = encoder.encode(part.name)
    const data = typeof part.data === 'string' ? encoder.encode(part.data) : part.data
    const packed = part.stored ? data : deflateRawSync(data)
    const size = part.declare?.size ?? data.length
    const crc = part.declare?.crc ?? crc32(data)
    const flags = (part.declare?.flags ?? 0) | (descriptors ? 8 : 0)
    const offset = part.declare?.offset ?? out.length
    const method = part.stored ? 0 : 8
    const local = descriptors ? [0, 0, 0] : [crc, packed.length, size]
    out.numbers([4, 0x04034b50], [2, 20], [2, flags], [2, method], [4, 0])
    out.numbers([4, local[0]], [4, local[1]], [4, local[2]], [2, name.length], [2, 0]).add(name).add(packed)
    if (descriptors) out.numbers([4, 0x08074b50], [4, crc], [4, packed.length], [4, size])
    directory.numbers([4, 0x02014b50], [2, 20], [2, 20], [2, flags], [2, method], [4, 0], [4, crc])
    if (zip64) {
      directory.numbers([4, 0xffffffff], [4, 0xffffffff], [2, name.length], [2, 28], [2, 0], [2, 0], [2, 0], [4, 0])
      directory.numbers([4, 0xffffffff]).add(name)
      directory.numbers([2, 1], [2, 24], [8, size], [8, packed.length], [8, offset])
    } else {
      directory.numbers([4, packed.length], [4, size], [2, name.length], [2, 0], [2, 0], [2, 0], [2, 0], [4, 0])
      directory.numbers([4, offset]).add(name)
    }
  }
  const start = out.length
  out.add(directory.take())
  if (zip64) {
    const end = out.length
    out.numbers([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, parts.length], [8, parts.length])
    out.numbers([8, directory.length], [8, start], [4, 0x07064b50], [4, 0], [8, end], [4, 1])
    out.numbers([4, 0x06054b50], [4, 0], [2, 0xffff], [2, 0xffff], [4, 0xffffffff], [4, 0xffffffff])
  } else {
    out.numbers([4, 0x06054b50], [4, 0], [2, parts.length], [2, parts.length], [4, directory.length], [4, start])
  }
  return out.numbers([2, comment.length]).add(encoder.encode(comment)).take()
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

export interface BookParts {
  /** XML inside `<sheetData>`; or a whole part, if it begins with `<?xml` or isn't a string. */
  readonly sheets: readonly (string | Uint8Array)[]
  /** XML inside `<sst>`; by default there's no such part. */
  readonly strings?: string
  /** XML inside `<styleSheet>`. */
  readonly styles?: string
  readonly workbookPr?: string
  readonly names?: readonly string[]
}

/** Makes a workbook's parts. */
export function bookParts(book: BookParts): ZipPart[] {
  const { sheets, strings, styles, names = [] } = book
  const list = sheets.map((_, i) => `<sheet name="${names[i] ?? `S${i + 1}`}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`
  const relations = [
    ...sheets.map((_, i) => relation(`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`)),
    ...(strings === undefined ? [] : [relation('strings', 'sharedStrings', 'sharedStrings.xml')]),
    ...(styles === undefined ? [] : [relation('styles', 'styles', 'styles.xml')]),
  ]
  return [
    {
      name: '_rels/.rels',
      data: `<Relationships xmlns="${PACKAGE}">${relation('a', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      data: `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${book.workbookPr ?? ''}<sheets>${list.join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: `<Relationships xmlns="${PACKAGE}">${relations.join('')}</Relationships>`,
    },
    ...(strings === undefined ? [] : [{ name: 'xl/sharedStrings.xml', data: `<sst xmlns="${MAIN}">${strings}</sst>` }]),
    ...(styles === undefined
      ? []
      : [{ name: 'xl/styles.xml', data: `<styleSheet xmlns="${MAIN}">${styles}</styleSheet>` }]),
    ...sheets.map((sheet, i) => ({
      name: `xl/worksheets/sheet${i + 1}.xml`,
      data:
        typeof sheet !== 'string' || sheet.startsWith('<?xml')
          ? sheet
          : `<worksheet xmlns="${MAIN}"><sheetData>${sheet}</sheetData></worksheet>`,
    })),
  ]
}

export function makeBook(book: BookParts, options?: ZipOptions): File {
  return new File([makeZip(bookParts(book), options)], 'book.xlsx')
}

export interface ReadTable {
  readonly rows: (string | null)[][]
  readonly rejected: RejectedRow[]
}

export interface ReadOptions {
  readonly table?: string | null
  /** By column from A; by default as inspected. */
  readonly types?: readonly string[]
  readonly settings?: ReadSettings
  readonly limit?: number
  readonly reader?: FormatReader
}

export function inspect(file: File, given: Partial<ReadSettings> = {}, reader = xlsxReader): Promise<Inspection> {
  return reader.inspect(file, given, QUIET)
}

/** All rows of a table as canonical text. */
export async function readRows(file: File, options: ReadOptions = {}): Promise<ReadTable> {
  const { reader = xlsxReader } = options
  const inspection = await inspect(file, options.settings, reader)
  const name = options.table ?? inspection.tables[0]?.name ?? null
  const found = inspection.tables.find((table) => table.name === name)?.columns ?? []
  const columns = options.types
    ? options.types.map((type, index) => ({ index, source: `c${index}`, type: parseType(type) }))
    : found.map((column) => ({ ...column, type: parseType(column.type) }))
  const settings = options.settings ?? inspection.settings
  const request = { settings, table: name, columns, ...(options.limit === undefined ? {} : { limit: options.limit }) }
  const rows: (string | null)[][] = []
  const rejected: RejectedRow[] = []
  for await (const { batch, rejected: bad } of reader.read(file, request, QUIET)) {
    for (let row = 0; row < batch.numRows; row++) {
      rows.push(columns.map(({ type }, i) => cellToString(type, batch.data.children[i], row)))
    }
    rejected.push(...bad)
  }
  return { rows, rejected }
}

/** All bytes of an entry. */
export async function readEntryBytes(zip: ZipArchive, entry: ZipEntry, limit: number): Promise<Uint8Array> {
  const source = await openEntry(zip, entry, limit)
  const parts: Uint8Array[] = []
  for (let part = await source.read(); part; part = await source.read()) parts.push(part)
  return concatBytes(parts)
}
