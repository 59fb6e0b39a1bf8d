import type { Data } from 'apache-arrow'
import { findInvalidUtf8 } from '../../io/transcode.ts'
import { FlatError } from './flat.ts'

/**
 * Checks that each text of a column is UTF-8: the bytes as a whole, and that none begins within a character.
 * @throws {FlatError}
 */
export function checkUtf8(data: Data): void {
  const bytes = data.values as Uint8Array
  const offsets = data.valueOffsets as Int32Array
  const end = offsets[data.length]
  const isCut = (offset: number): boolean => offset < end && (bytes[offset] & 0xc0) === 0x80
  if (offsets.some(isCut) || findInvalidUtf8(bytes, offsets[0], end) >= 0) throw new FlatError('a text is not UTF-8')
}
