import * as lib from '../../lib/recent-map.ts'

/** Number of entries. */
const KEPT = 64
/** Longer statements aren't cached, since they would take most of the memory. In characters. */
const LONGEST = 20_000

/** Caches results by statement, for the most recently used ones. */
export class RecentMap<T> extends lib.RecentMap<string, T> {
  constructor() {
    super(KEPT)
  }

  override set(text: string, value: T): void {
    if (text.length <= LONGEST) super.set(text, value)
  }
}
