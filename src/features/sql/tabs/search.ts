/** Whether all words of a search are in one of the texts, in any order and case. */
export function found(search: string, ...texts: readonly (string | null)[]): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const all = texts
    .filter((text) => text !== null)
    .join('\n')
    .toLowerCase()
  return words.every((word) => all.includes(word))
}
