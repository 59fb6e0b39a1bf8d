import { TYPE } from '../thrift.ts'

/*
 * Simulates a file that is too large to write: a small one with gigabytes of zeros between its row groups. Tests only.
 */

/** Fields of a footer with offsets in the file, by their path of field ids. */
const OFFSETS: readonly string[] = [
  // RowGroup.file_offset
  '4.5',
  // ColumnChunk: file_offset, offset_index_offset, column_index_offset
  '4.1.2',
  '4.1.4',
  '4.1.6',
  // ColumnMetaData: data_page_offset, index_page_offset, dictionary_page_offset, bloom_filter_offset
  '4.1.3.9',
  '4.1.3.10',
  '4.1.3.11',
  '4.1.3.14',
]

/**
 * @param at the byte after which the hole begins
 * @param hole its size in bytes
 */
export function withHole(bytes: Uint8Array<ArrayBuffer>, at: number, hole: number): File {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 8, true)
  const footerAt = bytes.length - 8 - length
  const moved = new Mover(bytes.subarray(footerAt, footerAt + length), at, hole).footer()
  const end = new Uint8Array(8)
  new DataView(end.buffer).setUint32(0, moved.length, true)
  end.set(bytes.subarray(-4), 4)
  // One blob repeated, so that it takes no memory.
  const zeros = new Blob([new Uint8Array(2 ** 24)])
  const whole = Array.from({ length: Math.floor(hole / zeros.size) }, () => zeros)
  const parts = [bytes.subarray(0, at), ...whole, zeros.slice(0, hole % zeros.size), bytes.subarray(at, footerAt)]
  return new File([...parts, moved, end], 'large.parquet')
}

/** Copies a footer (Thrift's compact protocol), adjusting offsets after the hole. */
class Mover {
  private at = 0
  private readonly out: number[] = []
  private readonly bytes: Uint8Array
  private readonly hole: number
  private readonly size: bigint

  constructor(bytes: Uint8Array, hole: number, size: number) {
    this.bytes = bytes
    this.hole = hole
    this.size = BigInt(size)
  }

  footer(): Uint8Array<ArrayBuffer> {
    this.struct('')
    return new Uint8Array(this.out)
  }

  private byte(): number {
    const byte = this.bytes[this.at++]
    this.out.push(byte)
    return byte
  }

  private varint(): bigint {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.bytes[this.at++]
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }

  private put(value: bigint): bigint {
    for (let rest = value; ; rest >>= 7n) {
      if (rest < 128n) {
        this.out.push(Number(rest))
        return value
      }
      this.out.push(Number(rest & 127n) | 128)
    }
  }

  private struct(path: string): void {
    for (let id = 0; ;) {
      const byte = this.byte()
      if (byte === 0) return
      const zigzag = byte >> 4 === 0 ? Number(this.put(this.varint())) : null
      id = zigzag === null ? id + (byte >> 4) : (zigzag >> 1) ^ -(zigzag & 1)
      this.value(byte & 15, path === '' ? `${id}` : `${path}.${id}`)
    }
  }

  private value(type: number, path: string): void {
    if (type === TYPE.struct) this.struct(path)
    else if (type === TYPE.list || type === TYPE.set) {
      const byte = this.byte()
      const count = byte >> 4 === 15 ? Number(this.put(this.varint())) : byte >> 4
      for (let i = 0; i < count; i++) this.value(byte & 15, path)
    } else if (type === TYPE.binary) {
      const length = Number(this.put(this.varint()))
      for (let i = 0; i < length; i++) this.byte()
    } else if (type === TYPE.double) for (let i = 0; i < 8; i++) this.byte()
    else if (type === TYPE.i8) this.byte()
    else if (type !== TYPE.true && type !== TYPE.false) {
      const value = this.varint()
      const moves = OFFSETS.includes(path) && value >> 1n >= BigInt(this.hole)
      this.put(moves ? value + this.size * 2n : value)
    }
  }
}
