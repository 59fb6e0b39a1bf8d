const NAMESPACE = /progid="Excel\.Sheet"|urn:schemas-microsoft-com:office:spreadsheet/i

/** Whether a text that is markup has a workbook in it, whatever comes before: no web page has. */
export const hasXmlWorkbook = (text: string): boolean => /<([a-z]+:)?Workbook\b/i.test(text) && NAMESPACE.test(text)

/** Whether a text is XML Spreadsheet 2003, which programs save as .xls and as .xml. */
export const isXmlWorkbook = (text: string): boolean =>
  /^(<\?[^>]*>|<!--((?!-->)[^])*-->|\s)*<([a-z]+:)?Workbook\b/i.test(text) && NAMESPACE.test(text)
