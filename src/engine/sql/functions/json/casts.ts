import { ByteWriter } from '../../../../lib/bytes.ts'
import { KIND, type Kind } from '../../../columns/json/scanner.ts'
import { isJson, isNested, type ColumnType, type StructField } from '../../../../tables/types.ts'
import type { Cast, Registry } from '../scalar-functions.ts'
import { ANY, TYPES, written } from '../vectors.ts'
import type { JsonMember, JsonValue } from './document.ts'
import { document, READERS } from './functions.ts'
import { quoteItem, quoteItems, readItems } from './list-text.ts'
import { toJson, typeOf } from './to-json.ts'
import { readerOf } from './transform.ts'
import { typeName } from './type-name.ts'
import { lazily } from '../../../../lib/lazily.ts'

/* Casts between JSON and all else. Values with parts go by way of the engine's own text of them, which is exact. */

const BOOLEAN = 1
/** DuckDB's numbers for types without parts that JSON is cast to: whole numbers, fractions, times and the like. */
const PLAIN = [BOOLEAN, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 32, 12, 13, 14, 15, 20, 21, 22, 27, 30, 31]

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** JSON is a text that was checked. */
const TEXT_CASTS: readonly Cast[] = [
  { from: 'JSON', to: 'VARCHAR', cost: 1, call: null },
  {
    from: 'VARCHAR',
    to: 'JSON',
    cost: 0,
    call: ([text], row, out) => {
      const given = text.text(row)
      if (given === null) return false
      document.read(given)
      out.append(given)
      return true
    },
  },
]

/** Makes the casts of JSON known to every statement of a database. */
export function addJsonCasts(registry: Registry): void {
  const { json, api } = registry
  const { exports } = api
  for (const each of TEXT_CASTS) registry.addCast(each)
  const texts = exports.duckdb_create_logical_type(TYPES.VARCHAR)
  const listOfTexts = exports.duckdb_create_list_type(texts)
  const listOfJson = exports.duckdb_create_list_type(json)
  const others = othersThanJson(registry)
  for (const other of others) {
    registry.addVectorCast(other, json, ({ source, rows, cast, fill }, result) =>
      api.withVector(texts, rows, (plain) => {
        if (!cast(source, plain)) return false
        // An error has to come while a value is cast, where the engine hears of it.
        const type = lazily(() => typeOf(api.typeName(source)))
        return fill(plain, result, (text) => {
          toJson(decoder.decode(text), type(), written)
          return true
        })
      }),
    )
    registry.addVectorCast(json, other, ({ source, rows, cast, fill, tries }, result) =>
      api.withVector(texts, rows, (plain) => {
        const type = lazily(() => typeOf(api.typeName(result)))
        const done = fill(source, plain, (text) => printAs(text, type(), tries))
        return cast(plain, result) && done
      }),
    )
  }
  // The engine's cast of texts to this type is the one that is made here.
  for (const from of [json, texts])
    registry.addVectorCast(from, listOfJson, ({ source, rows, cast, fill }, result) =>
      api.withVector(texts, rows, (plain) =>
        api.withVector(listOfTexts, rows, (items) => {
          const done = fill(source, plain, (text) => printList(text, from === texts))
          const cut = cast(plain, items)
          exports.duckdb_vector_reference_vector(result, items)
          return cut && done
        }),
      ),
    )
  registry.addVectorCast(listOfJson, texts, ({ source, rows, cast, fill }, result) =>
    api.withVector(listOfTexts, rows, (items) =>
      api.withVector(texts, rows, (plain) => {
        exports.duckdb_vector_reference_vector(items, source)
        if (!cast(items, plain)) return false
        return fill(plain, result, (text) => {
          const shown = readItems(decoder.decode(text)).map((each) => each ?? 'NULL')
          written.text(`[${shown.join(', ')}]`)
          return true
        })
      }),
    ),
  )
}

/** Types that DuckDB matches all others by, but JSON and texts. */
function othersThanJson({ api }: Registry): number[] {
  const { exports } = api
  const any = exports.duckdb_create_logical_type(ANY)
  const name = api.room(4)
  api.bytes.set(encoder.encode('any'), name)
  const [types, names] = [api.room(4), api.room(4)]
  api.ints[types >> 2] = any
  api.ints[names >> 2] = name
  // Without digits, it's matched by those with any.
  const decimal = exports.duckdb_create_decimal_type(18, 3)
  api.ints.set([0, 0], (decimal >> 2) + 1)
  return [
    ...PLAIN.map((each) => exports.duckdb_create_logical_type(each)),
    decimal,
    exports.duckdb_create_list_type(any),
    exports.duckdb_create_map_type(any, any),
    exports.orig$duckdb_create_struct_type(types, names, 1n),
  ]
}

/**
 * Writes JSON as the engine's text of a type.
 * @param lenient what doesn't fit is NULL, and keys may be missing, or be too many
 * @returns false for null
 * @throws {Error} that says what doesn't fit; of values without parts the engine says it
 */
function printAs(json: Uint8Array, type: ColumnType, lenient: boolean): boolean {
  const text = textAs(document.read(json), type, lenient)
  if (text) written.append(text)
  return text !== null
}

/**
 * Writes a JSON array as the engine's text of a list of texts, which are JSON.
 * @param nulls whether an item that is null stays one of JSON's
 */
function printList(json: Uint8Array, nulls: boolean): boolean {
  const value = document.read(json)
  if (value.kind === KIND.null) return false
  const items = partsOf(value, KIND.array, false)
  quoteItems(items, written, (item) => (item.value.kind === KIND.null && !nulls ? null : printed(item.value)))
  return true
}

function printed(value: JsonValue): Uint8Array {
  const out = new ByteWriter(64)
  document.print(value, out)
  return out.view()
}

/** @returns null where it's NULL */
function textAs(value: JsonValue, type: ColumnType, lenient: boolean): Uint8Array | null {
  if (value.kind === KIND.null) return null
  // Lists of JSON are read from JSON wherever they stand.
  if (isJson(type) || (type.kind === 'list' && isJson(type.item))) return printed(value)
  const out = new ByteWriter(64)
  if (!isNested(type)) {
    const isPlain = value.kind !== KIND.object && value.kind !== KIND.array
    const read = READERS[readerOf(type.kind === 'scalar' ? type.name : 'DECIMAL')]
    if (!isPlain || !read(value, out)) out.append(document.bytes, value.start, value.end)
  } else if (type.kind === 'list') {
    if (lenient && value.kind !== KIND.array) return null
    quoteItems(partsOf(value, KIND.array, lenient), out, (member) => textAs(member.value, type.item, lenient))
  } else {
    const pairs = partsOf(value, KIND.object, lenient).map(
      ({ key, value: own }) => [key ? document.text(key) : '', own] as const,
    )
    if (type.kind === 'map')
      printPairs(
        pairs.map(([name, own]) => [name, textAs(own, type.value, lenient)] as const),
        '=',
        out,
      )
    else printPairs(fieldsOf(value, pairs, type.fields, lenient), ': ', out)
  }
  return out.view()
}

function partsOf(value: JsonValue, kind: Kind, lenient: boolean): JsonMember[] {
  if (value.kind === kind) return [...document.members(value)]
  if (lenient) return []
  const wanted = kind === KIND.array ? 'ARRAY' : 'OBJECT'
  throw new Error(`Expected ${wanted}, but found ${typeName(document.bytes, value)}: ${shown(value)}`)
}

type Pair = readonly [name: string, text: Uint8Array | null]

function fieldsOf(
  value: JsonValue,
  pairs: readonly (readonly [string, JsonValue])[],
  fields: readonly StructField[],
  lenient: boolean,
): Pair[] {
  const byName = new Map(pairs.toReversed())
  if (!lenient) {
    const unknown = pairs.find(([name]) => !fields.some((field) => field.name === name))
    if (unknown) throw new Error(`Object ${shown(value)} has unknown key "${unknown[0]}"`)
    const missing = fields.find(({ name }) => !byName.has(name))
    if (missing) throw new Error(`Object ${shown(value)} does not have key "${missing.name}"`)
  }
  return fields.map(({ name, type }) => {
    const own = byName.get(name)
    return [name, own ? textAs(own, type, lenient) : null]
  })
}

const shown = (value: JsonValue): string => {
  const text = decoder.decode(printed(value))
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function printPairs(pairs: readonly Pair[], sign: string, out: ByteWriter): void {
  out.text('{')
  for (const [i, [name, text]] of pairs.entries()) {
    if (i > 0) out.text(', ')
    quoteItem(encoder.encode(name), out)
    out.text(sign)
    if (text === null) out.text('NULL')
    else quoteItem(text, out)
  }
  out.text('}')
}
