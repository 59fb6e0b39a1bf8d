/** Of one kind of names, no more than these are given. */
export const MOST = 1000

/** The items whose names have the typed letters in that order; those that begin with them first. */
export function fitting<T>(items: readonly T[], typed: string, name: (item: T) => string): readonly T[] {
  if (typed === '') return items.length > MOST ? items.slice(0, MOST) : items
  const wanted = typed.toLowerCase()
  const first: T[] = []
  const others: T[] = []
  for (const item of items) {
    const lower = name(item).toLowerCase()
    if (lower.startsWith(wanted)) first.push(item)
    else if (hasLetters(lower, wanted)) others.push(item)
  }
  return [...first, ...others].slice(0, MOST)
}

function hasLetters(name: string, wanted: string): boolean {
  let at = 0
  for (let index = 0; index < wanted.length; index++) {
    at = name.indexOf(wanted.charAt(index), at) + 1
    if (at === 0) return false
  }
  return true
}

export function nameOf({ name }: { readonly name: string }): string {
  return name
}
