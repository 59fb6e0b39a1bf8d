/** First byte, and the one behind the last. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * What a `Range` header asks for of `size` bytes: null for all of them, which is also the answer to several ranges, to
 * other units and to what can't be understood (RFC 9110, 14.2).
 */
export function parseRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size }
  }
  const start = Number(first)
  const end = last === '' ? size : Math.min(Number(last) + 1, size)
  if (last !== '' && Number(last) < start) return null
  return start >= size ? 'unsatisfiable' : { start, end }
}
