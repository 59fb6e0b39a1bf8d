/**
 * Text from the clipboard as a file, every character as it was copied: rows of empty cells and `""` mean something, and
 * taking the text apart here would lose them. A spreadsheet puts tabs between cells; other text may be CSV of any
 * delimiter.
 */
export function pastedFile(text: string): File | null {
  if (text.trim() === '') return null
  if (/^\s*[[{]/.test(text)) return new File([text], 'pasted.json', { type: 'application/json' })
  return /^[^\r\n]*\t/.test(text)
    ? new File([text], 'pasted.tsv', { type: 'text/tab-separated-values' })
    : new File([text], 'pasted.csv', { type: 'text/csv' })
}
