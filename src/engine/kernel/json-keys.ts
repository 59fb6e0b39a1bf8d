import * as layout from './assembly/layout.ts'
import type { CellMemory } from './cell-memory.ts'

/** Initial capacity. */
const FIRST_ENTRIES = 64
const FIRST_BYTES = 2048
const QUOTE = 0x22

/** A hash table in the kernel's memory, from JSON's keys as spelled to the cells of a row. */
export class JsonKeys {
  private readonly cells: CellMemory
  private readonly known: { readonly spelling: Uint8Array; readonly cell: number }[] = []
  private capacity = 0
  private textSize = 0
  private textEnd = 0

  constructor(cells: CellMemory) {
    this.cells = cells
    this.build(FIRST_ENTRIES, FIRST_BYTES)
  }

  /** A power of two. */
  get slots(): number {
    return this.capacity * 2
  }

  /** @param spelling the key's UTF-8 between its quotes, with valid escapes; it must not be in the table yet */
  add(spelling: Uint8Array, cell: number): void {
    this.known.push({ spelling, cell })
    const isFull = this.known.length >= this.capacity || this.textEnd + spelling.length + 1 > this.textSize
    if (isFull) this.build(this.known.length * 2, (this.textEnd + spelling.length + 1) * 2)
    else this.put(this.known.length)
  }

  /** Rebuilds the table with more room. */
  private build(entries: number, bytes: number): void {
    const { cells, known } = this
    this.capacity = Math.max(this.capacity, 1 << Math.ceil(Math.log2(entries + 1)))
    this.textSize = Math.max(this.textSize, bytes)
    this.textEnd = 0
    const texts = this.texts
    cells.fit({ keys: texts + this.textSize + layout.SLACK })
    const at = cells.keysAt
    cells.kernel.bytes.fill(0, at, at + texts)
    const start = this.entryAt(0)
    cells.kernel.words[(at + start + layout.KEY_NEXT) >> 2] = start
    for (let number = 1; number <= known.length; number++) this.put(number)
  }

  private get texts(): number {
    return this.entryAt(this.capacity)
  }

  /** The address of an entry. Entries are numbered from 1; 0 is the beginning of a row. */
  private entryAt(number: number): number {
    return this.slots * layout.KEY_SLOT + number * layout.KEY_ENTRY
  }

  private put(number: number): void {
    const { kernel, keysAt } = this.cells
    const { spelling, cell } = this.known[number - 1]
    const entry = this.entryAt(number)
    const text = this.texts + this.textEnd
    this.textEnd += spelling.length + 1
    kernel.bytes.set(spelling, keysAt + text)
    kernel.bytes[keysAt + text + spelling.length] = QUOTE
    const { words } = kernel
    const word = (keysAt + entry) >> 2
    words[word + (layout.KEY_AT >> 2)] = text
    words[word + (layout.KEY_SIZE >> 2)] = spelling.length
    words[word + (layout.KEY_CELL >> 2)] = cell
    // Expect keys in the order in which they first came.
    words[word + (layout.KEY_NEXT >> 2)] = this.entryAt(0)
    words[(keysAt + this.entryAt(number - 1) + layout.KEY_NEXT) >> 2] = entry
    const slots = keysAt >> 2
    const mask = this.slots - 1
    let slot = kernel.exports.keyHash(keysAt + text, spelling.length) & mask
    while (words[slots + slot] !== 0) slot = (slot + 1) & mask
    words[slots + slot] = entry
  }
}
