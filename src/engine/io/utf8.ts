import { concatBytes } from '../../lib/bytes.ts'

/** Converts a text file's bytes to UTF-8, a slice at a time. */
export interface Transcoder {
  /** May return `bytes` itself. */
  push(bytes: Uint8Array): Uint8Array
  end(): Uint8Array
}

const NOTHING = new Uint8Array(0)

/** UTF-8, without its byte order mark. */
export class Utf8 implements Transcoder {
  private head: Uint8Array | null = NOTHING

  push(bytes: Uint8Array): Uint8Array {
    if (!this.head) return bytes
    this.head = this.head.length === 0 ? bytes : concatBytes([this.head, bytes])
    return this.head.length < 3 ? NOTHING : this.end()
  }

  end(): Uint8Array {
    const head = this.head ?? NOTHING
    this.head = null
    return hasMark(head) ? head.subarray(3) : head
  }
}

/** Decodes a whole text. */
export const textOf = (bytes: Uint8Array, transcoder: Transcoder): string =>
  new TextDecoder().decode(concatBytes([transcoder.push(bytes), transcoder.end()]))

/** Whether the bytes begin with UTF-8's byte order mark. */
export function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}
