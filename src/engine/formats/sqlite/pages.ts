import { RecentMap } from '../../../lib/recent-map.ts'
import { formatCount } from '../../../lib/counts.ts'
import { EngineError, fileChanged } from '../../errors.ts'

/** Size of a read in bytes, and number of reads to keep. */
const CHUNK = 1024 * 1024
const KEPT = 16
const HEADER = 100

/** Text encodings, by their number in the header. */
const ENCODINGS = ['utf-8', 'utf-8', 'utf-16le', 'utf-16be'] as const

/** A database file's pages, read by the megabyte, so that the file is never entirely in memory. */
export class Pages {
  readonly encoding: (typeof ENCODINGS)[number]
  /** Whether the latest changes may be in another file. */
  readonly hasWriteAheadLog: boolean
  /** Bytes of a page that are available to b-trees. */
  readonly usable: number
  readonly count: number
  private readonly size: number
  private readonly file: Blob
  private readonly chunks = new RecentMap<number, Promise<Uint8Array>>(KEPT)

  /** @param header the file's first 100 bytes */
  private constructor(file: Blob, header: Uint8Array) {
    const view = new DataView(header.buffer, header.byteOffset, HEADER)
    const size = view.getUint16(16)
    this.file = file
    this.size = size === 1 ? 65_536 : size
    this.usable = this.size - header[20]
    const isPowerOfTwo = (this.size & (this.size - 1)) === 0
    if (this.size < 512 || !isPowerOfTwo || this.usable < 480) throw damaged('its header makes no sense', 1)
    this.hasWriteAheadLog = header[18] === 2 || header[19] === 2
    this.encoding = ENCODINGS[view.getUint32(56)] ?? 'utf-8'
    this.count = Math.ceil(file.size / this.size)
  }

  /** @throws {EngineError} `corrupt-file` */
  static async open(file: Blob): Promise<Pages> {
    if (file.size < HEADER) throw damaged('it ends within its header', 1)
    return new Pages(file, await bytesOf(file.slice(0, HEADER)))
  }

  /**
   * A page's bytes, up to its end.
   * @param number from 1
   * @throws {EngineError} `corrupt-file` if there's no such page
   */
  async page(number: number): Promise<Uint8Array> {
    const start = (number - 1) * this.size
    if (!(number >= 1) || start + this.size > this.file.size) throw damaged('a page isn’t there', number)
    const perChunk = Math.max(1, CHUNK / this.size)
    const index = Math.floor((number - 1) / perChunk)
    const chunk = await this.chunk(index, perChunk * this.size)
    const from = start - index * perChunk * this.size
    return chunk.subarray(from, from + this.size)
  }

  private chunk(index: number, size: number): Promise<Uint8Array> {
    const known = this.chunks.get(index)
    if (known) return known
    const reading = bytesOf(this.file.slice(index * size, (index + 1) * size))
    this.chunks.set(index, reading)
    return reading
  }
}

async function bytesOf(part: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await part.arrayBuffer())
  } catch (cause) {
    throw fileChanged(cause)
  }
}

/** @param what the problem, as the end of a sentence */
export function damaged(what: string, page: number): EngineError {
  return new EngineError('corrupt-file', `The SQLite database is damaged: ${what}.`, {
    place: `page ${formatCount(page)}`,
    remedy:
      'Copy it again while no program has it open; “sqlite3 FILE .recover” may save what is left of a damaged one.',
  })
}
