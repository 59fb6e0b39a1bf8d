import * as sheetjs from 'virtual:rowhouse-sheetjs'

/* Types for the parts of SheetJS used here: its own omit these or declare them as `any`. */

export interface Cell {
  /** `n` number, `s` text, `b` boolean, `e` error, `z` empty. */
  readonly t: string
  readonly v?: string | number | boolean
  /** The number format. */
  readonly z?: string
}

interface Place {
  readonly r: number
  readonly c: number
}

/** Rows and columns are counted from 0; empty ones are omitted. */
export interface JsSheet {
  readonly '!data'?: readonly (readonly (Cell | undefined)[] | undefined)[]
  readonly '!merges'?: readonly { readonly s: Place; readonly e: Place }[]
  readonly '!rows'?: readonly ({ readonly hidden?: boolean } | undefined)[]
  readonly '!cols'?: readonly ({ readonly hidden?: boolean } | undefined)[]
  /** Absent for a sheet with cells. */
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

/** Files inside a file: a compound file (OLE), or an unpacked zip archive. */
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
/** Reads a compound file, or a workbook's stream from one. */
export const parse_xlscfb = sheetjs.parse_xlscfb as (file: Container | Uint8Array, options: Options) => JsBook
export const parse_zip = sheetjs.parse_zip as (file: Container, options: Options) => JsBook

/** Read raw numbers with their formats, not formatted texts. Hidden columns are only included along with the styles. */
export const OPTIONS: Options = {
  type: 'array',
  dense: true,
  cellNF: true,
  cellStyles: true,
  cellText: false,
  cellHTML: false,
  cellFormula: false,
}
