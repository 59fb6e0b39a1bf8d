import { formatCount } from '../../lib/counts.ts'
import type { Compression } from '../../tables/settings.ts'
import { EngineError } from '../errors.ts'

/** The problem with compressed data: it's truncated, followed by other data, or damaged. */
type PackedFault = 'cut' | 'followed' | 'damaged'

/**
 * @param taken bytes of the compressed file read before the problem; null if it's at the end
 * @returns `corrupt-file`
 */
export function packedFault(
  fault: PackedFault,
  compression: Compression,
  taken: number | null,
  cause?: unknown,
): EngineError {
  const message = {
    cut: `The ${compression} data ends before it is complete.`,
    followed: `The ${compression} data is followed by bytes that aren’t part of it.`,
    damaged: `The ${compression} data is damaged: it can’t be decompressed, or isn’t what its checksum says.`,
  }[fault]
  const atEnd = taken === null || fault !== 'damaged'
  return new EngineError('corrupt-file', message, {
    place: atEnd ? 'end of the file' : `after byte ${formatCount(taken)} of the compressed file`,
    remedy:
      fault === 'followed'
        ? 'Unpack it with another program and see whether all of it is there.'
        : 'Get the file again from where it came from; if it was downloaded, the download may have been cut off.',
    cause,
  })
}
