/* How far a grid of very many rows is scrolled: arithmetic, without the page. */

/** Taller than this, browsers draw elements at wrong places: Chromium and Firefox end between 17 and 33 million. */
export const TALLEST = 12_000_000

/** At both ends, so much is scrolled pixel by pixel: the first and last rows are never skipped. */
const PLAIN = 60_000

/**
 * Where rows stand in an element that can't be as tall as all of them. Small steps (a wheel, a finger) move rows by
 * as many pixels; large ones (the scroll bar) move through all rows in proportion. In between `settle` brings the
 * scroll bar to where it belongs, without moving a row.
 */
export class GridScroll {
  /** Of all rows as the page has them, in CSS pixels. */
  readonly height: number
  /** A row stands at `row * rowHeight - shift` in the element. */
  shift = 0
  private last = 0
  private readonly view: number
  private readonly maxY: number
  private readonly maxTop: number
  private readonly plain: number

  /** @param view pixels of rows that are seen at once */
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

  /** Pixels of rows above the view, once the element is scrolled to `top`. */
  scrolled(top: number): number {
    if (!this.scaled) this.shift = 0
    else if (Math.abs(top - this.last) >= this.view) this.shift = this.yOf(top) - top
    this.last = top
    const y = clamp(top + this.shift, 0, this.maxY)
    if (this.scaled) this.shift = y - top
    return y
  }

  /** How far the element has to be scrolled so that `y` pixels of rows are above. Nothing else may scroll in between. */
  scrollTo(y: number): number {
    const at = clamp(y, 0, this.maxY)
    this.last = this.scaled ? this.topOf(at) : at
    this.shift = at - this.last
    return this.last
  }

  /** Where the element should be scrolled to for the rows that are seen now; null when it is, to the pixel. */
  settle(): number | null {
    if (!this.scaled) return null
    const before = this.last
    const top = this.scrollTo(before + this.shift)
    return Math.abs(top - before) < 1 ? null : top
  }

  /** Whether scrolling would end although there are more rows. */
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
