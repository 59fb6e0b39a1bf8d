import { type CodeFormat, codeFormat } from './code-format.ts'
import { AS_NUMBER, type FormatKind, formatKind, type Styles } from './styles.ts'

/** The number formats of a workbook, numbered as they come. */
export class FormatTable implements Styles {
  readonly formats: FormatKind[] = [AS_NUMBER]
  readonly codes = new Map<number, CodeFormat>()
  private readonly numbers = new Map<string, number>()

  /** A cell's style. */
  of(format: string | undefined): number {
    if (format === undefined || format === 'General') return 0
    let number = this.numbers.get(format)
    if (number === undefined) {
      const kind = formatKind(format)
      const code = kind === AS_NUMBER ? codeFormat(format) : null
      number = this.formats.push(kind) - 1
      if (code) this.codes.set(number, code)
      this.numbers.set(format, number)
    }
    return number
  }
}
