/**
 * A name as it's compared: names of workspaces, datasets and tables, and what a statement calls them, differ by more
 * than case and by more than how their accents are encoded.
 */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
