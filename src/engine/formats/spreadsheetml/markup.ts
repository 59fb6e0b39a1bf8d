const NAMESPACE = /progid="Excel\.Sheet"|urn:schemas-microsoft-com:office:spreadsheet/i

/** Whether markup contains a workbook, whatever precedes it. Web pages don't. */
export const hasXmlWorkbook = (text: string): boolean => /<([a-z]+:)?Workbook\b/i.test(text) && NAMESPACE.test(text)

/** Whether a text is XML Spreadsheet 2003, which programs save as .xls and as .xml. */
export const isXmlWorkbook = (text: string): boolean =>
  /^(<\?[^>]*>|<!--((?!-->)[^])*-->|\s)*<([a-z]+:)?Workbook\b/i.test(text) && NAMESPACE.test(text)
