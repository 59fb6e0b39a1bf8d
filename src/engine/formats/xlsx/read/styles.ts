import { type CodeFormat, codeFormat, unitOf } from './text/code-format.ts'
import { readXml, type XmlVisitor } from '../xml/part.ts'
import type { ZipEntry } from '../../../../lib/zip/read.ts'
import type { ZipArchive } from '../zip.ts'

/** How a number format interprets a cell's number. */
export type FormatKind = typeof AS_NUMBER | typeof AS_DATE | typeof AS_DATETIME | typeof AS_TIME | typeof AS_DURATION
export const AS_NUMBER = 0
export const AS_DATE = 1
export const AS_DATETIME = 2
/** A time of day. */
export const AS_TIME = 3
/** `[h]:mm`: hours may exceed 24. */
export const AS_DURATION = 4

const STYLES_LIMIT = 128 * 1024 * 1024

/** How each cell style (`cellXfs`, by index) interprets numbers. */
export interface Styles {
  readonly formats: readonly FormatKind[]
  /** Formats that show codes, by style. */
  readonly codes: ReadonlyMap<number, CodeFormat>
  /** Units that formats show beside numbers, by style. */
  readonly units: ReadonlyMap<number, string>
}

/** @throws {EngineError} `corrupt-file` */
export async function readStyles(zip: ZipArchive, entry: ZipEntry, signal: AbortSignal): Promise<Styles> {
  const custom = new Map<number, string>()
  const ids: number[] = []
  let inFormats = false
  let inCellStyles = false
  const visitor: XmlVisitor = {
    open(name, attributes) {
      if (name === 'numFmts') inFormats = true
      else if (name === 'cellXfs') inCellStyles = true
      else if (name === 'numFmt' && inFormats) {
        custom.set(Number(attributes.get('numFmtId')), attributes.get('formatCode') ?? '')
      } else if (name === 'xf' && inCellStyles) ids.push(Number(attributes.get('numFmtId') ?? 0))
    },
    close(name) {
      if (name === 'numFmts') inFormats = false
      else if (name === 'cellXfs') inCellStyles = false
    },
  }
  await readXml(zip, entry, STYLES_LIMIT, visitor, signal)
  const table = new FormatTable()
  const known = new Map([...custom].map(([id, code]) => [id, table.of(code)]))
  const codes = new Map<number, CodeFormat>()
  const units = new Map<number, string>()
  const formats = ids.map((id, style) => {
    const format = known.get(id)
    if (format === undefined) return builtInKind(id)
    const code = table.codes.get(format)
    if (code) codes.set(style, code)
    const unit = table.units.get(format)
    if (unit !== undefined) units.set(style, unit)
    return table.formats[format]
  })
  return { formats, codes, units }
}

/** The number formats of a workbook, in order of appearance. */
export class FormatTable implements Styles {
  readonly formats: FormatKind[] = [AS_NUMBER]
  readonly codes = new Map<number, CodeFormat>()
  readonly units = new Map<number, string>()
  private readonly numbers = new Map<string, number>()

  /** The index of a cell's format. */
  of(format: string | undefined): number {
    if (format === undefined || format === 'General') return 0
    let number = this.numbers.get(format)
    if (number === undefined) {
      const kind = formatKind(format)
      const code = kind === AS_NUMBER ? codeFormat(format) : null
      number = this.formats.push(kind) - 1
      if (code) this.codes.set(number, code)
      const unit = kind === AS_NUMBER ? unitOf(format) : null
      if (unit !== null) this.units.set(number, unit)
      this.numbers.set(format, number)
    }
    return number
  }
}

/**
 * Built-in formats, which files only refer to by number: ECMA-376 part 1, 18.8.30. From 27 on they depend on the
 * language; these are the East Asian ones, since other languages don't use them.
 */
export function builtInKind(id: number): FormatKind {
  if (id === 22) return AS_DATETIME
  if (id === 46) return AS_DURATION
  if ((id >= 18 && id <= 21) || id === 32 || id === 33 || id === 45 || id === 47) return AS_TIME
  return (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? AS_DATE : AS_NUMBER
}

/** How a format code such as `[$-409]d. mmm yyyy;@` interprets a positive number. */
export function formatKind(code: string): FormatKind {
  const bare = bareSection(code)
  if (/general/i.test(bare)) return AS_NUMBER
  if (/\[(h+|m+|s+)\]/i.test(bare)) return AS_DURATION
  // The remaining brackets are colors, conditions and languages; E+ and E- are exponents.
  const letters = bare
    .replace(/\[[^\]]*\]/g, '')
    .replace(/e[+-]/gi, '')
    .replace(/am\/pm|a\/p|上午\/下午/gi, 'h')
  const time = /[hs]/i.test(letters)
  const date =
    /[ydb]/i.test(letters) || (/m/i.test(letters) && !time) || (/[eg]/i.test(letters) && !/[0#?]/.test(letters))
  if (date) return time ? AS_DATETIME : AS_DATE
  return time ? AS_TIME : AS_NUMBER
}

/** A format's first section without literal text. */
function bareSection(code: string): string {
  let bare = ''
  for (let i = 0; i < code.length; i++) {
    const char = code.charAt(i)
    if (char === '"') {
      const close = code.indexOf('"', i + 1)
      i = close < 0 ? code.length : close
    } else if (char === '\\' || char === '_' || char === '*') {
      i++
    } else if (char === ';') {
      break
    } else {
      bare += char
    }
  }
  return bare
}
