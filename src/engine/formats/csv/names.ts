/**
 * Names for columns that are never empty and never the same: an empty one is called by its position (`column_3`), a
 * second `name` is `name_1`. A first column of names of rows is `row_name`.
 */
export function uniqueNames(sources: readonly string[], rowNames = false): string[] {
  const unnamed = (i: number): string => (rowNames && i === 0 ? 'row_name' : `column_${i + 1}`)
  const wanted = sources.map((source, i) => (source.trim() === '' ? unnamed(i) : source))
  // A name that the file has is left to the first column that has it.
  const taken = new Set<string>()
  const first = wanted.map((name, i) => {
    const own = sources[i] === name && !taken.has(name)
    if (own) taken.add(name)
    return own
  })
  const next = new Map<string, number>()
  return wanted.map((name, i) => {
    if (first[i]) return name
    if (!taken.has(name)) {
      taken.add(name)
      return name
    }
    let number = next.get(name) ?? 1
    while (taken.has(`${name}_${number}`)) number++
    next.set(name, number + 1)
    taken.add(`${name}_${number}`)
    return `${name}_${number}`
  })
}
