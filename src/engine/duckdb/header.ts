/** What the first bytes of a database file tell. */
export interface DatabaseHeader {
  /** Of the storage: 64 since DuckDB 0.9. */
  readonly version: number
  readonly encrypted: boolean
  /** Bytes that the file had when the header was written. */
  readonly extent: number
  readonly blockSize: number
}

/** Three headers of 4,096 bytes, the first of the file, the others of its last two states; then the blocks. */
const HEADER = 4096
const BLOCKS_AT = 3 * HEADER
const MAGIC = 0x4b_43_55_44
/** The versions of the storage that DuckDB 1.4 reads. */
const READABLE = { from: 64, to: 67 }

/** Reads a database file's headers; null when it isn't one, or ends within them. */
export async function readHeader(file: Blob): Promise<DatabaseHeader | null> {
  const bytes = await file.slice(0, BLOCKS_AT).arrayBuffer()
  if (bytes.byteLength < BLOCKS_AT) return null
  const view = new DataView(bytes)
  if (view.getUint32(8, true) !== MAGIC) return null
  const states = [HEADER, 2 * HEADER].map((at) => ({
    iteration: view.getBigUint64(at + 8, true),
    blocks: Number(view.getBigUint64(at + 32, true)),
    blockSize: Number(view.getBigUint64(at + 40, true)),
  }))
  const { blocks, blockSize } = states.reduce((a, b) => (b.iteration > a.iteration ? b : a))
  return {
    version: view.getUint32(12, true),
    encrypted: (view.getUint32(20, true) & 1) === 1,
    extent: BLOCKS_AT + blocks * blockSize,
    blockSize,
  }
}

/** Whether DuckDB here can read files of the version. */
export function isReadable({ version }: DatabaseHeader): boolean {
  return version >= READABLE.from && version <= READABLE.to
}

const ZEROS = 1024 * 1024
/** More than this was never cut off the end of a file that fits here. Bytes. */
const MOST_MISSING = 64 * 1024 ** 3

/**
 * A file as DuckDB can read it; null when it was cut short. DuckDB itself takes free blocks off a file's end after it
 * has written the header, and it waits forever for blocks that aren't there: zeros stand for them, which it tells from
 * blocks by their checksums, should they turn out to be needed.
 */
export function completed(file: Blob, { extent, blockSize }: DatabaseHeader): Blob | null {
  const missing = extent - file.size
  if (missing <= 0) return file
  if (!(blockSize > 0) || (file.size - BLOCKS_AT) % blockSize !== 0 || missing > MOST_MISSING) return null
  const zeros = new Blob([new Uint8Array(ZEROS)])
  const parts = Array.from({ length: Math.floor(missing / ZEROS) }, () => zeros)
  return new Blob([file, ...parts, zeros.slice(0, missing % ZEROS)])
}
