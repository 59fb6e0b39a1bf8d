/** Cell formats (indexes into `cellXfs`) that don't depend on the columns. */
export const STYLE = {
  general: 0,
  header: 1,
  text: 2,
  integer: 3,
  date: 4,
  dateTime: 5,
  dateTimeFraction: 6,
  time: 7,
  timeFraction: 8,
  duration: 9,
  durationFraction: 10,
} as const

const FIXED_FORMATS = [
  'yyyy\\-mm\\-dd',
  'yyyy\\-mm\\-dd\\ hh:mm:ss',
  'yyyy\\-mm\\-dd\\ hh:mm:ss.000',
  'hh:mm:ss',
  'hh:mm:ss.000',
  '[h]:mm:ss',
  '[h]:mm:ss.000',
]
const FIRST_CUSTOM = 164
/** Ids of built-in formats: General, `0`, `@`. */
const BUILT_IN = { general: 0, integer: 1, text: 49 }
/** Excel's maximum of decimal places in a format. */
const MAX_PLACES = 30

/** The workbook's cell formats. */
export class Styles {
  private readonly places: number[] = []

  /** The format with this many decimal places. */
  decimal(scale: number): number {
    if (scale === 0) return STYLE.integer
    const digits = Math.min(scale, MAX_PLACES)
    if (!this.places.includes(digits)) this.places.push(digits)
    return STYLE.durationFraction + 1 + this.places.indexOf(digits)
  }

  xml(): string {
    const formats = [...FIXED_FORMATS, ...this.places.map((digits) => `0.${'0'.repeat(digits)}`)]
    const numFmts = formats.map((code, i) => `<numFmt numFmtId="${FIRST_CUSTOM + i}" formatCode="${code}"/>`)
    const xfs = [
      xf(BUILT_IN.general),
      `<xf numFmtId="${BUILT_IN.text}" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`,
      xf(BUILT_IN.text),
      xf(BUILT_IN.integer),
      ...formats.map((_, i) => xf(FIRST_CUSTOM + i)),
    ]
    const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>'
    return (
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n` +
      `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` +
      `<numFmts count="${formats.length}">${numFmts.join('')}</numFmts>` +
      `<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>` +
      `<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
      `<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
      `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
      `<cellXfs count="${xfs.length}">${xfs.join('')}</cellXfs>` +
      `<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>` +
      `</styleSheet>`
    )
  }
}

function xf(format: number): string {
  const apply = format === 0 ? '' : ' applyNumberFormat="1"'
  return `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0"${apply}/>`
}
