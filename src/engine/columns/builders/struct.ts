import { Data } from 'apache-arrow'
import type { StructType } from '../../../tables/types.ts'
import { KeyTable } from '../json/keys.ts'
import { KIND } from '../json/scanner.ts'
import { unescape } from '../json/text.ts'
import { Validity } from './flat.ts'
import { toArrowType } from '../../arrow/types.ts'
import { appendValue, passed, type Node, type Reader } from './node.ts'

export class StructNode implements Node {
  length = 0
  private readonly type: StructType
  private readonly reader: Reader
  private readonly names = new KeyTable()
  private readonly fields: readonly Node[]
  private readonly validity = new Validity()
  /** Position of each key's value in the object, -1 if it's missing. */
  private readonly places: Float64Array

  constructor(type: StructType, reader: Reader, fields: readonly Node[]) {
    this.type = type
    this.reader = reader
    this.fields = fields
    for (const { name } of type.fields) {
      const text = new TextEncoder().encode(name)
      this.names.add(text, 0, text.length)
    }
    this.places = new Float64Array(type.fields.length)
  }

  get byteLength(): number {
    return this.fields.reduce((sum, field) => sum + field.byteLength, this.validity.byteLength)
  }

  append(c: number): boolean {
    if (c !== 0x7b) return false
    const { scanner } = this.reader
    const start = scanner.pos
    if (!this.appendInOrder()) {
      for (const field of this.fields) field.truncate(this.length)
      scanner.pos = start
      if (!this.appendAnyhow()) return false
    }
    this.validity.setValid(this.length++)
    return true
  }

  /** Fast path: the keys are in the order of the fields, though some may be missing. */
  private appendInOrder(): boolean {
    const { scanner } = this.reader
    const { fields, names } = this
    scanner.pos++
    let next = 0
    if (scanner.space() === 0x7d) {
      scanner.pos++
    } else {
      do {
        const c = scanner.space()
        if (scanner.key(c) !== KIND.string) return false
        while (next < fields.length && !names.is(next, scanner.bytes, scanner.start, scanner.end)) {
          fields[next++].appendNull()
        }
        if (next === fields.length || !appendValue(fields[next++], this.reader)) return false
      } while (passed(scanner) === 0x2c)
    }
    while (next < fields.length) fields[next++].appendNull()
    return true
  }

  private appendAnyhow(): boolean {
    const { scanner } = this.reader
    if (!this.locate()) return false
    const end = scanner.pos
    for (let i = 0; i < this.fields.length; i++) {
      if (this.places[i] < 0) {
        this.fields[i].appendNull()
        continue
      }
      scanner.pos = this.places[i]
      if (!appendValue(this.fields[i], this.reader)) return false
    }
    scanner.pos = end
    return true
  }

  private locate(): boolean {
    const { scanner, scratch } = this.reader
    this.places.fill(-1)
    scanner.pos++
    if (scanner.space() === 0x7d) {
      scanner.pos++
      return true
    }
    do {
      const status = scanner.key(scanner.space())
      let { bytes, start, end } = scanner
      if (status === KIND.escaped) {
        scratch.clear()
        unescape(bytes, start, end, scratch)
        bytes = scratch.bytes
        start = 0
        end = scratch.length
      }
      const index = this.names.find(bytes, start, end)
      if (index < 0) return false
      this.places[index] = scanner.pos
      scanner.value()
    } while (passed(scanner) === 0x2c)
    return true
  }

  appendNull(): void {
    for (const field of this.fields) field.appendNull()
    this.validity.setNull(this.length++)
  }

  truncate(length: number): void {
    for (const field of this.fields) field.truncate(length)
    this.validity.truncate(this.length, length)
    this.length = length
  }

  finish(): Data {
    const { length } = this
    const nulls = this.validity.nulls
    const bitmap = this.validity.take(length)
    this.length = 0
    const children = this.fields.map((field) => field.finish())
    return new Data(toArrowType(this.type), 0, length, nulls, bitmap ? { 2: bitmap } : {}, children)
  }
}
