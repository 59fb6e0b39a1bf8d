import { ThriftError, ThriftReader } from './thrift.ts'

/** Usual size of a page header with statistics; those with long texts take more. */
const HEADER_BYTES = 4096
const LONG_HEADER_BYTES = 16 * 1024 * 1024

/** Size in bytes of the pages with the given number of values; null if unknown. */
export async function sizeOfPages(file: Blob, start: number, end: number, values: number): Promise<number | null> {
  let at = start
  for (let seen = 0; seen < values;) {
    const page = await pageAt(file, at, end)
    if (!page || at + page.size > end) return null
    seen += page.values
    at += page.size
  }
  return at - start
}

interface Page {
  /** Including its header. */
  readonly size: number
  /** Number of rows or values in it; 0 for a dictionary. */
  readonly values: number
}

async function pageAt(file: Blob, at: number, end: number): Promise<Page | null> {
  for (const length of [HEADER_BYTES, LONG_HEADER_BYTES]) {
    const reader = new ThriftReader(new Uint8Array(await file.slice(at, Math.min(end, at + length)).arrayBuffer()))
    try {
      return readPageHeader(reader)
    } catch (error) {
      if (!(error instanceof ThriftError)) throw error
    }
  }
  return null
}

/** @throws {ThriftError} */
function readPageHeader(reader: ThriftReader): Page {
  let packed = -1
  let values = 0
  reader.struct(({ id, type }) => {
    if (id === 3) packed = reader.int(type)
    else if (id === 5 || id === 8) {
      // In data pages of either version, the first field is the number of values.
      reader.struct((field) => {
        if (field.id !== 1) return false
        values = reader.int(field.type)
        return true
      })
    } else return false
    return true
  })
  if (packed < 0 || values < 0) reader.fail('no page')
  return { size: reader.at + packed, values }
}
