import { tokenize, type Token } from '../../../../lib/duckdb-sql/index.ts'

/** Formats SQL; throws if it can't be parsed. */
type Layout = (text: string) => string

/**
 * Formats a text without changing any token: comments, strings, names and everything else stay, and only the space
 * between them changes.
 * @param layout receives substitutes of the same length for tokens that a formatter may not know
 * @throws {Error} with a message, if the layout doesn't have the same tokens
 */
export function formatted(text: string, layout: Layout): string {
  const tokens = tokenize(text)
  if (tokens.some(({ closed }) => !closed)) throw new Error('A string, a quoted name or a comment isn’t closed.')
  if (tokens.length === 0) return text
  const masks = tokens.map((token) => mask(text, token))
  const masked = masks.map((stand, index) => stand + text.slice(tokens[index]?.to, tokens[index + 1]?.from)).join('')
  const laid = layout(masked)
  const gaps = gapsOf(laid, masks)
  const original = tokens.map(({ from, to }) => text.slice(from, to))
  const out = original.map((token, index) => (index === 0 ? '' : gaps[index]) + token).join('')
  const after = tokenize(out)
  const same =
    after.length === tokens.length &&
    after.every(({ kind, from, to }, index) => kind === tokens[index]?.kind && out.slice(from, to) === original[index])
  if (!same) throw new Error('Formatting would have changed it.')
  return out
}

/** Maps a position in the text to the formatted text: in the same token, or as near after it. */
export function placeAfter(before: string, after: string, position: number): number {
  const old = tokenize(before)
  const index = old.findLastIndex(({ from }) => from <= position)
  const token = old[index]
  const now = tokenize(after)[index]
  if (!token || !now) return Math.min(position, after.length)
  return now.from + Math.min(position - token.from, now.to - now.from)
}

/** A substitute for a token, of the same length and kind, that every formatter knows. */
function mask(text: string, { kind, from, to }: Token): string {
  const length = to - from
  switch (kind) {
    case 'comment':
      return text.startsWith('--', from) ? `--${'x'.repeat(length - 2)}` : `/*${'x'.repeat(length - 4)}*/`
    case 'string':
      return `'${'x'.repeat(length - 2)}'`
    case 'quoted':
      return `"${'x'.repeat(length - 2)}"`
    case 'parameter':
    case 'number':
      return length === 1 ? '1' : `x${'0'.repeat(length - 1)}`
    case 'operator':
      return KNOWN.has(text.slice(from, to)) ? text.slice(from, to) : '+'
    case 'word':
      // To the formatter, all characters beyond ASCII are letters, even emoji.
      return text.slice(from, to).replaceAll(/[^\w]/g, 'x')
    case 'punctuation':
      return text.slice(from, to)
  }
}

const KNOWN = new Set(
  '+ - * / // % ** ^ ! & | ~ << >> :: == -> ->> := => ~~ !~~ ~~* !~~* ~~~ !~ ~* !~* ^@ || = <> != < > <= >='.split(' '),
)

/** The space before each substitute in the layout. */
function gapsOf(laid: string, masks: readonly string[]): string[] {
  let at = 0
  const gaps = masks.map((stand) => {
    const start = at
    while (at < laid.length && /\s/.test(laid.charAt(at))) at++
    const gap = laid.slice(start, at)
    for (const char of stand.replaceAll(/\s/g, '')) {
      while (at < laid.length && /\s/.test(laid.charAt(at))) at++
      if (laid.charAt(at) !== char) throw new Error('Formatting would have changed it.')
      at++
    }
    return gap
  })
  if (laid.slice(at).trim() !== '') throw new Error('Formatting would have changed it.')
  return gaps
}
