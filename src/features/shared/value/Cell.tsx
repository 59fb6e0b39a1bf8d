import css from './Cell.module.css'

/** Shown in a cell for null. @param word `NULL` where SQL is used */
export const nullMark = (word = 'null') => <span className={css.null}>{word}</span>

/** Shown in a cell for an empty text. */
export const emptyMark = () => <span className={css.empty}>empty</span>

/** A value in a grid: null, empty text and the text “null” all look different. */
export function drawCell(text: string | null, nullWord?: string) {
  if (text === null) return nullMark(nullWord)
  if (text === '') return emptyMark()
  const shown = cellText(text)
  return isRightToLeft(shown) ? <bdi>{shown}</bdi> : shown
}

/* The text of a cell: cut if it's long, and without characters that have an effect. */

/** Longest text in a cell, in characters; the inspector shows all of it. */
const DRAWN = 300

// oxlint-disable-next-line no-control-regex -- control characters are what is shown otherwise
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** A text in one line, with symbols for invisible characters: `␀`, `⏎`, `⇥`. */
export function cellText(text: string): string {
  const cut = text.length > DRAWN ? `${whole(text)}…` : text
  return cut.search(INVISIBLE) < 0 ? cut : cut.replaceAll('\r\n', '⏎').replaceAll(INVISIBLE, sign)
}

/** Avoids cutting between the two units of a character. */
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

/** Whether a text contains characters written from right to left. */
const isRightToLeft = (text: string): boolean => RTL.test(text)
