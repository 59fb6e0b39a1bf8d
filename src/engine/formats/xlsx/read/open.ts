import type { FormatId } from '../../../../contract/formats.ts'
import type { FormatReader } from '../../types.ts'
import type { Workbook } from './book.ts'
import { inspectWorkbook } from './inspect.ts'
import { readWorkbook } from './read.ts'
import { sourceOf } from './source.ts'

/**
 * A reader of workbooks, whichever format they're stored in. A file is inspected, previewed sheet by sheet, converted, each
 * with the same shared strings: they're kept for as long as the file's object is.
 * @param open rejects with an `EngineError`, or with the signal's reason
 */
export function workbookReader(
  format: FormatId,
  open: (file: File, signal: AbortSignal) => Promise<Workbook>,
): FormatReader {
  const opened = new WeakMap<File, Promise<Workbook>>()
  async function workbookOf(file: File, signal: AbortSignal): Promise<Workbook> {
    signal.throwIfAborted()
    // Another call may have been cancelled in the middle of opening it; that is no failure of this one.
    const known = await opened.get(file)?.catch(() => null)
    if (known) return known
    const opening = open(file, signal)
    opened.set(file, opening)
    try {
      return await opening
    } catch (error) {
      if (opened.get(file) === opening) opened.delete(file)
      throw error
    }
  }
  return {
    format,
    async inspect(file, given, context) {
      return inspectWorkbook(await workbookOf(file, context.signal), format, given, context)
    },
    async *read(file, request, context) {
      yield* readWorkbook(await workbookOf(file, context.signal), request, context)
    },
    async source(file, request, context) {
      return sourceOf(await workbookOf(file, context.signal), request, context)
    },
    convertsTypes: true,
  }
}
