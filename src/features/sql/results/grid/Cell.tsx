import { cellText, isRightToLeft } from './cell-text.ts'
import css from './Result.module.css'

/** A value as the grid draws it: null, empty text and the text “NULL” each look their own. */
export function drawCell(text: string | null) {
  if (text === null) return <span className={css.null}>NULL</span>
  if (text === '') return <span className={css.empty}>empty</span>
  const shown = cellText(text)
  return isRightToLeft(shown) ? <bdi>{shown}</bdi> : shown
}
