/** Excel's limit of a sheet's name, in UTF-16 code units. */
const MAX_NAME = 31

/** Of the same name as one of these, Excel says that the file is damaged: it keeps it for itself. */
const RESERVED = new Set(['history'])

/**
 * A name that Excel takes for a sheet: at most 31 characters, none of `[]:*?/\` or control characters, no apostrophe
 * at either end, not empty.
 */
export function legalSheetName(name: string): string {
  const cleaned = trimApostrophes(
    cut(
      name
        .replace(/\p{Surrogate}/gu, '\ufffd')
        // oxlint-disable-next-line no-control-regex
        .replace(/[[\]:*?/\\]|[\u0000-\u001f\u007f\ufffe\uffff]/g, '_'),
      MAX_NAME,
    ),
  )
  if (cleaned.trim() === '') return 'Sheet1'
  return RESERVED.has(cleaned.toLowerCase()) ? `${cleaned}_` : cleaned
}

/** Gives out legal names, each once, case aside. */
export class SheetNames {
  private readonly taken = new Set<string>()

  /**
   * @param name as wanted
   * @param part from 1: parts from the second on are `Name (2)`, `Name (3)`, ...
   */
  take(name: string, part = 1): string {
    const base = legalSheetName(name)
    for (let n = part; ; n++) {
      const suffix = n === 1 ? '' : ` (${n})`
      const candidate = trimApostrophes(cut(base, MAX_NAME - suffix.length)) + suffix
      const key = candidate.toLowerCase()
      if (this.taken.has(key)) continue
      this.taken.add(key)
      return candidate
    }
  }
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  const splitsPair = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, splitsPair ? length - 1 : length)
}

function trimApostrophes(text: string): string {
  return text.replace(/^'+|'+$/g, '')
}
