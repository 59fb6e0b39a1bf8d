/** SheetJS without what isn't used, which `vite-plugin.ts` makes; typed in `library.ts`. */
declare module 'virtual:rowhouse-sheetjs' {
  export const CFB: unknown
  export const SSF: unknown
  export const parse_xlscfb: unknown
  export const parse_zip: unknown
}
