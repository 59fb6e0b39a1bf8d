import type { FormatId } from '../../../../contract/formats.ts'
import { type ReadSettings, compressedBy } from '../../../../tables/settings.ts'
import { onceAFile } from '../../shared/once-a-file.ts'
import { unpackedFile } from '../../shared/unpacked-file.ts'
import type { EngineContext, FormatReader, SourceRequest } from '../../types.ts'
import type { Workbook } from './book.ts'
import { inspectWorkbook } from './inspect.ts'
import { readWorkbook } from './read.ts'
import type { SourceRow, SourceRows } from '../../../../tables/plan.ts'
import { Ends, shownText } from '../../layout/ends.ts'
import { CellText } from './text/cell-text.ts'
import type { Row } from './row.ts'
import { placeOf } from './settings.ts'

/** A workbook, and the ratio of its unpacked size to the file's. */
interface Opened {
  readonly workbook: Workbook
  readonly growth: number
}

/**
 * Creates a reader of workbooks for any of their formats. A file is inspected, previewed sheet by sheet, and converted
 * with the same shared strings, which are kept as long as the file object exists.
 * @param open rejects with an `EngineError`, or with the signal's reason
 */
export function workbookReader(
  format: FormatId,
  open: (file: File, signal: AbortSignal) => Promise<Workbook>,
): FormatReader {
  const openedOf = onceAFile(async (file, settings: Partial<ReadSettings>, signal: AbortSignal): Promise<Opened> => {
    signal.throwIfAborted()
    const compression = compressedBy(settings)
    const plain = compression ? await unpackedFile(file, compression, signal) : file
    return { workbook: await open(plain, signal), growth: plain.size / file.size }
  })
  return {
    format,
    async inspect(file, given, context) {
      const { workbook, growth } = await openedOf(file, given, context.signal)
      return inspectWorkbook(workbook, format, given, ofFile(context, growth))
    },
    async *read(file, request, context) {
      const { workbook, growth } = await openedOf(file, request.settings, context.signal)
      for await (const batch of readWorkbook(workbook, request, ofFile(context, growth)))
        yield growth === 1 ? batch : { ...batch, bytes: Math.round(batch.bytes / growth) }
    },
    async source(file, request, context) {
      const { workbook } = await openedOf(file, request.settings, context.signal)
      return sourceOf(workbook, request, context)
    },
    convertsTypes: true,
  }
}

/** Progress is counted in bytes of the file, compressed or not. */
const ofFile = (context: EngineContext, growth: number): EngineContext =>
  growth === 1
    ? context
    : { ...context, progress: ({ bytes, rows }) => context.progress({ bytes: Math.round(bytes / growth), rows }) }

/** The first and last non-empty rows of a table's sheet, as shown to a person. */
async function sourceOf(workbook: Workbook, request: SourceRequest, context: EngineContext): Promise<SourceRows> {
  const { sheet } = placeOf(workbook, request)
  const ends = new Ends<Row>()
  const take = (row: Row): void => {
    if (row.count > 0) ends.add(() => row.copy())
  }
  const stream = await sheet.open(take, context.signal)
  try {
    while (await stream.step());
  } finally {
    await stream.close()
  }
  const cells = new CellText(workbook)
  return ends.rows((row) => printed(row, cells))
}

function printed(row: Row, texts: CellText): SourceRow {
  const cells: (string | null)[] = []
  for (let slot = 0; slot < row.count; slot++) {
    while (cells.length < row.column[slot]) cells.push(null)
    cells[row.column[slot]] = shownText(texts.rawString(row, slot))
  }
  return { number: row.number, cells }
}
