/* Four bytes per step ("slicing-by-4"): one table for each byte's position in the step. */
const TABLES = makeTables()

const entry = (table: number, byte: number): number => TABLES[table * 256 + (byte & 255)] as number

function makeTables(): Int32Array {
  const tables = new Int32Array(4 * 256)
  for (let n = 0; n < 256; n++) {
    let c = n
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1
    tables[n] = c
  }
  for (let n = 256; n < tables.length; n++) {
    const c = tables[n - 256] as number
    tables[n] = (c >>> 8) ^ (tables[c & 255] as number)
  }
  return tables
}

/**
 * CRC-32 as used by zip.
 * @param previous the result for the preceding bytes; 0 at the start
 * @returns an unsigned 32-bit integer
 */
export function crc32(bytes: Uint8Array, previous = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let crc = ~previous
  let i = 0
  for (const end = bytes.length - 3; i < end; i += 4) {
    crc ^= view.getInt32(i, true)
    crc = entry(3, crc) ^ entry(2, crc >>> 8) ^ entry(1, crc >>> 16) ^ entry(0, crc >>> 24)
  }
  for (; i < bytes.length; i++) crc = (crc >>> 8) ^ entry(0, crc ^ view.getUint8(i))
  return ~crc >>> 0
}
