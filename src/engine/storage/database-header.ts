/** What the first bytes of a database file tell. */
export interface DatabaseHeader {
  /** Of the storage: 64 since DuckDB 0.9. */
  readonly version: number
  readonly encrypted: boolean
  /** Bytes that the file had when the header was written. */
  readonly extent: number
  readonly blockSize: number
  /** Where it says which blocks are free: a block, and a part of it. */
  readonly freeList: bigint
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
    freeList: view.getBigUint64(at + 24, true),
    blocks: Number(view.getBigUint64(at + 32, true)),
    blockSize: Number(view.getBigUint64(at + 40, true)),
  }))
  const { blocks, blockSize, freeList } = states.reduce((a, b) => (b.iteration > a.iteration ? b : a))
  return {
    version: view.getUint32(12, true),
    encrypted: (view.getUint32(20, true) & 1) === 1,
    extent: BLOCKS_AT + blocks * blockSize,
    blockSize,
    freeList,
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
 * A file as DuckDB can read it; null when something was cut off. DuckDB itself takes free blocks off a file's end after
 * it has written the header, and it waits forever for blocks that aren't there: zeros stand for those that the file says
 * are free, and for no others.
 */
export async function completed(file: Blob, header: DatabaseHeader): Promise<Blob | null> {
  const { extent, blockSize } = header
  const missing = extent - file.size
  if (missing <= 0) return file
  if (!(blockSize > 0) || (file.size - BLOCKS_AT) % blockSize !== 0 || missing > MOST_MISSING) return null
  const free = await freeBlocks(file, header)
  for (let at = file.size; at < extent; at += blockSize) if (!free.has((at - BLOCKS_AT) / blockSize)) return null
  const zeros = new Blob([new Uint8Array(ZEROS)])
  const parts = Array.from({ length: Math.floor(missing / ZEROS) }, () => zeros)
  return new Blob([file, ...parts, zeros.slice(0, missing % ZEROS)])
}

/** Parts of a block that metadata is kept in, and the bytes of its checksum before them. */
const METADATA_PARTS = 64
const CHECKSUM = 8

/** The blocks that the file says are free, as far as it says so. */
async function freeBlocks(file: Blob, { freeList, blockSize, extent }: DatabaseHeader): Promise<ReadonlySet<number>> {
  const partSize = Math.floor((blockSize - CHECKSUM) / METADATA_PARTS / 8) * 8
  const most = (extent - BLOCKS_AT) / blockSize
  const free = new Set<number>()
  let left: number | null = null
  // Each part begins with where the next one is. A damaged list may run in a circle.
  for (let next = freeList, parts = 0; left !== 0 && parts <= most; parts++) {
    const block = Number(next & 0xff_ffff_ffff_ffffn)
    const at = BLOCKS_AT + block * blockSize + CHECKSUM + Number(next >> 56n) * partSize
    const words = new DataView(await file.slice(at, at + partSize).arrayBuffer())
    if (words.byteLength < partSize) break
    next = words.getBigUint64(0, true)
    for (let word = 8; word < partSize && left !== 0; word += 8) {
      const value = Number(words.getBigUint64(word, true))
      if (left === null) left = value
      else {
        free.add(value)
        left--
      }
    }
  }
  return free
}
