/** Invalid FlatBuffers metadata. */
export class FlatError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'FlatError'
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * A table of a FlatBuffers message, read in place. Every access is checked against the bytes, so that damaged metadata
 * ends in a `FlatError`.
 * @see https://flatbuffers.dev/internals/
 */
export class FlatTable {
  private readonly view: DataView
  private readonly at: number
  private readonly vtable: number
  private readonly vtableSize: number

  private constructor(view: DataView, at: number) {
    this.view = view
    this.at = at
    this.vtable = at - this.int32(at)
    this.vtableSize = this.uint16(this.vtable)
  }

  /** The root table of a message. */
  static root(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (bytes.byteLength < 8) throw new FlatError('the metadata is too short')
    return new FlatTable(view, view.getUint32(0, true))
  }

  i8(slot: number): number {
    const at = this.field(slot, 1)
    return at < 0 ? 0 : this.view.getInt8(at)
  }

  bool(slot: number): boolean {
    return this.i8(slot) !== 0
  }

  i16(slot: number, missing = 0): number {
    const at = this.field(slot, 2)
    return at < 0 ? missing : this.view.getInt16(at, true)
  }

  i32(slot: number, missing = 0): number {
    const at = this.field(slot, 4)
    return at < 0 ? missing : this.view.getInt32(at, true)
  }

  /** A size or count, stored as a 64-bit integer. Negative ones and those beyond 2^53 are errors. */
  size(slot: number): number {
    const at = this.field(slot, 8)
    return at < 0 ? 0 : this.count(at)
  }

  i64(slot: number): bigint {
    const at = this.field(slot, 8)
    return at < 0 ? 0n : this.view.getBigInt64(at, true)
  }

  table(slot: number): FlatTable | null {
    const at = this.field(slot, 4)
    return at < 0 ? null : new FlatTable(this.view, this.target(at))
  }

  text(slot: number): string {
    const vector = this.vector(slot, 1)
    if (!vector) return ''
    const { buffer, byteOffset } = this.view
    try {
      return decoder.decode(new Uint8Array(buffer, byteOffset + vector.at, vector.length))
    } catch {
      throw new FlatError('a name is not UTF-8')
    }
  }

  tables(slot: number): FlatTable[] {
    const vector = this.vector(slot, 4)
    if (!vector) return []
    return Array.from({ length: vector.length }, (_, i) => new FlatTable(this.view, this.target(vector.at + i * 4)))
  }

  /**
   * A vector of structs of `words` 64-bit counts each. A 32-bit count is read together with its padding, which is zero.
   */
  structs(slot: number, words: number): Float64Array {
    const vector = this.vector(slot, words * 8)
    if (!vector) return new Float64Array(0)
    const values = new Float64Array(vector.length * words)
    for (let i = 0; i < values.length; i++) values[i] = this.count(vector.at + i * 8)
    return values
  }

  /** Blocks of a file's footer: offset, metadata length (32 bits and as many of padding), body length. */
  blocks(slot: number): { offset: number; metadata: number; body: number }[] {
    const vector = this.vector(slot, 24)
    if (!vector) return []
    return Array.from({ length: vector.length }, (_, i) => {
      const at = vector.at + i * 24
      return { offset: this.count(at), metadata: this.int32(at + 8), body: this.count(at + 16) }
    })
  }

  private vector(slot: number, width: number): { at: number; length: number } | null {
    const field = this.field(slot, 4)
    if (field < 0) return null
    const start = this.target(field)
    const length = this.uint32(start)
    if (length * width > this.view.byteLength - start - 4) throw new FlatError('a list is longer than the metadata')
    return { at: start + 4, length }
  }

  /** Position of a field's value; negative if it's absent. */
  private field(slot: number, width: number): number {
    const entry = 4 + slot * 2
    if (entry + 2 > this.vtableSize) return -1
    const offset = this.uint16(this.vtable + entry)
    if (offset === 0) return -1
    this.check(this.at + offset, width)
    return this.at + offset
  }

  private target(at: number): number {
    return at + this.uint32(at)
  }

  private count(at: number): number {
    this.check(at, 8)
    const value = Number(this.view.getBigInt64(at, true))
    if (value < 0 || !Number.isSafeInteger(value)) throw new FlatError('a count is out of bounds')
    return value
  }

  private uint16(at: number): number {
    this.check(at, 2)
    return this.view.getUint16(at, true)
  }

  private int32(at: number): number {
    this.check(at, 4)
    return this.view.getInt32(at, true)
  }

  private uint32(at: number): number {
    this.check(at, 4)
    return this.view.getUint32(at, true)
  }

  private check(at: number, width: number): void {
    if (at < 0 || at + width > this.view.byteLength) throw new FlatError('the metadata points outside itself')
  }
}
