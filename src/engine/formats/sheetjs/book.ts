import type { Note } from '../../../tables/plan.ts'
import { freeName, MAX_SHEETS, type Sheet, type Workbook } from '../xlsx/read/book.ts'
import { FormatTable } from '../xlsx/read/styles.ts'
import { NO_STRINGS } from '../xlsx/read/strings.ts'
import { tooManySheets } from '../xlsx/read/workbook.ts'
import { corrupt } from '../xlsx/zip.ts'
import { CellRows } from './cell-rows.ts'
import type { JsBook } from './library.ts'

/** Decodes texts that are stored as bytes: old workbooks have an encoding. */
export type Spell = (text: string) => string

const AS_IS: Spell = (text) => text

/**
 * Wraps what SheetJS read for our own stages.
 * @param bytes size of the file
 * @throws {EngineError} `corrupt-file` if a sheet is missing, `too-large` if there are too many
 */
export function workbookFrom(book: JsBook, bytes: number, notes: readonly Note[], spell: Spell = AS_IS): Workbook {
  const formats = new FormatTable()
  const date1904 = book.Workbook?.WBProps?.date1904 === true
  const sheets: Sheet[] = []
  const allNotes = [...notes]
  const names = new Set<string>()
  if (book.SheetNames.length > MAX_SHEETS) throw tooManySheets()
  for (const [i, stored] of book.SheetNames.entries()) {
    const name = freeName(spell(stored), names)
    // SheetJS omits sheets that it can't read.
    const sheet = Object.hasOwn(book.Sheets, stored) ? book.Sheets[stored] : undefined
    if (!sheet) throw corrupt(`The workbook is damaged: the contents of sheet “${name}” can’t be read.`)
    if (sheet['!type'] !== undefined) {
      allNotes.push({ code: 'no-table-sheet', message: `Sheet “${name}” is a chart or a macro: it has no cells.` })
      continue
    }
    const own = book.Workbook?.Sheets?.find((entry) => entry.name === stored) ?? book.Workbook?.Sheets?.[i]
    const share = Math.round(bytes / book.SheetNames.length)
    sheets.push({
      name,
      hidden: (own?.Hidden ?? 0) > 0,
      bytes: share,
      open: async (onRow, signal) => new CellRows({ sheet, name, bytes: share, formats, spell, onRow, signal }),
    })
  }
  if (sheets.length === 0) throw corrupt('The workbook is damaged: it lists no sheets.')
  return { sheets, date1904, styles: formats, strings: NO_STRINGS, notes: allNotes }
}

/** Errors of SheetJS mean damage: files that aren't workbooks were refused before. */
export function attempt<T>(reading: () => T): T {
  try {
    return reading()
  } catch (cause) {
    throw corrupt('The workbook is damaged or cut short: its records can’t be read.', undefined, cause)
  }
}
