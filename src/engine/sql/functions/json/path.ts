/** One step from a value to values within it. */
export type Step =
  | { readonly kind: 'key'; readonly key: Uint8Array }
  /** From the end where it's negative: -1 is the last. */
  | { readonly kind: 'index'; readonly index: number }
  /** A member or an item, as it is: of a JSON Pointer (RFC 6901). */
  | { readonly kind: 'either'; readonly key: Uint8Array; readonly index: number | null }
  /** All members, or all items. */
  | { readonly kind: 'members' | 'items' }
  /** All values within it, level by level: those of `descendants` after the value itself. */
  | { readonly kind: 'descendants' | 'within' }

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

/** What takes in all that lies within; or dots, then all members, a quoted or a plain key; or all items or one, in brackets. */
const PART =
  /(\.\.\*|\.\*\*)|(\.\.?)(?:(\*)|"((?:[^"\\]|\\.)*)"|([^.["*][^.["]*))|(\.\.)?\[(?:(\*)|(#(?:-\d+)?)|(-?\d+))\]/y

function readJsonPath(path: string): JsonPath {
  const steps: Step[] = []
  PART.lastIndex = 1
  while (PART.lastIndex < path.length) {
    const at = PART.lastIndex
    const found = PART.exec(path)
    if (!found) throw new Error(`JSON path error near '${path.slice(at)}'`)
    const [whole, within, dots, members, quoted, plain, dotsOfItem, items, fromEnd, index] = found
    // At the end of a path it's all within the value, elsewhere the value as well.
    if (within) steps.push({ kind: at + whole.length < path.length ? 'descendants' : 'within' })
    else if (dots === '..' || dotsOfItem) steps.push({ kind: 'descendants' })
    const key = quoted?.replaceAll(/\\([\\"])/g, '$1') ?? plain
    if (members) steps.push({ kind: 'members' })
    else if (items) steps.push({ kind: 'items' })
    else if (key !== undefined) steps.push({ kind: 'key', key: encoder.encode(key) })
    // `[#]` is after the last item, and `[#-1]` the last one.
    else if (fromEnd) steps.push({ kind: 'index', index: Number(fromEnd.slice(1) || Infinity) })
    else if (index) steps.push({ kind: 'index', index: Number(index) })
    PART.lastIndex = at + whole.length
  }
  return { steps, many: steps.some(({ kind }) => kind !== 'key' && kind !== 'index') }
}
