import * as sheetjs from 'virtual:rowhouse-sheetjs'

/* SheetJS as far as it is used: its own types leave these out, or say `any` of them. */

export interface Cell {
  /** `n` number, `s` text, `b` boolean, `e` error, `z` nothing. */
  readonly t: string
  readonly v?: string | number | boolean
  /** The number format. */
  readonly z?: string
}

interface Place {
  readonly r: number
  readonly c: number
}

/** Rows and columns count from 0, and those that hold nothing are left out. */
export interface JsSheet {
  readonly '!data'?: readonly (readonly (Cell | undefined)[] | undefined)[]
  readonly '!merges'?: readonly { readonly s: Place; readonly e: Place }[]
  readonly '!rows'?: readonly ({ readonly hidden?: boolean } | undefined)[]
  readonly '!cols'?: readonly ({ readonly hidden?: boolean } | undefined)[]
  /** Absent where the sheet has cells. */
  readonly '!type'?: string
}

export interface JsBook {
  readonly SheetNames: readonly string[]
  readonly Sheets: Readonly<Record<string, JsSheet | undefined>>
  readonly Workbook?: {
    readonly Sheets?: readonly { readonly name?: string; readonly Hidden?: number }[]
    readonly WBProps?: { readonly date1904?: boolean }
  }
}

/** Files in a file: of a compound file (OLE), or of a zip archive that is unpacked already. */
export interface Container {
  readonly FullPaths: readonly string[]
  readonly FileIndex: readonly { readonly name: string; readonly type?: number; readonly content?: Uint8Array }[]
}

interface Options {
  readonly type: 'array'
  readonly dense: true
  readonly cellNF: true
  readonly cellStyles: true
  readonly cellText: false
  readonly cellHTML: false
  readonly cellFormula: false
}

interface CompoundFiles {
  read(bytes: Uint8Array, options: { readonly type: 'array' }): Container
  find(container: Container, path: string): { readonly content?: ArrayLike<number> } | null
}

interface NumberFormats {
  load(format: string, id: number): void
}

export const CFB = sheetjs.CFB as CompoundFiles
export const SSF = sheetjs.SSF as NumberFormats
/** Reads a compound file, or the contents of a workbook in one. */
export const parse_xlscfb = sheetjs.parse_xlscfb as (file: Container | Uint8Array, options: Options) => JsBook
export const parse_zip = sheetjs.parse_zip as (file: Container, options: Options) => JsBook

/** Numbers as they are stored, with their format and no text of it; hidden columns come with the styles. */
export const OPTIONS: Options = {
  type: 'array',
  dense: true,
  cellNF: true,
  cellStyles: true,
  cellText: false,
  cellHTML: false,
  cellFormula: false,
}
