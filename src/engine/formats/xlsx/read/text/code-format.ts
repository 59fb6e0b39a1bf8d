import { isUnit } from '../../../../../tables/currencies.ts'

/*
 * Number formats that show whole numbers as codes: `00000`, `000-00-0000`, `[<=9999999]###-####;(###) ###-####`. People
 * see and mean the code, not the number: 501 is the postcode 00501.
 */

export interface CodeFormat {
  readonly sections: readonly Section[]
}

interface Section {
  readonly applies: (value: number) => boolean
  readonly tokens: readonly Token[]
}

interface Token {
  readonly digit: boolean
  /** The literal text, or a digit's placeholder if the number is shorter. */
  readonly text: string
}

/** Parses a format that shows codes; null for formats of quantities, with fractions, units, money or percent. */
export function codeFormat(code: string): CodeFormat | null {
  const parts = sectionsOf(code)
  const conditional = parts.some((part) => CONDITION.test(part))
  // Without conditions, the first section is for non-negative numbers, and a third one for zero.
  const used = conditional ? parts.slice(0, 3) : [parts[0] ?? '', ...(parts[2] ? [parts[2]] : [])]
  const sections: Section[] = []
  for (const [i, part] of used.entries()) {
    const tokens = tokensOf(part)
    if (!tokens) return null
    const plain = (value: number): boolean => used.length === 1 || (value === 0) === i > 0
    sections.push({ applies: conditional ? conditionOf(part) : plain, tokens })
  }
  return sections.some(({ tokens }) => isCode(tokens)) ? { sections } : null
}

/** How the format shows a non-negative whole number; null if no section applies. */
export function showCode({ sections }: CodeFormat, digits: string): string | null {
  const tokens = sections.find(({ applies }) => applies(Number(digits)))?.tokens
  if (!tokens) return null
  const rest = digits === '0' ? '' : digits
  let shown = ''
  let at = rest.length
  const first = tokens.findIndex((token) => token.digit)
  for (let i = tokens.length - 1; i >= 0; i--) {
    const { digit, text } = tokens[i]
    if (!digit) shown = text + shown
    else if (i === first && at > 0) shown = rest.slice(0, at) + shown
    else shown = (at > 0 ? rest.charAt(--at) : text) + shown
  }
  return shown
}

/** Codes always show at least two digits, or have something between digits; and no word follows, as for units. */
function isCode(tokens: readonly Token[]): boolean {
  const digits = tokens.flatMap((token, i) => (token.digit ? [i] : []))
  const [first] = digits
  const last = digits.at(-1)
  if (first === undefined || last === undefined) return false
  const suffix = tokens.slice(last + 1).map((token) => token.text)
  if (/[\p{L}°%]/u.test(suffix.join(''))) return false
  const fixed = digits.filter((i) => tokens[i].text === '0').length
  return fixed > 1 || digits.length < last - first + 1
}

const CONDITION = /^(?:\[[^\]]*\])*?\[(<=|>=|<>|<|>|=)(-?[0-9]+(?:\.[0-9]+)?)\]/

function conditionOf(part: string): (value: number) => boolean {
  const [, operator = '', text = ''] = CONDITION.exec(part) ?? []
  const bound = Number(text)
  switch (operator) {
    case '<':
      return (value) => value < bound
    case '<=':
      return (value) => value <= bound
    case '>':
      return (value) => value > bound
    case '>=':
      return (value) => value >= bound
    case '=':
      return (value) => value === bound
    case '<>':
      return (value) => value !== bound
    default:
      return () => true
  }
}

/** Quoted text, an escaped character, `_` or `*` with its argument, brackets, or any other character. */
const PIECE = /"([^"]*)"?|\\(.)|[_*].|\[[^\]]*\]|./gsu

function sectionsOf(code: string): string[] {
  const sections = ['']
  for (const [piece] of code.matchAll(PIECE)) {
    if (piece === ';') sections.push('')
    else sections[sections.length - 1] += piece
  }
  return sections
}

const BLANK_DIGITS: ReadonlyMap<string, string> = new Map([
  ['0', '0'],
  ['#', ''],
  ['?', ' '],
])

/** The tokens of a section; null if it has parts that codes don't have. */
function tokensOf(section: string): Token[] | null {
  const tokens: Token[] = []
  let fixed = false
  for (const [piece, quoted, escaped] of section.matchAll(PIECE)) {
    const blank = BLANK_DIGITS.get(piece)
    fixed ||= piece === '0'
    if (blank !== undefined) tokens.push({ digit: true, text: fixed ? '0' : blank })
    else if (quoted !== undefined || escaped !== undefined) tokens.push({ digit: false, text: quoted ?? escaped ?? '' })
    else if (/^[ \-+():]$/.test(piece)) tokens.push({ digit: false, text: piece })
    // Colors, conditions, languages, spaces and fill characters show nothing; currencies have a symbol.
    else if (!/^(?:[_*]|\[(?!\$[^-\]]))/.test(piece)) return null
  }
  return tokens
}

/** The currency's sign in brackets, before the language: `[$€-407]`. */
const SYMBOL = /^\[\$([^-\]]+)/
/** Commas after the digits show thousands or millions, so the unit isn't that of the number. */
const IS_SCALED = /[0#?],+(?![0#?,])/

/** The known currency or measure that a format shows beside numbers: `0.0" kg"`, `#,##0.00 [$€-407]`; else null. */
export function unitOf(code: string): string | null {
  const [section] = code.replace(/^General/i, '').split(';', 1)
  let shown = ''
  let bare = ''
  for (const [piece, quoted, escaped] of section.matchAll(PIECE)) {
    const symbol = quoted ?? escaped ?? SYMBOL.exec(piece)?.[1] ?? (/^\p{Sc}$/u.test(piece) ? piece : null)
    if (symbol === null) bare += piece
    shown += symbol ?? ''
  }
  const unit = shown.trim()
  return isUnit(unit) && !IS_SCALED.test(bare) ? unit : null
}
