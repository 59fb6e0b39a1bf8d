import { workbookReader } from './read/open.ts'
import { openWorkbook } from './read/workbook.ts'

/** Reads Excel workbooks (.xlsx, .xlsm) as a stream: only their shared strings are held in memory. */
export const xlsxReader = workbookReader('xlsx', openWorkbook)
