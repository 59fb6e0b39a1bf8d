import type { Flattened, JsonSettings, Note } from '../../../tables/plan.ts'
import type { NestedIn } from '../../../tables/types.ts'
import type { Unfolding } from '../../../tables/settings.ts'
import { formatCount, plural } from '../../../lib/counts.ts'
import { ByteWriter } from '../../../lib/bytes.ts'
import { uniqueNames } from '../../../tables/names.ts'
import { EngineError } from '../../errors.ts'
import { passed } from '../../columns/builders/node.ts'
import { isText, JsonScanner, KIND } from '../../columns/json/scanner.ts'
import { LineRows } from './line-rows.ts'
import { STEP, type RowSource } from './rows.ts'
import { MAX_COLUMNS } from './tokens.ts'

/** Bytes to collect before they are passed on. */
const FLUSH = 256 * 1024
const [BRACE, END_BRACE, LINE_END, TAB, COMMA] = [0x7b, 0x7d, 0x0a, 0x09, 0x2c]

/** Origin of a renamed column. It isn't a step, so that no step claims the column. */
const RENAMED = -2

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** A key, and its value's position in the text. */
interface Member {
  readonly name: string
  readonly kind: number
  /** Including the quotes of a string. */
  readonly start: number
  readonly end: number
}

interface Row {
  readonly members: readonly Member[]
  /** What each marked step found in the row. */
  readonly found: string
}

/** What a step finds in a row. For a list, it's the index of the row's element. */
export const FOUND = { absent: 'a', empty: 'e', object: 'o', value: 'v' } as const

/** An unfolding, with counts of its results. */
interface UnfoldStep {
  readonly unfolding: Unfolding
  /** Whether to record in each row what was found. */
  readonly isMarked: boolean
  /** Number of objects that became columns, or of lists that became rows. */
  count: number
  /** How many of them were empty. */
  empty: number
  /** Rows without an object: those with null, and those that lack the key. */
  nulls: number
  absent: number
  readonly names: Set<string>
}

/** The parts of an open file that are needed here. */
interface Rows {
  readonly rows: RowSource
  more(): Promise<void>
  close(): Promise<void>
}

/** Rows made from others, which aren't on a line of the file. */
export class UnfoldedRows extends LineRows {
  protected override lineOf(): null {
    return null
  }
}

/**
 * Transforms a file's rows: an object's keys become columns (`address.city`), or each element of a list becomes a row
 * that repeats all other values. Steps are applied one after another, and values are kept exactly as written. The
 * result is one object per line, so that the rest works as for line formats.
 */
export class Unfolder {
  /** Number of rows made. */
  private made = 0
  private readonly open: Rows
  private readonly steps: readonly UnfoldStep[]
  private readonly scanner = new JsonScanner(true)
  /** The step that made each column, by name; -1 for those in the file. */
  private readonly origins = new Map<string, number>()
  /** New names of columns whose name was taken, by step and name. */
  private readonly renamed = new Map<string, string>()
  private readonly keys = new Map<string, Uint8Array>()
  /** Name of the column that records what was found in each row. */
  private readonly nesting: string | null
  /** Names of the file's columns. */
  private readonly names: string[] = []

  constructor(open: Rows, { unfold = [], nesting }: Pick<JsonSettings, 'unfold' | 'nesting'>) {
    this.open = open
    this.nesting = nesting?.name ?? null
    this.steps = unfold.map((unfolding, step) => ({
      unfolding,
      isMarked: nesting?.steps.includes(step) ?? false,
      count: 0,
      empty: 0,
      nulls: 0,
      absent: 0,
      names: new Set(),
    }))
  }

  /** The rows as lines, in chunks. */
  async *lines(): AsyncGenerator<Uint8Array, void, undefined> {
    const { open } = this
    const { rows } = open
    const out = new ByteWriter(FLUSH + 64 * 1024)
    try {
      for (;;) {
        const step = rows.next()
        if (step === STEP.done) break
        if (step === STEP.more) {
          await open.more()
          continue
        }
        if (step === STEP.rejected) this.writeRejected(out)
        else for (const row of this.unfolded()) this.writeRow(row, out)
        if (out.length < FLUSH) continue
        yield out.view().slice()
        out.clear()
      }
      if (out.length > 0) yield out.view().slice()
    } finally {
      await open.close()
    }
  }

  /** Number of duplicate keys in the file's rows. */
  get duplicates(): number {
    return this.open.rows.tokens.duplicates
  }

  /** Notes on the transformation. Available only after the last row. */
  get notes(): Note[] {
    const { made, open } = this
    const renamed = [...this.renamed].map(([key, name]): Note => {
      const wanted = key.slice(key.indexOf(' ') + 1)
      const message = `“${name}” is a second column “${wanted}”: one is of the rows themselves, the other of an object in them.`
      return { code: 'flattened-renamed', message, column: name }
    })
    const notes = this.steps.map(({ unfolding: { column, as }, count, empty, names }) => {
      if (as === 'columns') {
        const [first] = names
        const example = first === undefined ? '' : ` (“${first}”)`
        const lost = empty === 0 ? '' : ` ${plural(empty, 'empty object')} can’t be told from null then.`
        const message = `“${column}” is flattened: each of its keys is a column${example}.${lost}`
        return { code: 'flattened', message, count }
      }
      const rest = empty === 0 ? '' : ` A list without elements is a row with null (${formatCount(empty)}).`
      const message = `Each element of “${column}” is a row, with the other values repeated: the file’s ${plural(open.rows.count, 'row')} became ${formatCount(made)}.${rest}`
      return { code: 'row-per-element', message, count }
    })
    return [...notes, ...renamed]
  }

  /** The objects whose keys became columns. Available only after the last row. */
  get flattenedColumns(): Flattened[] {
    const flattened = this.steps.filter(({ unfolding }) => unfolding.as === 'columns')
    return flattened.map(({ unfolding: { column }, names, empty, nulls, absent }): Flattened => {
      const ways = Object.entries({ empty, null: nulls, absent }).flatMap(([none, times]) => (times > 0 ? [none] : []))
      const [none = 'object', ...others] = ways as NestedIn['none'][]
      return { column, names: [...names], ...(others.length > 0 ? {} : { none }) }
    })
  }

  /** Copies a rejected row to the output, where it's rejected for the same reason. */
  private writeRejected(out: ByteWriter): void {
    const { rows } = this.open
    const [start, end] = rows.span
    this.made++
    writeInLine(rows.window.bytes, start, end, out)
    out.byte(LINE_END)
  }

  private writeRow(row: Row, out: ByteWriter): void {
    const { bytes } = this.open.rows.window
    this.made++
    out.byte(BRACE)
    for (const [i, { name, start, end }] of row.members.entries()) {
      if (i > 0) out.byte(COMMA)
      out.append(this.keyOf(name))
      writeInLine(bytes, start, end, out)
    }
    if (this.nesting !== null) {
      if (row.members.length > 0) out.byte(COMMA)
      out.append(this.keyOf(this.nesting))
      out.text(`"${row.found}"`)
    }
    out.byte(END_BRACE)
    out.byte(LINE_END)
  }

  /** A name as a JSON key, with its colon. */
  private keyOf(name: string): Uint8Array {
    const known = this.keys.get(name)
    if (known) return known
    const key = new TextEncoder().encode(`${JSON.stringify(name)}:`)
    this.keys.set(name, key)
    return key
  }

  /** The rows made from the current one. */
  private *unfolded(): Iterable<Row> {
    let rows: Iterable<Row> = [{ members: this.currentMembers(), found: '' }]
    for (const [number, step] of this.steps.entries()) {
      rows = step.unfolding.as === 'columns' ? this.flattened(rows, step, number) : this.perElement(rows, step)
    }
    yield* rows
  }

  private currentMembers(): Member[] {
    const { tokens } = this.open.rows
    return Array.from({ length: tokens.count }, (_, i) => {
      const column = tokens.present[i]
      const quotes = isText(tokens.kinds[column]) ? 1 : 0
      const [start, end] = [tokens.starts[column] - quotes, tokens.ends[column] + quotes]
      return { name: this.nameOf(column), kind: tokens.kinds[column], start, end }
    })
  }

  /** The name of one of the file's columns. */
  private nameOf(column: number): string {
    const { names } = this
    const { keys } = this.open.rows.tokens
    if (keys.size >= MAX_COLUMNS) {
      throw new EngineError('too-large', `The rows have more than ${formatCount(MAX_COLUMNS)} different keys.`, {
        remedy: 'A table can’t have so many columns. Write the keys as values: {"key": ..., "value": ...}.',
      })
    }
    while (names.length <= column) {
      names.push(this.claim(keys.name(names.length), -1))
    }
    return names[column]
  }

  /** The name of a step's column. A number is added if rows have another column with that name. */
  private claim(name: string, step: number): string {
    const origin = this.origins.get(name)
    if (origin === undefined) this.origins.set(name, step)
    if ((origin ?? step) === step) return name
    const key = `${step} ${name}`
    let free = this.renamed.get(key)
    if (free === undefined) {
      free = uniqueNames([...this.origins.keys(), name]).at(-1) ?? name
      this.origins.set(free, RENAMED)
      this.renamed.set(key, free)
    }
    return free
  }

  private *flattened(rows: Iterable<Row>, step: UnfoldStep, number: number): Iterable<Row> {
    const { column } = step.unfolding
    for (const row of rows) {
      const own = row.members.filter(({ name }) => name === column)
      if (own.length === 0) step.absent++
      const members = row.members.flatMap((member) => {
        if (member.name !== column) return [member]
        if (member.kind === KIND.null) {
          step.nulls++
          return []
        }
        if (member.kind !== KIND.object) return [member]
        const inner = this.membersOf(member, number, step.names)
        step.count++
        if (inner.length === 0) step.empty++
        return inner
      })
      const isObject = own.some(({ kind }) => kind === KIND.object)
      yield marked(row, step, members, own.length === 0 ? FOUND.absent : isObject ? FOUND.object : FOUND.value)
    }
  }

  private *perElement(rows: Iterable<Row>, step: UnfoldStep): Iterable<Row> {
    const { column } = step.unfolding
    for (const row of rows) {
      const { members } = row
      const list = members.find(({ name, kind }) => name === column && kind === KIND.array)
      if (!list) {
        yield marked(row, step, members, members.some(({ name }) => name === column) ? FOUND.value : FOUND.absent)
        continue
      }
      step.count++
      const others = (element: Member): Member[] => members.map((member) => (member === list ? element : member))
      const elements = this.elementsOf(list)
      for (const [i, element] of elements.entries()) yield marked(row, step, others(element), String(i))
      if (elements.length > 0) continue
      step.empty++
      yield marked(
        row,
        step,
        members.filter((member) => member !== list),
        FOUND.empty,
      )
    }
  }

  /** An object's members, with names that are prefixed with its name. */
  private membersOf({ name, start }: Member, step: number, names: Set<string>): Member[] {
    const scanner = this.scanAt(start)
    const members: Member[] = []
    if (scanner.space() === END_BRACE) return members
    do {
      const kind = scanner.key(scanner.space())
      const text = decoder.decode(scanner.bytes.subarray(scanner.start, scanner.end))
      const key = kind === KIND.escaped ? String(JSON.parse(`"${text}"`)) : text
      const full = `${name}.${key}`
      const claimed = this.claim(full, step)
      if (claimed === full) names.add(full)
      members.push(this.valueAt(scanner, claimed))
    } while (passed(scanner) === COMMA)
    return members
  }

  private elementsOf({ name, start }: Member): Member[] {
    const scanner = this.scanAt(start)
    const elements: Member[] = []
    if (scanner.space() === 0x5d) return elements
    do elements.push(this.valueAt(scanner, name))
    while (passed(scanner) === COMMA)
    return elements
  }

  /** The scanner after the bracket at `start`. The text was scanned before and is complete. */
  private scanAt(start: number): JsonScanner {
    const { window } = this.open.rows
    this.scanner.reset(window.bytes, start + 1, window.limit, true)
    return this.scanner
  }

  private valueAt(scanner: JsonScanner, name: string): Member {
    const kind = scanner.value()
    const quotes = isText(kind) ? 1 : 0
    return { name, kind, start: scanner.start - quotes, end: scanner.end + quotes }
  }
}

function marked({ found }: Row, { isMarked }: UnfoldStep, members: readonly Member[], here: string): Row {
  return { members, found: isMarked ? `${found}${here} ` : found }
}

/** Writes JSON within a line. Line ends become tabs, which is equivalent, since neither is allowed in strings. */
function writeInLine(bytes: Uint8Array, start: number, end: number, out: ByteWriter): void {
  const text = bytes.subarray(start, end)
  if (!text.includes(LINE_END) && !text.includes(0x0d)) {
    out.append(text)
    return
  }
  out.append(text.map((byte) => (byte === LINE_END || byte === 0x0d ? TAB : byte)))
}
