import type { SqlTab } from '../types.ts'

/** The entry of the browser's local storage. */
export const DRAFTS_NAME = 'rowhouse-sql-drafts'

/**
 * Tabs that were still to be written when the page went: a database has no time to answer then, local storage does it
 * on the spot.
 */
export interface Drafts {
  put(tabs: readonly SqlTab[]): void
  /** Takes them out. */
  take(): readonly SqlTab[]
}

export function createDrafts(storage: () => Storage = () => localStorage): Drafts {
  const read = (): readonly SqlTab[] => {
    try {
      const value: unknown = JSON.parse(storage().getItem(DRAFTS_NAME) ?? '[]')
      return Array.isArray(value) ? value.filter(isTab) : []
    } catch {
      return []
    }
  }
  return {
    put(tabs) {
      if (tabs.length === 0) return
      const ids = new Set(tabs.map(({ id }) => id))
      try {
        // Those of a window that went a moment before stay.
        const others = read().filter(({ id }) => !ids.has(id))
        storage().setItem(DRAFTS_NAME, JSON.stringify([...others, ...tabs]))
      } catch {
        // Then it's what the database still gets that counts.
      }
    },
    take() {
      const tabs = read()
      try {
        storage().removeItem(DRAFTS_NAME)
      } catch {
        // Nothing can be kept there, so nothing was.
      }
      return tabs
    },
  }
}

function isTab(value: unknown): value is SqlTab {
  if (typeof value !== 'object' || value === null) return false
  const tab = value as Readonly<Record<string, unknown>>
  return (
    ['id', 'title', 'text', 'where', 'view'].every((name) => typeof tab[name] === 'string') &&
    typeof tab['order'] === 'number' &&
    typeof tab['updatedAt'] === 'number' &&
    typeof tab['parameters'] === 'object' &&
    tab['parameters'] !== null
  )
}
