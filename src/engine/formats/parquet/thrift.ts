/** Invalid Thrift data. `at` is the offset in the footer where that was noticed. */
export class ThriftError extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.name = 'ThriftError'
    this.at = at
  }
}

/** Wire types of the compact protocol. */
export const TYPE = {
  true: 1,
  false: 2,
  i8: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  map: 11,
  struct: 12,
} as const

/** Deeper nesting than in any valid metadata; protects the stack from crafted bytes. */
const MAX_DEPTH = 64

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

interface FieldVisit {
  readonly id: number
  readonly type: number
  /** Offset of its value. */
  readonly value: number
}

/**
 * Reads Thrift's compact protocol. Every access is bounds-checked, so that damaged bytes cause a `ThriftError` and
 * never a hang or a huge allocation.
 * @see https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */
export class ThriftReader {
  at = 0
  private depth = 0
  readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  fail(message: string): never {
    throw new ThriftError(message, this.at)
  }

  /** Visits a struct's fields. If `visit` returns false, the field is skipped. */
  struct(visit: (field: FieldVisit) => boolean): void {
    if (++this.depth > MAX_DEPTH) this.fail('nested too deep')
    let id = 0
    for (;;) {
      const byte = this.byte()
      if (byte === 0) break
      const delta = byte >> 4
      const type = byte & 15
      id = delta === 0 ? this.zigzag() : id + delta
      if (!visit({ id, type, value: this.at })) this.skip(type)
    }
    this.depth--
  }

  /** Visits a list's items, each of which `item` must read. */
  list(type: number, item: (itemType: number, index: number, count: number) => void): void {
    if (type !== TYPE.list && type !== TYPE.set) this.fail('not a list')
    const byte = this.byte()
    const itemType = byte & 15
    const count = byte >> 4 === 15 ? this.varint() : byte >> 4
    // Each item takes at least a byte, so don't allocate memory for larger counts.
    if (count > this.bytes.length - this.at) this.fail('a list longer than the footer')
    for (let i = 0; i < count; i++) item(itemType, i, count)
  }

  int(type: number): number {
    if (type === TYPE.i8) return (this.byte() << 24) >> 24
    if (type !== TYPE.i16 && type !== TYPE.i32 && type !== TYPE.i64) this.fail('not an integer')
    return this.zigzag()
  }

  boolean(type: number): boolean {
    if (type !== TYPE.true && type !== TYPE.false) this.fail('not a truth value')
    return type === TYPE.true
  }

  /** Returns a view of the bytes, not a copy. */
  binary(type: number): Uint8Array {
    if (type !== TYPE.binary) this.fail('not text')
    const length = this.varint()
    if (length > this.bytes.length - this.at) this.fail('text longer than the footer')
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  text(type: number): string {
    const bytes = this.binary(type)
    try {
      return decoder.decode(bytes)
    } catch {
      return this.fail('text that is not UTF-8')
    }
  }

  skip(type: number): void {
    switch (type) {
      case TYPE.true:
      case TYPE.false:
        return
      case TYPE.i8:
        this.move(1)
        return
      case TYPE.i16:
      case TYPE.i32:
      case TYPE.i64:
        this.skipVarint()
        return
      case TYPE.double:
        this.move(8)
        return
      case TYPE.binary:
        this.binary(type)
        return
      case TYPE.list:
      case TYPE.set:
        this.list(type, (item) => this.skipItem(item))
        return
      case TYPE.map:
        this.skipMap()
        return
      case TYPE.struct:
        this.struct(() => false)
        return
      default:
        this.fail(`unknown wire type ${type}`)
    }
  }

  /** In lists and maps, a boolean has a byte of its own. */
  private skipItem(type: number): void {
    if (type === TYPE.true || type === TYPE.false) this.move(1)
    else this.skip(type)
  }

  private skipMap(): void {
    const count = this.varint()
    if (count === 0) return
    if (count > this.bytes.length - this.at) this.fail('a map longer than the footer')
    const types = this.byte()
    for (let i = 0; i < count; i++) {
      this.skipItem(types >> 4)
      this.skipItem(types & 15)
    }
  }

  private byte(): number {
    if (this.at >= this.bytes.length) this.fail('the footer ends too early')
    return this.bytes[this.at++]
  }

  private move(count: number): void {
    if (count > this.bytes.length - this.at) this.fail('the footer ends too early')
    this.at += count
  }

  private varint(): number {
    let value = 0
    let factor = 1
    for (let i = 0; i < 10; i++) {
      const byte = this.byte()
      value += (byte & 127) * factor
      if (byte < 128) return Number.isSafeInteger(value) ? value : this.fail('a number out of bounds')
      factor *= 128
    }
    return this.fail('a number without an end')
  }

  private skipVarint(): void {
    for (let i = 0; i < 10; i++) if (this.byte() < 128) return
    this.fail('a number without an end')
  }

  private zigzag(): number {
    const value = this.varint()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }
}
