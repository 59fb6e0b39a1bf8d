import type { LostThings } from '../../../engine/client.ts'
import { storedText, type AskStorage } from '../../../lib/stored-text.ts'

/** Remembers what a tab's statements have created in its engine, so that a reloaded page can say what it lost. */
export interface StoredMade {
  read(): LostThings | null
  write(made: LostThings | null): void
}

/** In characters. Beyond, only names are stored, since all tabs of a window share 5 MB. */
const MOST = 500_000

/** In session storage, since each window has its own engines. */
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
