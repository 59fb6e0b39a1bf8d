import { KIND, type Scanned } from '../../columns/json/scanner.ts'

interface Member {
  readonly key: string
  readonly kind: Scanned
}

/** Numbers and dates are keys of rows, not of columns. */
const VALUE = /^-?\d[\d.:TZ +-]*$/
/** Minimum share of all keys that each object has on average, if they belong to one table. */
const LEAST_SHARE = 0.6
/** A single object that extends beyond the sample is a column if it has this many values. */
const MANY_VALUES = 20

/**
 * Decides whether objects within an object are a table's rows or columns, since pandas writes both; null if neither.
 * @param outer the keys of the objects
 * @param inner their members, as far as known
 * @param cut whether the last object is incomplete
 */
export function tableOfObjects(
  outer: readonly string[],
  inner: readonly (readonly Member[])[],
  cut: boolean,
): { readonly layout: 'records' | 'columns'; readonly doubt: boolean } | null {
  const [first = []] = inner
  const byKey = new Map<string, Member[]>()
  for (const member of inner.flat()) byKey.set(member.key, [...(byKey.get(member.key) ?? []), member])
  const keys = [...byKey.keys()]
  if (keys.length === 0) return null
  const isScalar = ({ kind }: Member): boolean => kind >= 0 && kind !== KIND.object && kind !== KIND.array
  const alike = inner.every((members, i) => {
    const isPart = cut && i === inner.length - 1
    return (isPart || members.length === first.length) && members.every(({ key }, at) => key === first[at]?.key)
  })
  const columns = alike && inner.every((members) => members.every(isScalar) && ofOneKind(members))
  const [insideValues, outsideValues] = [keys.every(isValue), outer.every(isValue)]
  if (inner.length === 1) {
    if (outsideValues && !insideValues) return { layout: 'records', doubt: false }
    return cut && columns && keys.length >= MANY_VALUES ? { layout: 'columns', doubt: false } : null
  }
  const whole = cut ? inner.slice(0, -1) : inner
  if (whole.flat().length < LEAST_SHARE * keys.length * whole.length) return null
  if (insideValues !== outsideValues && (outsideValues || alike)) {
    return { layout: outsideValues ? 'records' : 'columns', doubt: false }
  }
  const records = [...byKey.values()].every(ofOneKind)
  if (!columns || !records) return { layout: columns ? 'columns' : 'records', doubt: false }
  return { layout: keys.length > outer.length ? 'columns' : 'records', doubt: true }
}

const isValue = (key: string): boolean => VALUE.test(key)

function ofOneKind(members: readonly Member[]): boolean {
  return new Set(members.map(({ kind }) => KINDS.get(kind) ?? kind).filter((kind) => kind !== KIND.null)).size <= 1
}

/** Kinds that are equivalent within a column. */
const KINDS: ReadonlyMap<Scanned, Scanned> = new Map([
  [KIND.escaped, KIND.string],
  [KIND.false, KIND.true],
  [KIND.decimal, KIND.integer],
])
