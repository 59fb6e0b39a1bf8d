import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'

/** SheetJS as published. */
export const SHEETJS = path.join(path.dirname(createRequire(import.meta.url).resolve('xlsx')), 'xlsx.mjs')

const ID = 'virtual:rowhouse-sheetjs'
const RESOLVED = `\0${ID}`

/** Functions that are never called when values of .xls and .xlsb are read, or whose results aren't used. */
const LEFT_OUT = [
  // Other formats have readers of our own, or aren't read.
  'readSync parse_ods parse_numbers_iwa WK_ parse_ws_xml parse_wb_xml parse_sst_xml',
  // Formulas, of which only the results matter, and formatted texts of numbers.
  'stringify_formula parse_Rgce parse_RgbExtra SSF_format',
  // Data beside cells.
  'parse_xls_props parse_compobj parse_chart parse_vml parse_drawing',
  'parse_comments_xml parse_tcmnt_xml parse_people_xml parse_xlmeta_xml parse_theme_xml write_theme',
].flatMap((names) => names.split(' '))

/**
 * Provides SheetJS without unused code that bundlers can't detect (157 kB remain), in the build, in development and in
 * tests. Besides, damaged properties and formulas, which aren't needed, can make SheetJS loop forever.
 */
export function smallSheetJs(): Plugin {
  return {
    name: 'rowhouse-small-sheetjs',
    resolveId: (id) => (id === ID ? RESOLVED : null),
    load: (id) =>
      id === RESOLVED ? { code: withoutUnused(readFileSync(SHEETJS, 'utf8')), moduleSideEffects: false } : null,
  }
}

/** @throws {Error} if one of the functions isn't found */
export function withoutUnused(source: string): string {
  return LEFT_OUT.reduce((code, name) => {
    const parts = code.split(
      new RegExp(`^(?:function ${name}\\(|var ${name} ?= [^(]*\\(function ?\\w*\\()[^]*?^\\}(?:\\)\\(\\);)?`, 'm'),
    )
    const [before, after, ...others] = parts
    if (before === undefined || after === undefined || others.length > 0)
      throw new Error(`SheetJS’s ${name} isn’t what was known`)
    return `${before}function ${name}() {}${after}`
  }, source)
}
