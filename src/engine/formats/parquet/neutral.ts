import { CONVERTED_INTERVAL, PHYSICAL, type Footer, type SchemaElement } from './footer.ts'

/*
 * The library maps some types to Arrow ones that lose values: an INTERVAL its months, an INT96 timestamp what lies
 * outside 1677 to 2262. It also follows an Arrow schema that the file's writer left among the metadata, whose types may
 * be any. So it is shown the same file with another footer: no Arrow schema, and those two types as plain bytes,
 * which `leaf-rules.ts` reads. The pages stay the file's own.
 *
 * The columns get plain names there, for the library chooses columns by paths: names with dots, letters beyond ASCII or
 * one name twice give it the wrong ones, or crash it.
 */

const ARROW_SCHEMA = 'ARROW:schema'

/** What the library is told that a column is named. */
export function neutralName(column: number): string {
  return `c${column}`
}

/** The file as the library is to see it. Nothing is copied but the footer. */
export function neutralFile(file: Blob, footer: Footer): Blob {
  const bytes = neutralFooter(footer)
  const tail = new Uint8Array(8)
  new DataView(tail.buffer).setUint32(0, bytes.length, true)
  tail.set([0x50, 0x41, 0x52, 0x31], 4)
  return new Blob([file.slice(0, footer.start), bytes, tail])
}

export function neutralFooter(footer: Footer): Uint8Array<ArrayBuffer> {
  const source = new Uint8Array(footer.bytes)
  for (const { key, span } of footer.keys) {
    if (key === ARROW_SCHEMA) source[span.start] = 0x2d
  }
  const parts: Uint8Array<ArrayBuffer>[] = []
  let from = 0
  const columns = columnElements(footer.elements)
  for (const [i, element] of footer.elements.entries()) {
    const column = columns.get(i)
    if (column === undefined && !isInt96(element) && !isInterval(element)) continue
    const plain = rewritten(element, source, column === undefined ? null : neutralName(column))
    parts.push(source.subarray(from, element.span.start), plain)
    from = element.span.end
  }
  parts.push(source.subarray(from))
  const result = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    result.set(part, at)
    at += part.length
  }
  return result
}

export function isInt96(element: SchemaElement): boolean {
  return element.physical === PHYSICAL.int96
}

export function isInterval(element: SchemaElement): boolean {
  return element.physical === PHYSICAL.fixed && element.typeLength === 12 && element.converted === CONVERTED_INTERVAL
}

/** The root's children: position among the elements to position among the columns. */
function columnElements(elements: readonly SchemaElement[]): Map<number, number> {
  const found = new Map<number, number>()
  /** How many elements follow within the column at hand. */
  let open = 0
  for (let i = 1; i < elements.length; i++) {
    if (open === 0) {
      found.set(i, found.size)
      open = 1
    }
    open += elements[i].children - 1
  }
  return found
}

/** The element under another name, and as 12 plain bytes where it is what the library gets wrong. */
function rewritten(element: SchemaElement, source: Uint8Array, name: string | null): Uint8Array<ArrayBuffer> {
  const plain = isInt96(element) || isInterval(element)
  // Types and their annotations: 1 type, 2 type_length, 6 converted_type, 10 logicalType. The name is 4.
  const replaced = new Set([...(plain ? [1, 2, 6, 10] : []), ...(name === null ? [] : [4])])
  const fields = element.spans
    .filter(({ id }) => !replaced.has(id))
    .map(({ id, header, value, end }) => ({ id, type: source[header] & 15, bytes: [...source.subarray(value, end)] }))
  if (plain) fields.push({ id: 1, type: 5, bytes: [PHYSICAL.fixed << 1] }, { id: 2, type: 5, bytes: [12 << 1] })
  if (name !== null) fields.push({ id: 4, type: 8, bytes: [name.length, ...new TextEncoder().encode(name)] })
  fields.sort((a, b) => a.id - b.id)
  const out: number[] = []
  let last = 0
  for (const { id, type, bytes } of fields) {
    const delta = id - last
    if (delta > 0 && delta < 16) out.push((delta << 4) | type)
    else out.push(type, ...zigzag(id))
    out.push(...bytes)
    last = id
  }
  out.push(0)
  return new Uint8Array(out)
}

function zigzag(value: number): number[] {
  const bytes: number[] = []
  let rest = value < 0 ? -value * 2 - 1 : value * 2
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  bytes.push(rest)
  return bytes
}
