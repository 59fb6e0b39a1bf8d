/** What the first bytes of a database file tell. */
export interface DatabaseHeader {
  /** Of the storage: 64 since DuckDB 0.9. */
  readonly version: number
  readonly encrypted: boolean
  /** Bytes that the file has to have. */
  readonly extent: number
}

/** Three headers of 4,096 bytes, the first of the file, the others of its last two states; then the blocks. */
const HEADER = 4096
const BLOCKS_AT = 3 * HEADER
const MAGIC = 0x4b_43_55_44
/** The versions of the storage that DuckDB 1.4 reads. */
const READABLE = { from: 64, to: 67 }

/**
 * Reads a database file's headers; null when it isn't one, or ends within them. DuckDB itself waits forever for blocks
 * that a file was cut off before.
 */
export async function readHeader(file: Blob): Promise<DatabaseHeader | null> {
  const bytes = await file.slice(0, BLOCKS_AT).arrayBuffer()
  if (bytes.byteLength < BLOCKS_AT) return null
  const view = new DataView(bytes)
  if (view.getUint32(8, true) !== MAGIC) return null
  const states = [HEADER, 2 * HEADER].map((at) => ({
    iteration: view.getBigUint64(at + 8, true),
    extent: BLOCKS_AT + Number(view.getBigUint64(at + 32, true)) * Number(view.getBigUint64(at + 40, true)),
  }))
  const last = states.reduce((a, b) => (b.iteration > a.iteration ? b : a))
  return { version: view.getUint32(12, true), encrypted: (view.getUint32(20, true) & 1) === 1, extent: last.extent }
}

/** Whether DuckDB here can read files of the version. */
export function isReadable({ version }: DatabaseHeader): boolean {
  return version >= READABLE.from && version <= READABLE.to
}
