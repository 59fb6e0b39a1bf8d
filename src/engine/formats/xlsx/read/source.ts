import type { SourceRow, SourceRows } from '../../../../tables/plan.ts'
import { Ends, shownText } from '../../layout/ends.ts'
import type { EngineContext, SourceRequest } from '../../types.ts'
import { CellText } from './cell-text.ts'
import type { Workbook } from './book.ts'
import type { Row } from './row.ts'
import { placeOf } from './settings.ts'

/** The first and last rows of a table's sheet that hold something, as a person would read them. */
export async function sourceOf(
  workbook: Workbook,
  request: SourceRequest,
  context: EngineContext,
): Promise<SourceRows> {
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
