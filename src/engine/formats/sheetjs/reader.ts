import { workbookReader } from '../xlsx/read/open.ts'
import { openXls } from './xls.ts'
import { openXlsb } from './xlsb.ts'

export const xlsReader = workbookReader('xls', openXls)
export const xlsbReader = workbookReader('xlsb', openXlsb)
