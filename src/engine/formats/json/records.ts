import { COMMA } from '../../../lib/ascii.ts'
import type { Data } from 'apache-arrow'
import { ByteWriter } from '../../../lib/bytes.ts'
import { EngineError } from '../../errors.ts'
import type { Slot } from './nested.ts'
import { FOUND } from './unfold.ts'
import { isNull, type CellWriter } from '../../arrow/scalars.ts'

export interface Cell {
  readonly data: Data
  readonly write: CellWriter
  /** If a null means that there's nothing to write, the column's data; null if nulls are written. */
  readonly absent: Data | null
  readonly members: boolean
}

/** A range of the gathered text, a list, or an object. */
type Value =
  | { readonly start: number; readonly end: number }
  | { readonly items: Value[] }
  | { readonly members: readonly (readonly [prefix: Uint8Array, value: Value])[] }

/** A list that was unfolded. */
interface ListPlace {
  readonly slot: Slot
  /** Index among the slot's steps. */
  readonly at: number
  /** Steps of the lists around it. */
  readonly outer: ReadonlySet<number>
}

const NULL = new TextEncoder().encode('null')
const [ABSENT, EMPTY, OBJECT] = [FOUND.absent, FOUND.empty, FOUND.object].map((found) => -found.charCodeAt(0))

/**
 * Reassembles records from rows, based on the nesting column. Rows of a record are consecutive. If a record has two
 * lists, there's a row for each combination of their elements.
 */
export class Records {
  private readonly slots: readonly Slot[]
  private readonly lists = new Map<number, ListPlace>()
  /** What each step found in the row: an element's index, or a letter's code, negated. */
  private readonly found: number[] = []
  /** The list that each step unfolded last. */
  private readonly open: Value[][] = []
  /** The cells of the record, as text. */
  private readonly text = new ByteWriter(16 * 1024)
  private record: Value | null = null
  private cells: readonly Cell[] = []
  private row = 0

  constructor(slots: readonly Slot[]) {
    this.slots = slots
    this.findLists(slots, [])
  }

  private findLists(slots: readonly Slot[], outer: readonly number[]): void {
    for (const slot of slots) {
      const own: number[] = []
      for (const [at, { step, as }] of slot.steps.entries()) {
        if (as !== 'rows') continue
        this.lists.set(step, { slot, at, outer: new Set([...outer, ...own]) })
        own.push(step)
      }
      this.findLists(slot.inner, [...outer, ...own])
    }
  }

  /** Whether a row is the first one of its record. Call this for each row before `begin` or `add`. */
  begins(nesting: Data, row: number): boolean {
    this.readFound(nesting, row)
    for (const step of this.lists.keys()) if (this.found[step] > 0) return false
    return true
  }

  /** Adds a record's first row. The record before must have been written. */
  begin(cells: readonly Cell[], row: number): void {
    this.cells = cells
    this.row = row
    this.record = this.object(this.slots)
  }

  /** Adds another row of the record. */
  add(cells: readonly Cell[], row: number): void {
    this.cells = cells
    this.row = row
    let inner = -1
    for (const step of this.lists.keys()) if (this.found[step] > 0 && step > inner) inner = step
    const list = this.lists.get(inner)
    if (!list) return
    for (const step of this.lists.keys()) {
      // In a combination with a later element of another list, the row's value has already been added.
      if (step !== inner && this.found[step] > 0 && !list.outer.has(step)) return
    }
    const items = this.open[inner]
    if (this.record === null || items?.length !== this.found[inner]) {
      throw new EngineError('internal', 'A row isn’t after the one before it of the same record.')
    }
    items.push(this.value(list.slot, list.at + 1) ?? this.nothing())
  }

  /** Whether there's a record to write. */
  get any(): boolean {
    return this.record !== null
  }

  /** Writes the record. */
  end(out: ByteWriter): void {
    if (this.record) this.write(this.record, out)
    this.record = null
    this.text.clear()
  }

  private readFound(nesting: Data, row: number): void {
    const bytes: Uint8Array = nesting.values
    const offsets: Int32Array = nesting.valueOffsets
    const end = offsets[row + 1]
    let step = 0
    for (let at = offsets[row]; at < end; at += 2) {
      const letter = bytes[at]
      if (letter >= 0x61) {
        this.found[step++] = -letter
        continue
      }
      let number = 0
      for (; bytes[at] !== 0x20; at++) number = number * 10 + bytes[at] - 0x30
      at--
      this.found[step++] = number
    }
  }

  private object(slots: readonly Slot[]): Value {
    const members: [Uint8Array, Value][] = []
    for (const slot of slots) {
      const value = this.value(slot, 0)
      if (value !== null) members.push([slot.prefix, value])
    }
    return { members }
  }

  /** The value after the steps before `at`; null if there's none. */
  private value(slot: Slot, at: number): Value | null {
    const { steps } = slot
    for (let i = at; i < steps.length; i++) {
      const { step, as } = steps[i]
      const found = this.found[step]
      if (as === 'columns') {
        if (found === OBJECT) return this.object(slot.inner)
      } else if (found === EMPTY) return { items: [] }
      else if (found >= 0) {
        const items: Value[] = []
        this.open[step] = items
        items.push(this.value(slot, i + 1) ?? this.nothing())
        return { items }
      }
    }
    const last = steps.at(-1)
    if (last === undefined) return this.cell(slot)
    const { column } = slot
    const isThere = column !== null && !isNull(this.cells[column].data, this.row)
    if (isThere) return this.cellOf(this.cells[column])
    return this.found[last.step] === ABSENT ? null : this.nothing()
  }

  private cell({ column }: Slot): Value | null {
    if (column === null) return null
    const cell = this.cells[column]
    return cell.absent && isNull(cell.absent, this.row) ? null : this.cellOf(cell)
  }

  private cellOf({ write }: Cell): Value {
    const { text } = this
    const start = text.length
    write(text, this.row)
    return { start, end: text.length }
  }

  private nothing(): Value {
    const start = this.text.length
    this.text.append(NULL)
    return { start, end: this.text.length }
  }

  private write(value: Value, out: ByteWriter): void {
    if ('start' in value) {
      out.append(this.text.bytes, value.start, value.end)
      return
    }
    if ('items' in value) {
      out.byte(0x5b)
      for (const [i, item] of value.items.entries()) {
        if (i > 0) out.byte(COMMA)
        this.write(item, out)
      }
      out.byte(0x5d)
      return
    }
    out.byte(0x7b)
    for (const [i, [prefix, inner]] of value.members.entries()) {
      // The first member has no comma.
      out.append(prefix, i === 0 ? 1 : 0)
      this.write(inner, out)
    }
    out.byte(0x7d)
  }
}
