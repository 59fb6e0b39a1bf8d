/**
 * Text from the clipboard as a file. A spreadsheet puts cells there with tabs between them; other text may be CSV of
 * any delimiter. It's taken apart and written as plain CSV, so that it reads the same as any other file.
 */
export async function pastedFile(text: string): Promise<File | null> {
  if (text.trim() === '') return null
  if (/^\s*[[{]/.test(text)) return new File([text], 'pasted.json', { type: 'application/json' })
  const { default: Papa } = await import('papaparse')
  const { data } = Papa.parse<string[]>(text, {
    delimiter: text.includes('\t') ? '\t' : '',
    skipEmptyLines: 'greedy',
  })
  if (data.length === 0) return null
  return new File([Papa.unparse(data, { newline: '\n' }), '\n'], 'pasted.csv', { type: 'text/csv' })
}
