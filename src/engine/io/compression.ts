import type { Compression } from '../../tables/settings.ts'

type Unpack = (source: AsyncIterable<Uint8Array>, signal: AbortSignal) => AsyncIterable<Uint8Array>

/** The signature of each compression, and its decompressor, which is loaded on demand. */
const COMPRESSIONS: Readonly<
  Record<Compression, { readonly begins: (bytes: Uint8Array) => boolean; readonly load: () => Promise<Unpack> }>
> = {
  gzip: {
    begins: ([a, b, method]) => a === 0x1f && b === 0x8b && (method ?? 8) === 8,
    load: async () => (await import('./gunzip.ts')).gunzip,
  },
  // It may begin with a skippable frame, as written by pzstd.
  zstd: {
    begins: ([a, b, c, d]) =>
      (b === 0xb5 && c === 0x2f && d === 0xfd && a === 0x28) ||
      ((a & 0xf0) === 0x50 && b === 0x2a && c === 0x4d && d === 0x18),
    load: async () => (await import('./unzstd.ts')).unzstd,
  },
  bzip2: {
    // `BZh`, the level, and the digits of pi or of its root.
    begins: ([a, b, c, level, magic]) =>
      a === 0x42 && b === 0x5a && c === 0x68 && level >= 0x31 && level <= 0x39 && (magic === 0x31 || magic === 0x17),
    load: async () => (await import('./bunzip2.ts')).bunzip2,
  },
}

/** The compression according to the first bytes; null if there's none. */
export function compressionOf(head: Uint8Array): Compression | null {
  const found = Object.entries(COMPRESSIONS).find(([, { begins }]) => begins(head))
  return found ? (found[0] as Compression) : null
}

/**
 * Decompresses a stream.
 * @throws {EngineError} `corrupt-file` if it's damaged, `unsupported-format` or `too-large` if it can't be read here
 */
export async function* unpack(
  source: AsyncIterable<Uint8Array>,
  compression: Compression,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const undo = await COMPRESSIONS[compression].load()
  yield* undo(source, signal)
}
