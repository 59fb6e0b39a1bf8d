/**
 * A name as it's compared: names of workspaces, datasets and tables, and what a statement calls them, differ by more
 * than case and by more than how their accents are encoded.
 */
export function foldName(name: string): string {
  // Small letters may have a form of their own with accents that capital ones only have beside them: Ϋ̀ and ῢ.
  return name.normalize('NFC').toLowerCase().normalize('NFC')
}

/**
 * The name, or the first one with a number that isn't taken.
 * @param numbered gives the name with a number, from 2 on
 */
export function firstFree(
  name: string,
  isTaken: (name: string) => boolean,
  numbered: (number: number) => string,
): string {
  let free = name
  for (let number = 2; isTaken(free); number++) free = numbered(number)
  return free
}
