import type { LostThings } from '../../../engine/client.ts'
import { storedText, type AskStorage } from '../../../lib/stored-text.ts'

/** What a tab's statements have made in its engine, so that what goes with the page can be told when it's back. */
export interface StoredMade {
  read(): LostThings | null
  write(made: LostThings | null): void
}

/** Letters above which only the names are kept: all of a window's tabs share 5 MB. */
const MOST = 500_000

/** Of the window: another one has engines of its own. */
export function storedMade(tabId: string, storage: AskStorage = () => sessionStorage): StoredMade {
  const kept = storedText(`rowhouse-sql-made-${tabId}`, storage)
  return {
    read() {
      try {
        const made = JSON.parse(kept.read() ?? 'null') as LostThings | null
        return made && { ...made, left: true }
      } catch {
        return null
      }
    },
    write(made) {
      const all = made && JSON.stringify(made)
      const text = all && all.length > MOST ? JSON.stringify({ ...made, statements: [] }) : all
      if (text !== kept.read()) kept.write(text)
    },
  }
}
