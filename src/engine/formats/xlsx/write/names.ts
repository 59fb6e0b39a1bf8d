/** Excel's limit for sheet names, in UTF-16 code units. */
const MAX_NAME = 31

/** Names reserved by Excel, which would report the file as damaged. */
const RESERVED = new Set(['history'])

/**
 * Turns a name into a valid sheet name: at most 31 characters, without `[]:*?/\` or control characters, no apostrophe
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

/** Creates valid, unique names, ignoring case. */
export class SheetNames {
  private readonly taken = new Set<string>()

  /**
   * @param name the wanted name
   * @param part from 1: from the second part on, names are `Name (2)`, `Name (3)`, ...
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
