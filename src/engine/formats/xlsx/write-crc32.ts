/** Bytes taken at a time: one table each ("slicing by 16"). */
const SLICES = 16

const TABLES = makeTables()

function makeTables(): Uint32Array {
  const tables = new Uint32Array(SLICES * 256)
  for (let n = 0; n < 256; n++) {
    let c = n
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1
    tables[n] = c >>> 0
  }
  for (let n = 256; n < tables.length; n++) {
    const before = tables[n - 256]
    tables[n] = (before >>> 8) ^ tables[before & 0xff]
  }
  return tables
}

/**
 * CRC-32 as zip and gzip use it (polynomial 0xEDB88320), continued from `crc`: begin with 0 and pass the result on.
 * @returns an unsigned 32-bit number
 */
export function crc32(bytes: Uint8Array, crc = 0): number {
  const t = TABLES
  const b = bytes
  let c = ~crc
  let i = 0
  for (const whole = b.length - (b.length % SLICES); i < whole; i += SLICES) {
    c =
      t[3840 + ((b[i] ^ c) & 0xff)] ^
      t[3584 + ((b[i + 1] ^ (c >>> 8)) & 0xff)] ^
      t[3328 + ((b[i + 2] ^ (c >>> 16)) & 0xff)] ^
      t[3072 + (b[i + 3] ^ (c >>> 24))] ^
      t[2816 + b[i + 4]] ^
      t[2560 + b[i + 5]] ^
      t[2304 + b[i + 6]] ^
      t[2048 + b[i + 7]] ^
      t[1792 + b[i + 8]] ^
      t[1536 + b[i + 9]] ^
      t[1280 + b[i + 10]] ^
      t[1024 + b[i + 11]] ^
      t[768 + b[i + 12]] ^
      t[512 + b[i + 13]] ^
      t[256 + b[i + 14]] ^
      t[b[i + 15]]
  }
  for (; i < b.length; i++) c = (c >>> 8) ^ t[(c ^ b[i]) & 0xff]
  return ~c >>> 0
}
