const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Numbers the keys of objects in order of first occurrence. Compares bytes, without creating strings. */
export class KeyTable {
  /** UTF-8, without quotes or escapes. */
  private readonly texts: Uint8Array[] = []
  /** Whether a key needs no escapes in JSON. */
  private readonly plain: boolean[] = []
  /** Open addressing: index of a key + 1, or 0 for an empty slot. */
  private slots = new Int32Array(64)

  get size(): number {
    return this.texts.length
  }

  /** All keys, in UTF-8. */
  get all(): readonly Uint8Array[] {
    return this.texts
  }

  name(index: number): string {
    return decoder.decode(this.texts[index])
  }

  /** The key as written in JSON; null if it needs escapes. */
  spelling(index: number): Uint8Array | null {
    return this.plain[index] ? this.texts[index] : null
  }

  /** Index of the key `bytes[start, end)`; -1 if unknown. */
  find(bytes: Uint8Array, start: number, end: number): number {
    const mask = this.slots.length - 1
    for (let at = hash(bytes, start, end) & mask; ; at = (at + 1) & mask) {
      const index = this.slots[at] - 1
      if (index < 0 || this.is(index, bytes, start, end)) return index
    }
  }

  /** Whether the key equals `bytes[start, end)`. */
  is(index: number, bytes: Uint8Array, start: number, end: number): boolean {
    const text = this.texts[index]
    if (text.length !== end - start) return false
    for (let i = 0; i < text.length; i++) if (text[i] !== bytes[start + i]) return false
    return true
  }

  /** Position of the closing quote, if the bytes at `start` are the key without escapes; else -1. */
  match(index: number, bytes: Uint8Array, start: number): number {
    const text = this.texts[index]
    if (!this.plain[index]) return -1
    const { length } = text
    for (let i = 0; i < length; i++) if (text[i] !== bytes[start + i]) return -1
    return bytes[start + length] === 0x22 ? start + length : -1
  }

  /** Adds a new key. Returns its index. */
  add(bytes: Uint8Array, start: number, end: number): number {
    const index = this.texts.length
    const text = bytes.slice(start, end)
    this.texts.push(text)
    this.plain.push(text.every((c) => c >= 0x20 && c !== 0x22 && c !== 0x5c))
    if (this.texts.length * 2 > this.slots.length) {
      this.slots = new Int32Array(this.slots.length * 4)
      for (let i = 0; i < index; i++) this.place(i)
    }
    this.place(index)
    return index
  }

  /** Removes keys from the end until `size` remain. */
  truncate(size: number): void {
    if (size >= this.texts.length) return
    this.texts.length = size
    this.plain.length = size
    this.slots.fill(0)
    for (let i = 0; i < size; i++) this.place(i)
  }

  private place(index: number): void {
    const text = this.texts[index]
    const mask = this.slots.length - 1
    let at = hash(text, 0, text.length) & mask
    while (this.slots[at] !== 0) at = (at + 1) & mask
    this.slots[at] = index + 1
  }
}

/** FNV-1a, 32 bits. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let h = 0x811c9dc5
  for (let i = start; i < end; i++) h = Math.imul(h ^ bytes[i], 0x01000193)
  return (h ^ (h >>> 15)) >>> 0
}
