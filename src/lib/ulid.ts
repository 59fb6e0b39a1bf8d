const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A ULID: 26 characters of Crockford's base32. The first 10 encode the time, so ids sort by their creation, to the
 * millisecond.
 * @param now milliseconds since 1970
 */
export function ulid(now: number): string {
  let time = Math.max(0, Math.trunc(now))
  let id = ''
  for (let i = 0; i < 10; i++) {
    id = ALPHABET.charAt(time % 32) + id
    time = Math.floor(time / 32)
  }
  // 256 is a multiple of 32, so all characters are equally likely.
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) id += ALPHABET.charAt(byte % 32)
  return id
}
