import { Data, type DataType } from 'apache-arrow'
import { grown } from '../../../lib/bytes.ts'
import type { ListType, MapType } from '../../../tables/types.ts'
import { KeyTable } from '../json/keys.ts'
import { KIND } from '../json/scanner.ts'
import { Validity } from './flat.ts'
import { toArrowType } from '../../arrow/types.ts'
import { appendValue, Leaf, passed, type Node, type Reader } from './node.ts'

/** Shared by lists and maps: offsets of runs of values. */
class Runs {
  length = 0
  private offsets = new Int32Array(64)
  private readonly validity = new Validity()

  get byteLength(): number {
    return this.length * 4 + this.validity.byteLength
  }

  /** The end offset of the first `length` runs. */
  endOf(length: number): number {
    return this.offsets[length]
  }

  push(end: number, valid: boolean): void {
    const row = this.length
    if (row + 1 >= this.offsets.length) this.offsets = grown(this.offsets, this.offsets.length * 2)
    this.offsets[row + 1] = end
    if (valid) this.validity.setValid(row)
    else this.validity.setNull(row)
    this.length = row + 1
  }

  truncate(length: number): void {
    this.validity.truncate(this.length, length)
    this.length = length
  }

  finish(type: DataType, child: Data): Data {
    const { length } = this
    const nulls = this.validity.nulls
    const bitmap = this.validity.take(length)
    const buffers = { 0: this.offsets.slice(0, length + 1), ...(bitmap ? { 2: bitmap } : {}) }
    this.length = 0
    return new Data(type, 0, length, nulls, buffers, [child])
  }
}

export class ListNode implements Node {
  private readonly type: ListType
  private readonly reader: Reader
  private readonly item: Node
  private readonly runs = new Runs()

  constructor(type: ListType, reader: Reader, item: Node) {
    this.type = type
    this.reader = reader
    this.item = item
  }

  get length(): number {
    return this.runs.length
  }

  get byteLength(): number {
    return this.runs.byteLength + this.item.byteLength
  }

  append(c: number): boolean {
    const { scanner } = this.reader
    if (c !== 0x5b) return false
    scanner.pos++
    if (scanner.space() === 0x5d) {
      scanner.pos++
    } else {
      do if (!appendValue(this.item, this.reader)) return false
      while (passed(scanner) === 0x2c)
    }
    this.runs.push(this.item.length, true)
    return true
  }

  appendNull(): void {
    this.runs.push(this.item.length, false)
  }

  truncate(length: number): void {
    this.runs.truncate(length)
    this.item.truncate(this.runs.endOf(length))
  }

  finish(): Data {
    return this.runs.finish(toArrowType(this.type), this.item.finish())
  }
}

const ENTRY_KEYS = new KeyTable()
for (const name of ['key', 'value']) ENTRY_KEYS.add(new TextEncoder().encode(name), 0, name.length)

export class MapNode implements Node {
  private readonly type: MapType
  private readonly reader: Reader
  private readonly key: Node
  private readonly value: Node
  private readonly runs = new Runs()

  constructor(type: MapType, reader: Reader, key: Node, value: Node) {
    this.type = type
    this.reader = reader
    this.key = key
    this.value = value
  }

  get length(): number {
    return this.runs.length
  }

  get byteLength(): number {
    return this.runs.byteLength + this.key.byteLength + this.value.byteLength
  }

  append(c: number): boolean {
    const whole = c === 0x7b ? this.appendObject() : c === 0x5b && this.appendEntries()
    if (whole) this.runs.push(this.value.length, true)
    return whole
  }

  private appendObject(): boolean {
    const { scanner } = this.reader
    if (!(this.key instanceof Leaf)) return false
    scanner.pos++
    if (scanner.space() === 0x7d) {
      scanner.pos++
      return true
    }
    do {
      const status = scanner.key(scanner.space())
      if (!this.key.appendKey(status === KIND.escaped)) return false
      if (!appendValue(this.value, this.reader)) return false
    } while (passed(scanner) === 0x2c)
    return true
  }

  private appendEntries(): boolean {
    const { scanner } = this.reader
    scanner.pos++
    if (scanner.space() === 0x5d) {
      scanner.pos++
      return true
    }
    do if (!this.appendEntry()) return false
    while (passed(scanner) === 0x2c)
    return true
  }

  private appendEntry(): boolean {
    const { scanner } = this.reader
    if (scanner.space() !== 0x7b) return false
    scanner.pos++
    const count = this.value.length
    if (scanner.space() === 0x7d) return false
    do {
      scanner.key(scanner.space())
      const index = ENTRY_KEYS.find(scanner.bytes, scanner.start, scanner.end)
      const node = index === 0 ? this.key : this.value
      // A map entry needs each of its two keys once, and a key that isn't null.
      if (index < 0 || node.length !== count || (index === 0 && scanner.space() === 0x6e)) return false
      if (!appendValue(node, this.reader)) return false
    } while (passed(scanner) === 0x2c)
    if (this.value.length === count) this.value.appendNull()
    return this.key.length === this.value.length
  }

  appendNull(): void {
    this.runs.push(this.value.length, false)
  }

  truncate(length: number): void {
    this.runs.truncate(length)
    const entries = this.runs.endOf(length)
    this.key.truncate(entries)
    this.value.truncate(entries)
  }

  finish(): Data {
    const type = toArrowType(this.type)
    const { length } = this.value
    const [entries] = type.children as { type: DataType }[]
    const child = new Data(entries.type, 0, length, 0, {}, [this.key.finish(), this.value.finish()])
    return this.runs.finish(type, child)
  }
}
