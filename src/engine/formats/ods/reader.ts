import { workbookReader } from '../xlsx/read/open.ts'
import { openOds } from './workbook.ts'

/** Reads OpenDocument spreadsheets (.ods) as a stream. */
export const odsReader = workbookReader('ods', openOds)
