/** One step from a value to values within it. */
export type Step =
  | { readonly kind: 'key'; readonly key: Uint8Array }
  /** From the end where it's negative: -1 is the last. */
  | { readonly kind: 'index'; readonly index: number }
  /** A member or an item, as it is: of a JSON Pointer (RFC 6901). */
  | { readonly kind: 'either'; readonly key: Uint8Array; readonly index: number | null }
  /** All members, or all items. */
  | { readonly kind: 'members' | 'items' }
  /** The value itself and all values within it. */
  | { readonly kind: 'descendants' }

export interface JsonPath {
  readonly steps: readonly Step[]
  /** Whether it can lead to several values. */
  readonly many: boolean
}

const encoder = new TextEncoder()

/**
 * Reads a path as DuckDB writes them: `$.a."b c"[0]`, with `[-1]` and `[#-1]` from the end, `*`, `[*]` and `..`; a JSON
 * Pointer `/a/0`; else the name of a key.
 * See https://duckdb.org/docs/stable/data/json/json_functions.
 * @throws {Error} where a path can't be read on
 */
export function readPath(path: string): JsonPath {
  if (path.startsWith('$')) return readJsonPath(path)
  if (path === '') return { steps: [], many: false }
  const steps: Step[] = path.startsWith('/')
    ? path.slice(1).split('/').map(pointerStep)
    : [{ kind: 'key', key: encoder.encode(path) }]
  return { steps, many: false }
}

function pointerStep(part: string): Step {
  const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
  return { kind: 'either', key: encoder.encode(name), index: /^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : null }
}

/** `**` as a key, a quoted or a plain key, an index, or all items; an empty key is none. */
const PART = /(\.\.)?(?:\.?(\*)|\.?"((?:[^"\\]|\\.)*)"|\.([^.["]+)|(?<=\.\.)([^.["]+)|\[(?:(\*)|(#?)(-?\d*))\])/y

function readJsonPath(path: string): JsonPath {
  const steps: Step[] = []
  PART.lastIndex = 1
  while (PART.lastIndex < path.length) {
    const at = PART.lastIndex
    const found = PART.exec(path)
    const step = found && stepOf(found)
    if (!step || (path[at] !== '.' && path[at] !== '[')) throw new Error(`JSON path error near '${path.slice(at)}'`)
    if (found[1]) steps.push({ kind: 'descendants' })
    steps.push(step)
    PART.lastIndex = at + found[0].length
  }
  return { steps, many: steps.some(({ kind }) => kind === 'members' || kind === 'items' || kind === 'descendants') }
}

function stepOf([, , members, quoted, plain, after, items, fromEnd, index]: RegExpExecArray): Step | null {
  if (members) return { kind: 'members' }
  if (items) return { kind: 'items' }
  const key = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? after
  if (key !== undefined) return { kind: 'key', key: encoder.encode(key) }
  if (index === '' && !fromEnd) return null
  // `[#]` is after the last item, and `[#-1]` the last one.
  if (fromEnd) return index === '' || index.startsWith('-') ? { kind: 'index', index: Number(index || Infinity) } : null
  return /^-?\d+$/.test(index) ? { kind: 'index', index: Number(index) } : null
}
