import { FormatTable } from '../xlsx/read/styles.ts'

/** A number format, such as a `number:number-style`. */
interface DataStyle {
  readonly element: string
  /** Whether hours may exceed a day. */
  readonly overflows: boolean
  /** As a spreadsheet format code with quoted texts; null if there's no such code: fractions, thousands. */
  code: string | null
  readonly maps: { readonly condition: string; readonly name: string }[]
}

interface CellStyle {
  readonly data: string | undefined
  readonly parent: string | undefined
}

const TIME = 'hh:mm:ss'
const DURATION = '[h]:mm:ss'
/** Maximum number of digits in a style's code. */
const MAX_DIGITS = 40
/** Maximum length of a chain of parent styles. */
const MAX_PARENTS = 16

/** Collects style elements, and provides the number formats of cell styles. */
export class OdsStyles {
  readonly table = new FormatTable()
  /** The day from which dates are counted. */
  firstDay = '1899-12-30'
  private readonly data = new Map<string, DataStyle>()
  private readonly cells = new Map<string, CellStyle>()
  private readonly hidden = new Set<string>()
  private readonly known = new Map<string, number>()
  private current: DataStyle | null = null
  /** The digits of a number, and the texts embedded in it, by the number of digits that follow. */
  private digits = 0
  private embedded: { readonly position: number; text: string }[] = []
  private into: 'text' | 'digits' | null = null
  private ownStyle = ''

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    const { current } = this
    if (/^(?:number|percentage|currency|time)-style$/.test(name)) {
      this.current = {
        element: name,
        overflows: attributes.get('truncate-on-overflow') === 'false',
        code: name === 'number-style' ? '' : null,
        maps: [],
      }
      this.data.set(attributes.get('name') ?? '', this.current)
    } else if (name === 'style') {
      this.ownStyle = attributes.get('name') ?? ''
      const style = { data: attributes.get('data-style-name'), parent: attributes.get('parent-style-name') }
      if (attributes.get('family') === 'table-cell') this.cells.set(this.ownStyle, style)
    } else if (name === 'table-properties') {
      if (attributes.get('display') === 'false') this.hidden.add(this.ownStyle)
    } else if (current) {
      this.part(current, name, attributes)
    }
  }

  private part(current: DataStyle, name: string, attributes: ReadonlyMap<string, string>): void {
    if (name === 'number') {
      const has = (key: string): boolean => Number(attributes.get(key) ?? 0) > 0
      if (has('decimal-places') || has('min-decimal-places') || attributes.get('grouping') === 'true')
        current.code = null
      this.digits = Math.min(MAX_DIGITS, Number(attributes.get('min-integer-digits') ?? 0))
      this.embedded = []
    } else if (name === 'embedded-text') {
      this.embedded.push({ position: Math.min(MAX_DIGITS, Number(attributes.get('position') ?? 0)), text: '' })
      this.into = 'digits'
    } else if (name === 'text') {
      this.into = 'text'
    } else if (name === 'map') {
      current.maps.push({
        condition: attributes.get('condition') ?? '',
        name: attributes.get('apply-style-name') ?? '',
      })
    } else if (name === 'fraction' || name === 'scientific-number') {
      current.code = null
    }
  }

  text(text: string): void {
    const { current } = this
    const between = this.embedded.at(-1)
    if (this.into === 'text' && current && current.code !== null) current.code += quoted(text)
    else if (this.into === 'digits' && between) between.text += text
  }

  close(name: string): void {
    const { current } = this
    if (name === 'text' || name === 'embedded-text') this.into = null
    else if (name === 'number' && current) {
      if (current.code !== null) current.code += this.number()
      this.embedded = []
    } else if (name.endsWith('-style')) this.current = null
  }

  private number(): string {
    const length = Math.max(this.digits, 1, ...this.embedded.map(({ position }) => position + 1))
    let code = ''
    for (let left = length; left > 0; left--) {
      code += this.embedded.filter(({ position }) => position === left && left < length).map(({ text }) => quoted(text))
      code += left <= this.digits ? '0' : '#'
    }
    return code
  }

  isHidden(tableStyle: string): boolean {
    return this.hidden.has(tableStyle)
  }

  /** Index of a cell style's format in `table`. */
  of(name: string): number {
    let number = this.known.get(name)
    if (number === undefined) {
      number = this.table.of(this.formatOf(name))
      this.known.set(name, number)
    }
    return number
  }

  /** Index of the format for a time of day, or a duration. */
  timeOf(name: string, isDuration: boolean): number {
    const style = this.dataOf(name)
    return this.table.of(isDuration || (style?.element === 'time-style' && style.overflows) ? DURATION : TIME)
  }

  /** Whether a style shows only the time of day, without the day. */
  isTimeOfDay(name: string): boolean {
    const style = this.dataOf(name)
    return style?.element === 'time-style' && !style.overflows
  }

  private dataOf(name: string): DataStyle | undefined {
    let style = this.cells.get(name)
    for (let i = 0; i < MAX_PARENTS && style && style.data === undefined; i++)
      style = this.cells.get(style.parent ?? '')
    return style?.data === undefined ? undefined : this.data.get(style.data)
  }

  private formatOf(name: string): string | undefined {
    const style = this.dataOf(name)
    if (!style || style.code === null) return undefined
    const sections: string[] = []
    for (const map of style.maps) {
      const code = this.data.get(map.name)?.code
      const [, operator, bound] = /^value\(\)(<=|>=|<|>|=|!=)(-?[0-9.]+)$/.exec(map.condition.replaceAll(' ', '')) ?? []
      if (typeof code !== 'string' || operator === undefined) return undefined
      const isSign = operator === '>=' && bound === '0'
      sections.push(`${isSign ? '' : `[${operator === '!=' ? '<>' : operator}${bound}]`}${code}`)
    }
    return [...sections, style.code].join(';')
  }
}

const quoted = (text: string): string => (text === '' ? '' : `"${text.replaceAll('"', '')}"`)
