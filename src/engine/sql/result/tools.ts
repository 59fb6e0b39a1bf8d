import { summarizeCells } from './cell-summary.ts'
import { columnValues } from './column-values.ts'
import { compareRows } from './compare.ts'
import { formatCells } from './copy.ts'
import { findCells } from './find.ts'
import { createResultSet } from './open.ts'
import { rowsResult } from './rows.ts'
import { columnStats } from './stats/column-stats.ts'
import type { ResultTools } from './types.ts'

export const tools: ResultTools = {
  createResultSet,
  rowsResult,
  columnStats,
  formatCells,
  summarizeCells,
  compareRows,
  columnValues,
  findCells,
}
