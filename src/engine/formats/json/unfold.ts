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

/** Bytes that are gathered before they are handed on. */
const FLUSH = 256 * 1024
const [BRACE, END_BRACE, LINE_END, TAB, COMMA] = [0x7b, 0x7d, 0x0a, 0x09, 0x2c]

/** The origin of a column that was renamed: no step, so that none claims it. */
const RENAMED = -2

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** A key with its value as it stands in the text. */
interface Member {
  readonly name: string
  readonly kind: number
  /** A string's with its quotes. */
  readonly start: number
  readonly end: number
}

interface Row {
  readonly members: readonly Member[]
  /** What each marked step found in it. */
  readonly found: string
}

/** What a step finds in a row; of a list, the number of the element that the row has. */
export const FOUND = { absent: 'a', empty: 'e', object: 'o', value: 'v' } as const

/** An unfolding, and what it came to. */
interface UnfoldStep {
  readonly unfolding: Unfolding
  /** Whether each row says what was found in it. */
  readonly isMarked: boolean
  /** Objects that became columns, or lists that became rows. */
  count: number
  /** Of these, without anything in them. */
  empty: number
  /** Where no object was: rows with null, and with no such key. */
  nulls: number
  absent: number
  readonly names: Set<string>
}

/** What an open file has of rows. */
interface Rows {
  readonly rows: RowSource
  more(): Promise<void>
  close(): Promise<void>
}

/** Rows that stand in no line of the file, for they were made of others. */
export class UnfoldedRows extends LineRows {
  protected override lineOf(): null {
    return null
  }
}

/**
 * Makes other rows of a file's rows: an object's keys become columns of the row (`address.city`), or each element of a list
 * a row of its own, with all else repeated. One step after the other; values stay as they are spelled. They come as one
 * object a line, so that all else is done as with lines.
 */
export class Unfolder {
  /** Rows that were made. */
  private made = 0
  private readonly open: Rows
  private readonly steps: readonly UnfoldStep[]
  private readonly scanner = new JsonScanner()
  /** Of each column's name, the step that made it; -1 for those in the file. */
  private readonly origins = new Map<string, number>()
  /** By step and name, what a column is called whose name another one has. */
  private readonly renamed = new Map<string, string>()
  private readonly keys = new Map<string, Uint8Array>()
  /** The column that says what was found in each row. */
  private readonly nesting: string | null
  /** Of the file's columns, by their number. */
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

  /** The rows as lines, some at a time. */
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

  /** Keys that came twice in a row of the file. */
  get duplicates(): number {
    return this.open.rows.tokens.duplicates
  }

  /** What was made of the rows. Only at their end. */
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

  /** The objects whose keys became columns. Only at the rows' end. */
  get flattenedColumns(): Flattened[] {
    const flattened = this.steps.filter(({ unfolding }) => unfolding.as === 'columns')
    return flattened.map(({ unfolding: { column }, names, empty, nulls, absent }): Flattened => {
      const ways = Object.entries({ empty, null: nulls, absent }).flatMap(([none, times]) => (times > 0 ? [none] : []))
      const [none = 'object', ...others] = ways as NestedIn['none'][]
      return { column, names: [...names], ...(others.length > 0 ? {} : { none }) }
    })
  }

  /** What isn't a row is rejected as a line, for the same reason. */
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

  /** A name as a key in JSON, with its colon. */
  private keyOf(name: string): Uint8Array {
    const known = this.keys.get(name)
    if (known) return known
    const key = new TextEncoder().encode(`${JSON.stringify(name)}:`)
    this.keys.set(name, key)
    return key
  }

  /** The rows that the current one becomes. */
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

  /** A column's name in the file. */
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

  /** The name that a step's column has: its own, or one with a number where the rows have such a column from elsewhere. */
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

  /** An object's members, named by it and their key. */
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

  /** The scanner after the bracket at `start`: what follows was scanned before, and is whole. */
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

/** Writes JSON within a line: a tab in place of a line end means the same, and is no more allowed in a string than that. */
function writeInLine(bytes: Uint8Array, start: number, end: number, out: ByteWriter): void {
  const text = bytes.subarray(start, end)
  if (!text.includes(LINE_END) && !text.includes(0x0d)) {
    out.append(text)
    return
  }
  out.append(text.map((byte) => (byte === LINE_END || byte === 0x0d ? TAB : byte)))
}
