/* Scrolling a grid with very many rows: arithmetic only, without DOM. */

/** Browsers misplace elements taller than this: the limits of Chromium and Firefox are between 17 and 33 million. */
export const TALLEST = 12_000_000

/** At both ends, this many pixels are scrolled one to one, so that the first and last rows are never skipped. */
const PLAIN = 60_000

/**
 * Maps scroll positions to rows if browsers can't make the element as tall as all rows. Small steps (wheel, finger)
 * move rows by the same number of pixels; large ones (scroll bar) move in proportion through all rows. In between,
 * `settle` corrects the scroll bar without moving a row.
 */
export class GridScroll {
  /** Height of the element that contains all rows, in CSS pixels. */
  readonly height: number
  /** A row's position in the element is `row * rowHeight - shift`. */
  shift = 0
  private last = 0
  private readonly view: number
  private readonly maxY: number
  private readonly maxTop: number
  private readonly plain: number

  /** @param view height of the visible rows in CSS pixels */
  constructor(count: number, rowHeight: number, view: number) {
    const full = count * rowHeight
    this.height = Math.min(full, TALLEST)
    this.view = view
    this.maxY = Math.max(0, full - view)
    this.maxTop = Math.max(0, this.height - view)
    this.plain = Math.min(PLAIN, this.maxTop / 4)
  }

  private get scaled(): boolean {
    return this.maxY > this.maxTop
  }

  /** The pixels of rows above the view after the element was scrolled to `top`. */
  scrolled(top: number): number {
    if (!this.scaled) this.shift = 0
    else if (Math.abs(top - this.last) >= this.view) this.shift = this.yOf(top) - top
    this.last = top
    const y = clamp(top + this.shift, 0, this.maxY)
    if (this.scaled) this.shift = y - top
    return y
  }

  /** The `scrollTop` at which `y` pixels of rows are above the view. Set it before anything else scrolls. */
  scrollTo(y: number): number {
    const at = clamp(y, 0, this.maxY)
    this.last = this.scaled ? this.topOf(at) : at
    this.shift = at - this.last
    return this.last
  }

  /** The `scrollTop` that fits the rows in view; null if it's already there, to the pixel. */
  settle(): number | null {
    if (!this.scaled) return null
    const before = this.last
    const top = this.scrollTo(before + this.shift)
    return Math.abs(top - before) < 1 ? null : top
  }

  /** Whether the scroll bar is at its end although there are more rows. */
  get stuck(): boolean {
    const { last, shift, view, maxY, maxTop } = this
    if (!this.scaled) return false
    const y = last + shift
    return (last < view && y > last + 1) || (last > maxTop - view && maxY - y > maxTop - last + 1)
  }

  private topOf(y: number): number {
    const { plain, maxY, maxTop } = this
    if (y <= plain) return y
    if (y >= maxY - plain) return maxTop - (maxY - y)
    return plain + ((y - plain) * (maxTop - 2 * plain)) / (maxY - 2 * plain)
  }

  private yOf(top: number): number {
    const { plain, maxY, maxTop } = this
    if (top <= plain) return top
    if (top >= maxTop - plain) return maxY - (maxTop - top)
    return plain + ((top - plain) * (maxY - 2 * plain)) / (maxTop - 2 * plain)
  }
}

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))
