import type { CsvSettings } from '../../../../tables/plan.ts'

/** What the header of a file in Weka's attribute-relation format (ARFF) declares. */
interface Arff {
  readonly names: readonly string[]
  readonly settings: Pick<
    CsvSettings,
    'delimiter' | 'quote' | 'escape' | 'trim' | 'comment' | 'skipLines' | 'header' | 'width' | 'strayQuotes'
  >
}

/** An unquoted `?` is a missing value. */
export const ARFF_NULLS = ['?']

/** `@relation`, after comments and blank lines. */
const BEGINNING = /^(?:[ \t]*(?:%.*)?(?:\r?\n|\r(?!\n)))*[ \t]*@relation\b/i
const NO_LINE = /^\s*(?:%.*)?$/
const ATTRIBUTE = /^\s*@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s'"{]+))\s*(\S.*)$/i
/** Values of this type are tables themselves. */
const RELATIONAL = /^relational\b/i

/**
 * Parses the ARFF header of a text: `@relation`, an `@attribute` for each column, `@data`; and how its rows are split.
 * @returns null if the text isn't ARFF, or its rows are sparse (`{0 1, 3 x}`)
 */
export function arffIn(text: string): Arff | null {
  if (!BEGINNING.test(text)) return null
  const lines = text.split(/\r\n|[\r\n]/)
  const data = lines.findIndex((line) => /^\s*@data\s*$/i.test(line))
  const above = lines.slice(0, data).filter((line) => !NO_LINE.test(line) && !/^\s*@relation\b/i.test(line))
  const attributes = above.map((line) => ATTRIBUTE.exec(line))
  const names = attributes.map((found) => {
    const [, single, double, bare] = found ?? []
    return (single ?? double)?.replaceAll(/\\(.)/g, '$1') ?? bare ?? ''
  })
  if (data < 0 || names.length === 0 || attributes.some((found) => !found || RELATIONAL.test(found[4]))) return null
  const rows = lines.slice(data + 1).filter((line) => !NO_LINE.test(line))
  if (rows.some((line) => /^\s*\{/.test(line) || (names.length > 1 && !line.includes(',')))) return null
  const isQuoted = (mark: string): boolean => rows.some((line) => new RegExp(`(?:^|,)\\s*${mark}`).test(line))
  const quote = isQuoted('"') && !isQuoted("'") ? '"' : "'"
  const trims = rows.some((line) => /^[ \t]|[ \t],|,[ \t]|[ \t]$/.test(line))
  return {
    names,
    settings: {
      delimiter: ',',
      quote,
      escape: '\\',
      ...(trims ? { trim: true } : {}),
      comment: '%',
      skipLines: data + 1,
      header: false,
      width: names.length,
      strayQuotes: 'reject',
    },
  }
}
