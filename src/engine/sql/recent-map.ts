import * as lib from '../../lib/recent-map.ts'

/** Entries that are kept. */
const KEPT = 64
/** Longer statements aren't kept, in characters: they would be most of the memory. */
const LONGEST = 20_000

/** What was found out about statements, those used last. */
export class RecentMap<T> extends lib.RecentMap<string, T> {
  constructor() {
    super(KEPT)
  }

  override set(text: string, value: T): void {
    if (text.length <= LONGEST) super.set(text, value)
  }
}
