import type { EngineError } from '../../errors.ts'
import { passwordProtected } from '../xlsx/ole.ts'
import { corrupt } from '../xlsx/zip.ts'

const BOF = new Set([0x0009, 0x0209, 0x0409, 0x0809])
const EOF = 0x000a
const FILE_PASS = 0x002f
const CODE_PAGE = 0x0042
const BOUND_SHEET = 0x0085

/** Code pages of Windows and the Macintosh, with the names used by `TextDecoder` or by us. */
const ENCODINGS: ReadonlyMap<number, string> = new Map([
  [437, 'ibm437'],
  [850, 'ibm850'],
  [852, 'ibm852'],
  [866, 'ibm866'],
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10_000, 'macintosh'],
  [10_007, 'x-mac-cyrillic'],
  [0x8000, 'macintosh'],
  [65_001, 'utf-8'],
])

export interface RecordFacts {
  /** 8 since Excel 97; 5, and 2 to 4, in earlier versions. */
  readonly version: number
  /** Encoding of texts before version 8. */
  readonly encoding: string
}

/**
 * Checks a workbook's records, each with a type, a length and data, since SheetJS silently reads as much as there is of
 * a truncated stream. https://learn.microsoft.com/openspecs/office_file_formats/ms-xls
 * @throws {EngineError} `corrupt-file`, `password-protected`
 */
export function checkRecords(stream: Uint8Array, fileName: string): RecordFacts {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength)
  const starts: number[] = []
  let version = 0
  let encoding = 'windows-1252'
  const end = walk(view, 0, (type, at, length) => {
    if (version === 0) version = versionOf(view, type, at)
    if (type === FILE_PASS) throw passwordProtected(fileName)
    if (type === CODE_PAGE && length >= 2) encoding = encodingOf(view.getUint16(at, true)) ?? encoding
    if (type === BOUND_SHEET && version >= 5 && length >= 4) starts.push(view.getUint32(at, true))
  })
  if (version === 0 || end === null) throw cutShort()
  for (const start of starts) if (walk(view, start, () => undefined) === null) throw cutShort()
  return { version, encoding }
}

/** Walks over a part's records, including nested parts, and returns its end; null if there is none. */
function walk(view: DataView, start: number, visit: (type: number, at: number, length: number) => void): number | null {
  let depth = 0
  for (let at = start; at + 4 <= view.byteLength;) {
    const type = view.getUint16(at, true)
    const length = view.getUint16(at + 2, true)
    const next = at + 4 + length
    if (next > view.byteLength || (depth === 0 && !BOF.has(type))) return null
    visit(type, at + 4, length)
    if (BOF.has(type)) depth++
    else if (type === EOF && --depth === 0) return next
    at = next
  }
  return null
}

function versionOf(view: DataView, type: number, at: number): number {
  if (type !== 0x0809) return type === 0x0009 ? 2 : type === 0x0209 ? 3 : 4
  return view.getUint16(at, true) === 0x0600 ? 8 : 5
}

function encodingOf(page: number): string | undefined {
  if (page >= 1250 && page <= 1258) return `windows-${page}`
  if (page >= 28_592 && page <= 28_606) return `iso-8859-${page - 28_590}`
  return ENCODINGS.get(page)
}

function cutShort(): EngineError {
  return corrupt('The workbook is damaged or cut short: its records end in the middle.')
}
