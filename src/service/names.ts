/** A name as it's compared: names of datasets, tables and workspaces differ by more than case. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
