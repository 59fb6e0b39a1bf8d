/** Information from a database file's header. */
interface DatabaseHeader {
  /** Storage version: 64 since DuckDB 0.9. */
  readonly version: number
  readonly encrypted: boolean
  /** Size of the file in bytes when the header was written. */
  readonly extent: number
  readonly blockSize: number
  /** Position of the list of free blocks: a block, and a part of it. */
  readonly freeList: bigint
}

/** Three headers of 4,096 bytes: the file's, and those of its last two states. Then the blocks. */
const HEADER = 4096
const BLOCKS_AT = 3 * HEADER
const MAGIC = 0x4b_43_55_44
/** Storage versions that DuckDB 1.4 reads. */
const READABLE = { from: 64, to: 67 }

/** Reads a database file's headers; null if it isn't one, or ends within them. */
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
/** Maximum number of bytes that can be missing at the end of a file. Bytes. */
const MOST_MISSING = 64 * 1024 ** 3

/**
 * A file in a form that DuckDB can read; null if it's truncated. DuckDB removes free blocks from the end of a file
 * after it has written the header, but then waits forever for the missing blocks. Therefore, they are replaced with
 * zeros if the file lists them as free.
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

/** Parts of a metadata block, and the bytes of the checksum before them. */
const METADATA_PARTS = 64
const CHECKSUM = 8

/** The blocks that the file lists as free, as far as the list can be read. */
async function freeBlocks(file: Blob, { freeList, blockSize, extent }: DatabaseHeader): Promise<ReadonlySet<number>> {
  const partSize = Math.floor((blockSize - CHECKSUM) / METADATA_PARTS / 8) * 8
  const most = (extent - BLOCKS_AT) / blockSize
  const free = new Set<number>()
  let left: number | null = null
  // Each part begins with the position of the next one. A damaged list may be circular.
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
