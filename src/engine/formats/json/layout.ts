import type { JsonList, JsonSettings, Note } from '../../../tables/plan.ts'
import { JsonScanner, KIND, MORE, type Scanned } from '../../columns/json/scanner.ts'
import { BULK, isBulk } from './bulk.ts'
import { tableOfObjects } from './objects.ts'
import { ANSWER, aside, itemKey, type Outside } from './path.ts'
import type { RowShape } from './rows.ts'
import { unpackedName } from '../../../tables/file-names.ts'

export interface Layout {
  readonly layout: JsonSettings['layout']
  readonly path: readonly string[]
  readonly within?: readonly string[]
  readonly rows: RowShape
  /** If rows are arrays: whether the first one has the columns' names. */
  readonly header: boolean
  /** If rows are arrays: the columns' names, if given elsewhere in the text. */
  readonly names?: readonly string[]
  readonly notes: readonly Note[]
  /** All lists of objects, at any depth. */
  readonly lists?: readonly JsonList[]
}

interface Member {
  readonly key: string
  readonly kind: Scanned
  /** Where its value begins. */
  readonly start: number
  /** For an array: its length so far, and the kind of its first item that isn't null. */
  readonly items: number
  readonly item: Scanned
  /** Whether the sample contains all of it. */
  readonly whole: boolean
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** Usual keys of rows, and of objects around them, in answers of services. */
const ROW_KEYS =
  /^(data|rows|items|results?|records|values|entries|objects|features|hits|list|elements|value|content|edges|nodes|docs|documents|response)$/i
/** Usual keys of metadata in answers of services. */
const ABOUT =
  /^(@.*|_?links?|_shards|(api_?)?version|count|cursor|errors?|etag|extensions|has_?(more|next|prev(ious)?)|kind|limit|max_?(results|score)|messages?|meta[ _]?(data)?|(next|prev(ious)?)(_?(cursor|link|page|token|url|page_?token))*|offset|ok|page(s|_?(info|number|size|count|token))?|pagination|paging|per_?page|request_?id|response_?(header|metadata)|self|start(_?at|_?index)|status(_?code)?|success|timed_out|timestamp|took|total(_?(count|hits|items|pages|records|results|rows))?|warnings?)$/i
/** Keys beside the node in a GraphQL edge. */
const EDGE_KEYS = /^(cursor|__typename)$/
/** Usual keys of the times of measured values. */
const TIMES = /^(dates?|datetimes?|times?|timestamps?)$/i
/** A list of this many objects is rows, whatever its key. */
const MANY_ITEMS = 20
/** Maximum number of objects to search for lists. */
const MAX_SEEN = 1000
/** Minimum share of objects among the members of an object of rows. */
const MOST_OBJECTS = 0.9
/** Maximum depth of the rows. */
const MAX_PATH = 6

/**
 * Detects the layout of a JSON text from its beginning.
 * @param sample UTF-8, followed by a 0
 * @param complete whether the sample is the whole text
 */
export function detectLayout(sample: Uint8Array, complete: boolean, name: string): Layout {
  const scanner = new JsonScanner(true)
  const limit = sample.length - 1
  scanner.reset(sample, 0, limit, complete)
  const first = scanner.space()
  const begin = scanner.pos
  const named = /\.(ndjson|jsonl)$/i.test(unpackedName(name))
  const kind = scanner.value()
  const end = scanner.pos
  const next = kind < 0 ? 0 : scanner.space()
  const apart = kind >= 0 && sample.subarray(end, scanner.pos).includes(0x0a)
  const oneLine = !sample.subarray(begin, end).includes(0x0a)
  const detector = new Detector(scanner, limit, complete)
  if (first === 0x7b) {
    if (isBulk(sample, complete, scanner)) return { ...plain('bulk', 'objects'), notes: [BULK] }
    const lines =
      named || (apart && oneLine && next === 0x7b) || (kind < 0 && kind !== MORE && detector.goodSecondLine())
    if (lines) return plain('lines', 'objects')
    if (next === 0x7b) return plain('array', 'objects')
    return { ...detector.object(begin), lists: detector.lists(begin) }
  }
  if (first === 0x5b) {
    const lines = apart && oneLine && next === 0x5b
    return lines ? detector.arrays('lines', begin) : detector.array(begin)
  }
  if (detector.goodSecondLine()) return plain('lines', 'objects')
  return plain(named ? 'lines' : 'array', named || kind < 0 ? 'objects' : 'values')
}

const plain = (layout: JsonSettings['layout'], rows: RowShape): Layout => ({
  layout,
  path: [],
  rows,
  header: false,
  notes: [],
})

class Detector {
  private readonly scanner: JsonScanner
  private readonly sample: Uint8Array
  private readonly limit: number
  private readonly complete: boolean

  constructor(scanner: JsonScanner, limit: number, complete: boolean) {
    this.scanner = scanner
    this.sample = scanner.bytes
    this.limit = limit
    this.complete = complete
  }

  private go(to: number): void {
    this.scanner.reset(this.sample, to, this.limit, this.complete)
  }

  /** Whether the second line is an object, even if the first one is broken. */
  goodSecondLine(): boolean {
    const from = this.sample.indexOf(0x0a) + 1
    if (from <= 0) return false
    this.go(from)
    if (this.scanner.space() !== 0x7b || this.scanner.value() !== KIND.object) return false
    return this.scanner.pos === this.limit || this.scanner.bytes[this.scanner.pos] <= 0x20
  }

  /** The text is an array: detects its items. */
  array(begin: number): Layout {
    const { item } = this.items(begin)
    if (item === KIND.array) return this.arrays('array', begin + 1)
    if (this.isAnswer(begin)) return { ...plain('array', 'objects'), path: [itemKey(1)], notes: [ANSWER] }
    return plain('array', item < 0 || item === KIND.object || item === KIND.null ? 'objects' : 'values')
  }

  /** Whether it's an array of metadata and a list of rows, as returned by the World Bank. */
  private isAnswer(begin: number): boolean {
    const { scanner } = this
    this.go(begin)
    scanner.pos++
    if (scanner.space() !== 0x7b || scanner.value() !== KIND.object || scanner.space() !== 0x2c) return false
    scanner.pos++
    if (scanner.space() !== 0x5b) return false
    const list = scanner.pos
    const whole = scanner.value() >= 0
    // If the list goes beyond the sample, a third item can't be ruled out.
    if (whole ? scanner.space() !== 0x5d : this.complete) return false
    return this.items(list).item === KIND.object
  }

  /** If rows are arrays: detects whether the first one has the columns' names. */
  arrays(layout: 'array' | 'lines', begin: number): Layout {
    const [first, ...others] = this.rows(begin)
    const strings = first !== undefined && first.length > 0 && first.every(({ kind }) => kind === KIND.string)
    const unique = strings && new Set(first.map(({ text }) => text)).size === first.length
    const names = unique && first.every(({ text }) => text !== '' && !/^[\d\s.,:/+-]*$/.test(text))
    const header = names && others.length > 0 && others.every((row) => row.length <= first.length)
    if (!header) return { ...plain(layout, 'arrays'), header }
    // If all rows consist of strings, the first may be data.
    const doubt = others.every((row) => row.every(({ kind }) => kind === KIND.string || kind === KIND.null))
    const message = 'The first list is read as the columns’ names.'
    return {
      ...plain(layout, 'arrays'),
      header,
      notes: [{ code: 'header-guess', message, ...(doubt ? { doubt } : {}) }],
    }
  }

  /** The kind of each item in the first rows, with its text if it's a string. */
  private rows(begin: number): { readonly kind: Scanned; readonly text: string }[][] {
    const { scanner } = this
    const rows: { kind: Scanned; text: string }[][] = []
    this.go(begin)
    for (let i = 0; i < 20; i++) {
      let c = scanner.space()
      if (c === 0x2c) {
        scanner.pos++
        c = scanner.space()
      }
      if (c !== 0x5b) break
      scanner.pos++
      const row: { kind: Scanned; text: string }[] = []
      for (c = scanner.space(); c !== 0x5d && c !== 0; c = scanner.space()) {
        if (c === 0x2c) scanner.pos++
        const scanned = scanner.value()
        if (scanned < 0) return rows
        const kind = scanned === KIND.escaped ? KIND.string : scanned
        row.push({ kind, text: decoder.decode(this.sample.subarray(scanner.start, scanner.end)) })
      }
      scanner.pos++
      rows.push(row)
    }
    return rows
  }

  /** The text is one object: columns, something around rows, or a single row. */
  object(begin: number): Layout {
    const members = this.members(begin)
    const split = this.split(members)
    if (split) return split
    if (areColumns(members) || this.arePandasColumns(members)) return plain('columns', 'objects')
    return this.wrapped(begin, { path: [], beside: 0 }, members) ?? this.ofObjects(members) ?? plain('array', 'objects')
  }

  /** The lists of objects within an object, but not those inside lists. */
  lists(begin: number, path: readonly string[] = [], seen = { objects: 0 }): JsonList[] {
    const lists: JsonList[] = []
    if (path.length === MAX_PATH || seen.objects++ > MAX_SEEN) return lists
    for (const { key, kind, item, items, whole, start } of this.members(begin)) {
      if (kind === KIND.array && item === KIND.object) lists.push({ path: [...path, key], items, whole })
      else if (kind === KIND.object) lists.push(...this.lists(start, [...path, key], seen))
    }
    return lists
  }

  /** Rows within an object, as close to its root as possible. */
  private wrapped(begin: number, { path, beside }: Outside, known?: readonly Member[]): Layout | null {
    const members = known ?? this.members(begin)
    const arrays = members.filter((member) => {
      const { kind, item, items, key, whole } = member
      if (kind !== KIND.array) return false
      // A few objects among other members are rather a nested value: read like that, nothing is lost.
      if (item === KIND.object) return ROW_KEYS.test(key) || isAlone(member, members) || items >= MANY_ITEMS || !whole
      return ROW_KEYS.test(key) && (item === KIND.array || items === 0)
    })
    const [best, ...others] = arrays.sort((a, b) => score(b) - score(a))
    if (best) {
      const base = best.item === KIND.array ? this.arrays('array', best.start + 1) : plain('array', 'objects')
      const inside = { path: [...path, best.key], beside: beside + members.length - 1 }
      const edge = best.item === KIND.object ? this.edge(best.start) : null
      const note = aside(inside, edge, others)
      return { ...base, ...(edge ? { within: ['node'] } : {}), path: inside.path, notes: [note, ...base.notes] }
    }
    if (path.length + 1 >= MAX_PATH) return null
    const objects = members.filter(({ kind }) => kind === KIND.object)
    const likely = objects.filter((member) => ROW_KEYS.test(member.key) || isAlone(member, members))
    const inside = ({ key, start }: Member): Layout | null =>
      this.wrapped(start, { path: [...path, key], beside: beside + members.length - 1 })
    for (const member of likely) {
      const found = inside(member) ?? this.objectsInside(member, { path, beside: beside + members.length - 1 })
      if (found) return found
    }
    const series = objects
      .map(({ key, start }) => ({ key, length: seriesLength(this.members(start)) }))
      .filter(({ length }) => length > 0)
      .sort((a, b) => b.length - a.length)
    if (series.length > 0) {
      const found = { path: [...path, series[0].key], beside: beside + members.length - 1 }
      return { ...plain('columns', 'objects'), path: found.path, notes: [aside(found, null, series.slice(1))] }
    }
    // GraphQL connections are rows at any depth.
    return objects.map(inside).find((found) => found?.within) ?? null
  }

  /** Objects within an object that are a table's rows or columns; else null. */
  private ofObjects(members: readonly Member[]): Layout | null {
    const objects = members.filter(({ kind }) => kind === KIND.object)
    const isMost = objects.length > 0 && objects.length >= members.length * MOST_OBJECTS
    if (!isMost) return null
    const looked = objects.slice(0, MAX_SEEN)
    const inner = looked.map(({ start }) => this.members(start))
    const cut = !(looked.at(-1)?.whole ?? true)
    const found = tableOfObjects(
      objects.map(({ key }) => key),
      inner,
      cut,
    )
    if (!found || (found.layout === 'columns' && objects.length < members.length)) return null
    const notes = found.doubt ? [rowsOrColumns(found.layout)] : []
    return { ...plain(found.layout, 'objects'), notes }
  }

  private objectsInside({ key, start }: Member, { path, beside }: Outside): Layout | null {
    const found = this.ofObjects(this.members(start))
    const inside = { path: [...path, key], beside }
    return found && { ...found, path: inside.path, notes: [aside(inside, null, []), ...found.notes] }
  }

  /** The keys beside the node in an edge of a GraphQL connection; null if the items aren't edges. */
  private edge(begin: number): readonly string[] | null {
    this.go(begin + 1)
    this.scanner.space()
    const members = this.members(this.scanner.pos)
    const isNode = ({ key, kind }: Member): boolean => key === 'node' && kind === KIND.object
    if (!members.some(isNode) || !members.every((member) => isNode(member) || EDGE_KEYS.test(member.key))) return null
    return members.filter((member) => !isNode(member)).map(({ key }) => key)
  }

  private members(begin: number): Member[] {
    const { scanner } = this
    const members: Member[] = []
    this.go(begin)
    scanner.pos++
    for (let c = scanner.space(); c !== 0x7d && c !== 0 && members.length < 10_000; c = scanner.space()) {
      if (c === 0x2c) {
        scanner.pos++
        c = scanner.space()
      }
      const status = scanner.key(c)
      if (status < 0) break
      const raw = decoder.decode(this.sample.subarray(scanner.start, scanner.end))
      const key = status === KIND.escaped ? unescaped(raw) : raw
      const opener = scanner.space()
      const start = scanner.pos
      const { items, item } = opener === 0x5b ? this.items(start) : { items: 0, item: MORE as Scanned }
      this.go(start)
      const kind = scanner.value()
      const guess = opener === 0x5b ? KIND.array : opener === 0x7b ? KIND.object : kind
      members.push({ key, kind: guess, start, items, item, whole: kind >= 0 })
      if (kind < 0) break
    }
    return members
  }

  /** An array's length within the sample, and the kind of its first item that isn't null. */
  private items(begin: number): { readonly items: number; readonly item: Scanned } {
    const { scanner } = this
    this.go(begin)
    scanner.pos++
    let items = 0
    let item: Scanned = MORE
    for (let c = scanner.space(); c !== 0x5d && c !== 0; c = scanner.space()) {
      if (c === 0x2c) {
        scanner.pos++
        c = scanner.space()
      }
      const kind = scanner.value()
      if (item < 0 || item === KIND.null) item = c === 0x7b ? KIND.object : c === 0x5b ? KIND.array : kind
      if (kind < 0) break
      items++
    }
    return { items, item }
  }

  /** pandas' `to_json(orient='split')`: `{"columns": ["a", "b"], "index": [0], "data": [[1, 2]]}`. */
  private split(members: readonly Member[]): Layout | null {
    const columns = members.find(
      ({ key, kind, item }) => key === 'columns' && kind === KIND.array && item === KIND.string,
    )
    const data = members.find(({ key, kind, item }) => key === 'data' && kind === KIND.array && item === KIND.array)
    if (!columns || !data || members.length > 3) return null
    const [names = []] = this.rows(columns.start)
    const others = members.filter((member) => member !== columns && member !== data)
    return {
      ...plain('array', 'arrays'),
      path: ['data'],
      names: names.map(({ text }) => unescaped(text)),
      notes: others.length === 0 ? [] : [aside({ path: ['data'], beside: others.length }, null, [])],
    }
  }

  /** pandas' `to_json()`: `{"a": {"0": 1, "1": 2}, "b": {"0": 3, "1": 4}}`. */
  private arePandasColumns(members: readonly Member[]): boolean {
    if (members.length === 0 || !members.every(({ kind }) => kind === KIND.object)) return false
    return members.every(({ start, whole }) => {
      const keys = this.members(start).slice(0, whole ? 10_000 : -1)
      return keys.length > 0 && keys.every(({ key }, i) => key === String(i))
    })
  }
}

function unescaped(raw: string): string {
  try {
    return JSON.parse(`"${raw}"`) as string
  } catch {
    return raw
  }
}

/**
 * Whether all are arrays of the same length whose items aren't all objects. The last one may extend beyond the sample.
 */
function areColumns(members: readonly Member[]): boolean {
  const [first] = members
  if (!first || !members.every(({ kind }) => kind === KIND.array)) return false
  if (members.every(({ item, items }) => item === KIND.object || items === 0)) return false
  if (members.length === 1 && first.item === KIND.array) return false
  return members.every(({ items, whole }) => items === first.items || !whole)
}

/** The length of columns of measured values, `{"time": [...], "temperature": [...]}`, or of other long ones; else 0. */
function seriesLength(members: readonly Member[]): number {
  const [first] = members
  if (members.length < 2 || !first || !areColumns(members)) return 0
  return first.items >= MANY_ITEMS || (first.items > 1 && TIMES.test(first.key)) ? first.items : 0
}

/** Whether all other members are metadata. */
function isAlone(member: Member, members: readonly Member[]): boolean {
  return members.every((other) => other === member || ABOUT.test(other.key))
}

/** A table that has only numbers, for example, may be either. */
function rowsOrColumns(layout: 'records' | 'columns'): Note {
  const [are, could] = layout === 'records' ? ['rows', 'columns'] : ['columns', 'rows']
  return {
    code: 'objects-guess',
    message: `The objects in the file’s object are read as ${are}. They could be ${could}: see Layout.`,
    doubt: true,
  }
}

const score = ({ key, item, items }: Member): number =>
  (item === KIND.object ? 2e9 : 0) + (ROW_KEYS.test(key) ? 1e9 : 0) + items
