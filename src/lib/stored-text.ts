/** An entry of the browser's storage; null is no entry. */
export interface StoredText {
  read(): string | null
  write(text: string | null): void
}

/** Gives local or session storage. It's asked at each use: where storage is forbidden, naming it throws. */
export type AskStorage = () => {
  getItem(name: string): string | null
  setItem(name: string, text: string): void
  removeItem(name: string): void
}

/** The entry of that name. What can't be kept, as storage is forbidden or full, holds for as long as the page lives. */
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
