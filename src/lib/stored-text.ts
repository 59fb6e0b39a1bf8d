/** An entry in the browser's storage; null if there's none. */
interface StoredText {
  read(): string | null
  write(text: string | null): void
}

/** Returns local or session storage. Called for each use, since accessing it throws if storage is forbidden. */
export type AskStorage = () => {
  getItem(name: string): string | null
  setItem(name: string, text: string): void
  removeItem(name: string): void
}

/**
 * The entry with that name. If it can't be stored, since storage is forbidden or full, it lasts as long as the page.
 */
export function storedText(name: string, storage: AskStorage): StoredText {
  let unkept: { readonly text: string | null } | null = null
  return {
    read() {
      if (unkept) return unkept.text
      try {
        return storage().getItem(name)
      } catch {
        return null
      }
    },
    write(text) {
      try {
        if (text === null) storage().removeItem(name)
        else storage().setItem(name, text)
        unkept = null
      } catch {
        unkept = { text }
      }
    },
  }
}
