/** File names made different where they're the same, as file managers do: `a.csv`, `a (2).csv`. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let unique = name
    for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = numbered(name, n)
    taken.add(unique.toLowerCase())
    return unique
  })
}

function numbered(name: string, n: number): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? `${name.slice(0, dot)} (${n})${name.slice(dot)}` : `${name} (${n})`
}

/** A file's name without what tells its format. */
export function stemOf(name: string): string {
  return name.replace(/(\.[a-z0-9]{1,8})(\.gz)?$/i, '') || name
}
