export interface ProposedName {
  readonly name: string
  /** Whether it isn't the file's own. */
  readonly renamed: boolean
}

/** Names that are never empty and never twice: `column_3` for an empty one, `total_2` for a second `total`. */
export function proposeNames(sources: readonly string[]): ProposedName[] {
  const given = new Set(sources)
  const used = new Set<string>()
  return sources.map((source, index) => {
    const base = source === '' ? `column_${index + 1}` : source
    let name = base
    for (let i = 2; used.has(name) || (name !== source && given.has(name)); i++) name = `${base}_${i}`
    used.add(name)
    return { name, renamed: name !== source }
  })
}
