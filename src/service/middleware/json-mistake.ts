import { formatCount } from '../../lib/counts.ts'

/*
 * Finds the first error in invalid JSON (RFC 8259). Browsers' `JSON.parse` messages differ and often lack the position.
 */

type Wanted = 'a value' | 'a key in double quotes' | 'a colon' | 'a comma' | 'the end'

const SPACE = /[ \t\n\r]*/y
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** Part of a string between its quotes. One expression for the whole string can exhaust the stack. */
const PIECE = /[\u0020\u0021\u0023-\u005b\u005d-\uffff]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

/** The first mistake in a text that `JSON.parse` refuses: “line 1, column 9: …”; null if there is none. */
export function jsonMistake(text: string): string | null {
  /** Closing brackets of the arrays and objects around `at`. */
  const closers: ('}' | ']')[] = []
  let wanted: Wanted = 'a value'
  /** Whether an array or object has just begun, so that it may end at once. */
  let isFresh = false
  let at = 0
  const ended = (): Wanted => (closers.length > 0 ? 'a comma' : 'the end')
  const first = (): Wanted => (closers.at(-1) === '}' ? 'a key in double quotes' : 'a value')
  for (;;) {
    at = past(SPACE, text, at)
    const c = text.charAt(at)
    if (c === '') return wanted === 'the end' ? null : placed(text, at, 'it ends before it is complete')
    const begins = wanted === 'a value' && (c === '{' || c === '[')
    const scalarEnd = wanted === 'a value' ? past(SCALAR, text, at) : at
    if (c === closers.at(-1) && (isFresh || wanted === 'a comma')) {
      closers.pop()
      wanted = ended()
      at++
    } else if (begins) {
      closers.push(c === '{' ? '}' : ']')
      wanted = first()
      at++
    } else if (c === '"' && (wanted === 'a value' || wanted === 'a key in double quotes')) {
      at++
      for (let end; (end = past(PIECE, text, at)) > at;) at = end
      if (text.charAt(at) !== '"') return placed(text, at, inString(text, at))
      wanted = wanted === 'a value' ? ended() : 'a colon'
      at++
    } else if (scalarEnd > at) {
      wanted = ended()
      at = scalarEnd
    } else if ((c === ',' && wanted === 'a comma') || (c === ':' && wanted === 'a colon')) {
      wanted = c === ',' ? first() : 'a value'
      at++
    } else {
      const or = wanted === 'a comma' ? ` or “${closers.at(-1)}”` : ''
      return placed(text, at, `there is ${characterAt(text, at)} instead of ${wanted}${or}`)
    }
    isFresh = begins
  }
}

/** The end of a sticky expression's match; the same position if it doesn't match. */
function past(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at
  return expression.test(text) ? expression.lastIndex : at
}

function inString(text: string, at: number): string {
  if (at === text.length) return 'a string isn’t closed'
  if (text.charAt(at) === '\\') return `“\\${text.charAt(at + 1)}” in a string isn’t an escape of JSON`
  return `a string holds ${characterAt(text, at)}, which must be escaped`
}

/** @returns the character in quotes, or its code point if it's invisible */
function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at) ?? 0
  return code > 0x20 && code !== 0x7f
    ? `“${String.fromCodePoint(code)}”`
    : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

function placed(text: string, at: number, what: string): string {
  const lines = text.slice(0, at).split('\n')
  const column = Array.from(lines.at(-1) ?? '').length + 1
  return `line ${formatCount(lines.length)}, column ${formatCount(column)}: ${what}`
}
