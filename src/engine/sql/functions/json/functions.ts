import { COMMA } from '../../../../lib/ascii.ts'
import { ByteWriter } from '../../../../lib/bytes.ts'
import { KIND } from '../../../columns/json/scanner.ts'
import type { ScalarFunction } from '../scalar-functions.ts'
import type { Argument } from '../vectors.ts'
import { contains } from './contains.ts'
import { JsonDocument, type JsonValue } from './document.ts'
import { quoteItems, readItems } from './list-text.ts'
import { mergePatch } from './merge-patch.ts'
import { readPath, type JsonPath } from './path.ts'
import { listRows, type JsonRow } from './rows.ts'
import { printStructure, structureOf } from './structure.ts'
import { toJson, typeOf } from './to-json.ts'
import { typeName } from './type-name.ts'

const CLOSE_BRACKET = 0x5d
const decoder = new TextDecoder()
export const document = new JsonDocument()
const other = new JsonDocument()
const item = new ByteWriter(256)
const made = new ByteWriter(256)

/** The path that was read last: mostly the next row has the same. */
let last: { readonly text: Uint8Array; readonly path: JsonPath } | null = null

/** Reads a path. */
export function pathOf(text: Uint8Array): JsonPath {
  if (last?.text.length !== text.length || !last.text.every((byte, i) => byte === text[i]))
    last = { text: text.slice(), path: readPath(decoder.decode(text)) }
  return last.path
}

/** The one value that a path leads to. */
function find(root: JsonValue, text: Uint8Array): JsonValue | null {
  const path = pathOf(text)
  if (!path.many) return document.find(root, path)
  throw new Error(
    `The path ${decoder.decode(text)} leads to several values: give it to json_extract or json_extract_string as a text in the statement.`,
  )
}

/** A path of a list, which leads to one value. */
function ofList(text: string): JsonPath {
  const path = readPath(text)
  if (!path.many) return path
  throw new Error(`A list of paths can’t have wildcards: give ${text} to the function by itself.`)
}

/** A value that is no text as JSON: its own text, and the name of its type. */
function madeJson(own: Uint8Array, type: string): Uint8Array {
  made.clear()
  toJson(decoder.decode(own), typeOf(type), made)
  return made.view()
}

/** A function of what a path leads to in a document: NULL where an argument is, or the path leads nowhere. */
function ofValue(name: string, give: (value: JsonValue, out: ByteWriter) => boolean, returns?: 'JSON'): ScalarFunction {
  return {
    name,
    made: madeJson,
    ...(returns ? { returns } : {}),
    call: ([json, path], row, out) => {
      const text = json.text(row)
      const where = path.text(row)
      if (text === null || where === null) return false
      const found = find(document.read(text), where)
      return found !== null && give(found, out)
    },
  }
}

/** As `ofValue`, of the values that a path with wildcards leads to, or each path of a list: the text of a list. */
function ofValues(name: string, give: (value: JsonValue, out: ByteWriter) => boolean): ScalarFunction {
  return {
    name,
    call: ([json, paths, type], row, out) => {
      const text = json.text(row)
      const where = paths.text(row)
      if (text === null || where === null) return false
      const root = document.read(text)
      const isList = type.text(row)?.at(-1) === CLOSE_BRACKET
      const values = isList
        ? readItems(decoder.decode(where)).map((path) => (path === null ? null : document.find(root, ofList(path))))
        : document.findAll(root, pathOf(where))
      quoteItems(values, out, (value) => {
        item.clear()
        return value !== null && give(value, item) ? item.view() : null
      })
      return true
    },
  }
}

function print(value: JsonValue, out: ByteWriter): boolean {
  document.print(value, out)
  return true
}

/** A string's text, any other value as JSON; NULL for null. */
function printPlain(value: JsonValue, out: ByteWriter): boolean {
  if (value.kind === KIND.null) return false
  if (value.kind === KIND.string) out.append(document.bytes, value.start, value.end)
  else if (value.kind === KIND.escaped) out.text(document.text(value))
  else document.print(value, out)
  return true
}

/** A number for a cast: of true 1, of false 0, of a text what stands in it; NULL for null, objects and arrays. */
function printNumber(value: JsonValue, out: ByteWriter): boolean {
  if (isContainer(value)) return false
  if (value.kind !== KIND.true && value.kind !== KIND.false) return printPlain(value, out)
  out.text(value.kind === KIND.true ? '1' : '0')
  return true
}

/** As `printNumber`, rounded half to even as the engine rounds doubles. */
function printWhole(value: JsonValue, out: ByteWriter): boolean {
  if (value.kind !== KIND.decimal) return printNumber(value, out)
  const number = Number(decoder.decode(document.bytes.subarray(value.start, value.end)))
  if (!Number.isFinite(number)) return false
  const down = Math.floor(number)
  const isHalf = number - down === 0.5
  out.text(String(BigInt(isHalf ? down + (Math.abs(down) % 2) : Math.round(number))))
  return true
}

/** `true` or `false` of a number, else as `printPlain`. */
function printTruth(value: JsonValue, out: ByteWriter): boolean {
  if (isContainer(value)) return false
  if (value.kind !== KIND.integer && value.kind !== KIND.decimal) return printPlain(value, out)
  out.text(Number(decoder.decode(document.bytes.subarray(value.start, value.end))) === 0 ? 'false' : 'true')
  return true
}

/** The value that a path leads to, which has to be there, and of a kind: OBJECT, ARRAY, VALUE (neither) or ANY; or null. */
function needed([json, path, kind]: readonly Argument[], row: number, out: ByteWriter): boolean {
  const text = json.text(row)
  const where = path.text(row)
  const wanted = kind.text(row)
  if (text === null || where === null || wanted === null) return false
  const root = document.read(text)
  const value = find(root, where)
  const shown = (): string => {
    const all = decoder.decode(text)
    return all.length > 60 ? `${all.slice(0, 60)}…` : all
  }
  if (value === null) throw new Error(`Nothing stands at ${decoder.decode(where)} in ${shown()}`)
  const own = typeName(document.bytes, value)
  const name = decoder.decode(wanted)
  const fits = name === 'ANY' || own === 'NULL' || (name === 'VALUE' ? !isContainer(value) : own === name)
  if (!fits) throw new Error(`Expected ${name} at ${decoder.decode(where)}, but found ${own} in ${shown()}`)
  return print(value, out)
}

const isContainer = ({ kind }: JsonValue): boolean => kind === KIND.object || kind === KIND.array

/** A function of two texts that are JSON; NULL where one is NULL. */
function ofTwo(name: string, give: (a: JsonValue, b: JsonValue, out: ByteWriter) => void): ScalarFunction {
  return {
    name,
    call: ([first, second], row, out) => {
      const a = first.text(row)
      const b = second.text(row)
      if (a === null || b === null) return false
      give(document.read(a), other.read(b), out)
      return true
    },
  }
}

function rows([json, path, deep]: readonly Argument[], row: number, out: ByteWriter): boolean {
  const text = json.text(row)
  const where = path.text(row)
  if (text === null || where === null) return false
  const root = document.read(text)
  const from = find(root, where)
  const all = from ? listRows(document, root, from, decoder.decode(where), deep.text(row)?.length === 4) : []
  quoteItems(all, out, (each) => encoder.encode(rowText(each)))
  return true
}

const encoder = new TextEncoder()

/** A row as a JSON array, which the macro takes apart again. */
function rowText({ key, value, type, atom, id, parent, fullkey, path }: JsonRow): string {
  item.clear()
  document.print(value, item)
  const text = decoder.decode(item.view())
  return JSON.stringify([key, text, type, atom ? text : null, id, parent, fullkey, path])
}

/** What reads a value for a cast: see `readerOf`. */
export const READERS: Readonly<Record<string, typeof print>> = {
  __json_text: printPlain,
  __json_number: printNumber,
  __json_whole: printWhole,
  __json_truth: printTruth,
}

/**
 * The functions that the macros of `macros.ts` are made of, and `json_extract`, which DuckDB calls for `->` and which can
 * be no macro. A path is a text; a whole number stands for an index.
 */
export const JSON_FUNCTIONS: readonly ScalarFunction[] = [
  ofValue('json_extract', print, 'JSON'),
  // The same by a name that no engine has another function of.
  ofValue('__json_extract', print, 'JSON'),
  { name: '__json_is', returns: 'JSON', call: null },
  ofValue('__json_scalar', (value, out) => value.kind !== KIND.null && !isContainer(value) && print(value, out)),
  ...Object.entries(READERS).map(([name, give]) => ofValue(name, give)),
  { name: '__json_needed', call: needed },
  ofValues('__json_values', print),
  ofValues('__json_texts', printPlain),
  ofValue('__json_type', (value, out) => {
    out.text(typeName(document.bytes, value))
    return true
  }),
  ofValue('__json_length', (value, out) => {
    out.text(String(document.length(value)))
    return true
  }),
  ofValue('__json_keys', (value, out) => {
    const keys = Array.from(document.members(value)).flatMap(({ key }) => key ?? [])
    quoteItems(keys, out, (key) => encoder.encode(document.text(key)))
    return true
  }),
  ofValue('__json_structure', (value, out) => {
    out.text(printStructure(structureOf(document, value)))
    return true
  }),
  ofValue('__json_pretty', (value, out) => {
    prettyPrint(value, out)
    return true
  }),
  {
    name: '__json_valid',
    call: ([json], row, out) => {
      const text = json.text(row)
      if (text !== null) out.text(document.is(text) ? 'true' : 'false')
      return text !== null
    },
  },
  ofTwo('__json_contains', (a, b, out) => out.text(contains(document, a, other, b) ? 'true' : 'false')),
  ofTwo('__json_patched', (a, b, out) => mergePatch(document, a, other, b, out)),
  { name: '__json_rows', call: rows },
  {
    name: '__json_of',
    call: ([value, type], row, out) => {
      const text = value.text(row)
      const named = type.text(row)
      if (text === null || named === null) return false
      toJson(decoder.decode(text), typeOf(decoder.decode(named)), out)
      return true
    },
  },
]

/** Appends a value with a line for each member and item: `json_pretty`. */
function prettyPrint(value: JsonValue, out: ByteWriter, indent = '\n'): void {
  const members = Array.from(document.members(value))
  if (members.length === 0) {
    document.print(value, out)
    return
  }
  const object = value.kind === KIND.object
  out.byte(object ? 0x7b : 0x5b)
  for (const [i, { key, value: child }] of members.entries()) {
    if (i > 0) out.byte(COMMA)
    out.text(`${indent}    `)
    if (key) {
      document.print(key, out)
      out.text(': ')
    }
    prettyPrint(child, out, `${indent}    `)
  }
  out.text(indent)
  out.byte(object ? 0x7d : 0x5d)
}
