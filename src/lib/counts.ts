const COUNT = new Intl.NumberFormat('en-US')

/** `1,234,567`. */
export function formatCount(value: number | bigint): string {
  return COUNT.format(value)
}

/** `1 row`, `1,204 rows`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** `1 row`, `All 1,204 rows`. */
export function allOf(count: number, one: string): string {
  return `${count === 1 ? '' : 'All '}${plural(count, one)}`
}

/**
 * `a`, `a and b`, `a, b and c`. Of more than `most` names, lists the first and counts the rest: `a, b and 7 more`. If
 * only one name would be left, it's listed, too.
 */
export function listOf(names: readonly string[], most = Infinity): string {
  const all = names.length <= most + 1
  const first = names.slice(0, all ? -1 : most).join(', ')
  const last = all ? (names.at(-1) ?? '') : `${formatCount(names.length - most)} more`
  return first === '' ? last : `${first} and ${last}`
}
