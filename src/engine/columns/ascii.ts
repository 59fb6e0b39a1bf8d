const decoder = new TextDecoder('latin1')

/** Bytes that are known to be ASCII, as a string. */
export function asciiText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > 64) return decoder.decode(bytes.subarray(start, end))
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at])
  return text
}

/** Whether the bytes are this word, ASCII letters compared without case. `word` is in lower case. */
export function equalsIgnoringCase(bytes: Uint8Array, start: number, end: number, word: string): boolean {
  if (end - start !== word.length) return false
  for (let i = 0; i < word.length; i++) {
    const byte = bytes[start + i]
    const lower = byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte
    if (lower !== word.charCodeAt(i)) return false
  }
  return true
}

/** The two digits at `at` as a number; -1 when they aren't digits. Both must be within the bytes. */
export function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at] - 0x30
  const ones = bytes[at + 1] - 0x30
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones
}
