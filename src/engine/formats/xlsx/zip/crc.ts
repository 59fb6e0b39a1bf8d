/* Four bytes a step ("slicing-by-4"): a table a byte, each for the byte's distance from the run's end. */
const TABLES = makeTables()

function makeTables(): Int32Array {
  const tables = new Int32Array(4 * 256)
  for (let n = 0; n < 256; n++) {
    let c = n
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1
    tables[n] = c
  }
  for (let t = 1; t < 4; t++) {
    for (let n = 0; n < 256; n++) {
      const c = tables[(t - 1) * 256 + n]
      tables[t * 256 + n] = (c >>> 8) ^ tables[c & 255]
    }
  }
  return tables
}

/**
 * CRC-32 as zip uses it.
 * @param previous the result for the bytes before these; 0 at the start
 * @returns an unsigned 32-bit integer
 */
export function crc32(bytes: Uint8Array, previous = 0): number {
  const tables = TABLES
  let crc = ~previous
  let i = 0
  for (const end = bytes.length - 3; i < end; i += 4) {
    crc ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24)
    crc =
      tables[768 + (crc & 255)] ^
      tables[512 + ((crc >>> 8) & 255)] ^
      tables[256 + ((crc >>> 16) & 255)] ^
      tables[crc >>> 24]
  }
  for (; i < bytes.length; i++) crc = (crc >>> 8) ^ tables[(crc ^ bytes[i]) & 255]
  return ~crc >>> 0
}
