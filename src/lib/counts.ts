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
export function allRows(count: number): string {
  return `${count === 1 ? '' : 'All '}${plural(count, 'row')}`
}
