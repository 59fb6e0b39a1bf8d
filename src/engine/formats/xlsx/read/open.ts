import { openWorkbook, type Workbook } from './workbook.ts'

/*
 * A file is inspected, previewed sheet by sheet, converted, each with the same shared strings: they're kept for as long
 * as the file's object is.
 */
const OPENED = new WeakMap<File, Promise<Workbook>>()

/**
 * The file's workbook, opened once.
 * @throws {EngineError}, or the signal's reason
 */
export async function workbookOf(file: File, signal: AbortSignal): Promise<Workbook> {
  signal.throwIfAborted()
  const known = OPENED.get(file)
  if (known) {
    // Another call may have been cancelled in the middle of opening it; that is no failure of this one.
    const workbook = await known.catch(() => null)
    if (workbook) return workbook
  }
  const opening = openWorkbook(file, signal)
  OPENED.set(file, opening)
  try {
    return await opening
  } catch (error) {
    if (OPENED.get(file) === opening) OPENED.delete(file)
    throw error
  }
}
