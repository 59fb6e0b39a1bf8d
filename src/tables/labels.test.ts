import { describe, expect, it } from 'vitest'
import { formatName } from './labels.ts'

describe('what a format is called', () => {
  it('is what the file is, whatever its name says', () => {
    expect(formatName('xls')).toBe('Excel 97–2003')
    expect(formatName('xls', [{ code: 'macros' }, { code: 'web-page' }])).toBe('Web page (HTML)')
    expect(formatName('xls', [{ code: 'xml-workbook' }])).toBe('XML Spreadsheet 2003')
    expect(formatName('unheard-of')).toBe('unheard-of')
  })
})
