import css from './Cell.module.css'

/** Stands in a cell for no value. @param word `NULL` where SQL is spoken */
export const nullMark = (word = 'null') => <span className={css.null}>{word}</span>

/** Stands in a cell for a text of no length. */
export const emptyMark = () => <span className={css.empty}>empty</span>

/** A value as a grid draws it: null, empty text and the text “null” each look their own. */
export function drawCell(text: string | null, nullWord?: string) {
  if (text === null) return nullMark(nullWord)
  if (text === '') return emptyMark()
  const shown = cellText(text)
  return isRightToLeft(shown) ? <bdi>{shown}</bdi> : shown
}

/* What a cell shows of a text: never more than fits, nothing that acts. */

/** Longer than this isn't drawn in a cell; the inspector shows all of it. Characters. */
const DRAWN = 300

// oxlint-disable-next-line no-control-regex -- control characters are what is shown otherwise
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** A text in one line, with signs for what can't be seen: `␀`, `⏎`, `⇥`. */
export function cellText(text: string): string {
  const cut = text.length > DRAWN ? `${whole(text)}…` : text
  return cut.search(INVISIBLE) < 0 ? cut : cut.replaceAll('\r\n', '⏎').replaceAll(INVISIBLE, sign)
}

/** Doesn't end within a character of two units. */
function whole(text: string): string {
  const cut = text.slice(0, DRAWN)
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}

function sign(char: string): string {
  const code = char.charCodeAt(0)
  if (char === '\n' || char === '\r') return '⏎'
  if (char === '\t') return '⇥'
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '␡' : '·'
}

/** Whether parts of a text are written from right to left. */
const isRightToLeft = (text: string): boolean => RTL.test(text)
