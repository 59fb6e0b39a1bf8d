/*
 * A key is a path of steps. They are ordered as their steps are, and a path is before those that go on from it. A step is a number
 * from 0 up to `TOP`, the last one not 0, and is written in five digits.
 */
const TOP = 2 ** 30
const WIDTH = 5
/** The first of 64 digits. */
const ZERO = 0x30
/** How far apart new steps are, at most: what comes in order takes little of the room that there is. */
const APART = 1024
const BLOCK = 512

interface Entry {
  readonly text: string
  readonly key: string
  /** When it was added: what was added together has the same number. */
  readonly age: number
}

/**
 * Keys of texts: the order of the keys' bytes is that of the texts, and texts that are equal in it have the same key. A key
 * stays as it is while texts are added that come before or after it.
 */
export class OrderedKeys {
  private readonly compare: (a: string, b: string) => number
  private readonly keys = new Map<string, string>()
  /** All entries in their order, in blocks, so that one is put in without all others being moved. */
  private blocks: Entry[][] = []
  private age = 0
  /** Of all texts and keys together. */
  letters = 0

  constructor(compare: (a: string, b: string) => number) {
    this.compare = compare
  }

  get size(): number {
    return this.keys.size
  }

  has(text: string): boolean {
    return this.keys.has(text)
  }

  /** The key of a text that was added. */
  get(text: string): string {
    const key = this.keys.get(text)
    if (key === undefined) throw new Error('a text has no key')
    return key
  }

  /** Adds texts that aren't there. Many at a time get shorter keys than each alone. */
  add(texts: readonly string[]): void {
    const { compare } = this
    this.age++
    const sorted = texts.toSorted(compare)
    for (let i = 0; i < sorted.length;) {
      const at = this.find(sorted[i])
      const right = this.entry(at)
      if (right && compare(sorted[i], right.text) === 0) {
        this.set(sorted[i++], right.key)
        continue
      }
      const isBefore = (each: string): boolean => !right || compare(each, right.text) < 0
      const first = i++
      while (i < sorted.length && isBefore(sorted[i])) i++
      this.put(at, sorted.slice(first, i), right)
    }
  }

  /** Puts texts in order between an entry and the one before it. */
  private put(at: Place, texts: readonly string[], right: Entry | undefined): void {
    const left = this.entry({ block: at.block, index: at.index - 1 })
    const groups: string[][] = []
    for (const text of texts) {
      const last = groups.at(-1)
      if (last && this.compare(last[0], text) === 0) last.push(text)
      else groups.push([text])
    }
    const found = keysBetween(left, right, groups.length)
    const entries = groups.map((group, i): Entry => {
      for (const text of group) this.set(text, found[i])
      return { text: group[0], key: found[i], age: this.age }
    })
    const block = this.blocks[at.block]
    if (!block) this.blocks = blocksOf(entries)
    else {
      block.splice(at.index, 0, ...entries)
      if (block.length > 2 * BLOCK) this.blocks.splice(at.block, 1, ...blocksOf(block))
    }
  }

  private set(text: string, key: string): void {
    this.keys.set(text, key)
    this.letters += text.length + key.length
  }

  private entry({ block, index }: Place): Entry | undefined {
    const entries = this.blocks[block]
    if (index < 0) return this.blocks[block - 1]?.at(-1)
    return index === entries?.length ? this.blocks[block + 1]?.[0] : entries?.[index]
  }

  /** Where the first entry is that isn't before a text, or would be. */
  private find(text: string): Place {
    const { blocks, compare } = this
    const isBefore = (entry: Entry): boolean => compare(entry.text, text) < 0
    const block = Math.max(0, firstNot(blocks.length, (i) => isBefore(blocks[i][0])) - 1)
    const entries = blocks[block] ?? []
    return { block, index: firstNot(entries.length, (i) => isBefore(entries[i])) }
  }
}

interface Place {
  readonly block: number
  readonly index: number
}

function blocksOf(entries: readonly Entry[]): Entry[][] {
  return Array.from({ length: Math.ceil(entries.length / BLOCK) }, (_, i) => entries.slice(i * BLOCK, (i + 1) * BLOCK))
}

/** The first number below a size of which something isn't so that is so of all before it; the size where it's so of all. */
function firstNot(size: number, isSo: (i: number) => boolean): number {
  let low = 0
  for (let high = size; low < high;) {
    const middle = (low + high) >> 1
    if (isSo(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Keys in order between two. They are beside the one that was added last, as most texts are that come in order: so the room
 * lasts for those that follow.
 */
function keysBetween(left: Entry | undefined, right: Entry | undefined, count: number): string[] {
  let prefix = ''
  for (let isBelow = right !== undefined; ;) {
    const low = left && prefix.length < left.key.length ? stepAt(left.key, prefix.length) : 0
    const high = isBelow && right ? stepAt(right.key, prefix.length) : TOP
    const apart = Math.min(APART, Math.floor((high - low) / (count + 1)))
    if (apart > 0) {
      const first = firstStep(left, right, { low, last: high - apart * count, apart })
      return Array.from({ length: count }, (_, i) => prefix + written(first + apart * i))
    }
    prefix += written(low)
    isBelow &&= low === high
  }
}

function firstStep(
  left: Entry | undefined,
  right: Entry | undefined,
  { low, last, apart }: { readonly low: number; readonly last: number; readonly apart: number },
): number {
  if (!left && !right) return Math.floor((low + last) / 2)
  const isAtLeft = !right || (left !== undefined && left.age >= right.age)
  return isAtLeft ? low + apart : last
}

function stepAt(key: string, at: number): number {
  let step = 0
  for (let i = at; i < at + WIDTH; i++) step = step * 64 + key.charCodeAt(i) - ZERO
  return step
}

function written(step: number): string {
  const digit = (bits: number): number => ZERO + ((step >> bits) & 63)
  return String.fromCharCode(digit(24), digit(18), digit(12), digit(6), digit(0))
}
