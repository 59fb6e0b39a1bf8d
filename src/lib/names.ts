/**
 * A name's form for comparing: names of workspaces, datasets and tables are equal if they differ only in case or in how
 * accents are encoded.
 */
export function foldName(name: string): string {
  // Normalized again, since lower-case letters may have precomposed forms that capitals lack: Ϋ̀ and ῢ.
  return name.normalize('NFC').toLowerCase().normalize('NFC')
}

/**
 * The name if it's free, or else the first free one with a number.
 * @param numbered returns the name with a number, from 2 on
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
