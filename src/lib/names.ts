/**
 * A name as it's compared: names of workspaces, datasets and tables, and what a statement calls them, differ by more
 * than case and by more than how their accents are encoded.
 */
export function foldName(name: string): string {
  // Small letters may have a form of their own with accents that capital ones only have beside them: Ϋ̀ and ῢ.
  return name.normalize('NFC').toLowerCase().normalize('NFC')
}
