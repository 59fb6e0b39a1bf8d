import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'

/** SheetJS as it's published. */
export const SHEETJS = path.join(path.dirname(createRequire(import.meta.url).resolve('xlsx')), 'xlsx.mjs')

const ID = 'virtual:rowhouse-sheetjs'
const RESOLVED = `\0${ID}`

/** What is never reached when .xls and .xlsb are read for their values, or comes to nothing that is looked at. */
const LEFT_OUT = [
  // Other formats: ours are read by our own readers, the rest isn't read.
  'readSync parse_ods parse_numbers_iwa WK_ parse_ws_xml parse_wb_xml parse_sst_xml',
  // Formulas: only what they came to counts. Texts of numbers, as their formats show them.
  'stringify_formula parse_Rgce parse_RgbExtra SSF_format',
  // What stands beside cells.
  'parse_xls_props parse_compobj parse_chart parse_vml parse_drawing',
  'parse_comments_xml parse_tcmnt_xml parse_people_xml parse_xlmeta_xml parse_theme_xml write_theme',
].flatMap((names) => names.split(' '))

/**
 * Offers SheetJS without what isn't used and no bundler can tell (157 kB stay), in the build, in development and in tests
 * alike: damaged properties and formulas, which nobody asks for, may keep the whole of it busy for ever.
 */
export function smallSheetJs(): Plugin {
  return {
    name: 'rowhouse-small-sheetjs',
    resolveId: (id) => (id === ID ? RESOLVED : null),
    load: (id) =>
      id === RESOLVED ? { code: withoutUnused(readFileSync(SHEETJS, 'utf8')), moduleSideEffects: false } : null,
  }
}

/** @throws {Error} when one of them isn't where it was known to be */
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
