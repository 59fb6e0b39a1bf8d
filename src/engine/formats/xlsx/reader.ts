import { workbookReader } from './read/open.ts'
import { openWorkbook } from './read/workbook.ts'

/** Streams Excel workbooks (.xlsx, .xlsm). Only their shared strings are held in memory. */
export const xlsxReader = workbookReader('xlsx', openWorkbook)
