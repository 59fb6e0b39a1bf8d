/** A part of the Network Information API, which only Chromium has, and TypeScript’s types lack. */
interface NavigatorWithConnection {
  readonly connection?: { readonly saveData?: boolean }
}

/**
 * Whether the device or browser is set to save data. Then fetch only what is needed now.
 * @see https://wicg.github.io/savedata/
 */
export function savesData(): boolean {
  return (navigator as NavigatorWithConnection).connection?.saveData === true
}
