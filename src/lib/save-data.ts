/** A part of the Network Information API, which TypeScript’s own types lack and only Chromium has. */
interface NavigatorWithConnection {
  readonly connection?: { readonly saveData?: boolean }
}

/**
 * Whether the person has set this device or browser to use little data. What isn’t needed yet isn’t fetched then.
 * @see https://wicg.github.io/savedata/
 */
export function savesData(): boolean {
  return (navigator as NavigatorWithConnection).connection?.saveData === true
}
