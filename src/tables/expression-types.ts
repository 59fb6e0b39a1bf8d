import { TypeParser, type ColumnType } from './types.ts'

/** Replaces a type that tables can't hold: enumerations, unions, TIME WITH TIME ZONE, bits. */
type OtherType = (name: string) => ColumnType

/**
 * As `parseType`, for the types of expressions.
 * @param other replaces types that tables can't hold, and the engine's JSON, which keeps white space and has its own
 * nulls
 * @throws {TypeNameError} if it isn't a type, or has fields without names
 */
export const parseTypeOr = (text: string, other: OtherType): ColumnType => new ExpressionTypes(text, other).parse()

class ExpressionTypes extends TypeParser {
  private readonly other: OtherType

  constructor(text: string, other: OtherType) {
    super(text)
    this.other = other
  }

  protected override base(): ColumnType {
    this.space()
    // DuckDB calls the type of NULL "NULL", with quotes.
    if (this.peek() === '"') return this.other(this.quoted())
    const start = this.at
    const word = this.word().toUpperCase()
    if (word === 'JSON' || this.skipOther(word)) return this.other(word === 'TIME' ? 'TIME WITH TIME ZONE' : word)
    this.at = start
    return super.base()
  }

  protected override unknown(word: string): ColumnType {
    return this.other(word)
  }

  /** Skips the rest of the name of a type that tables can't hold. */
  private skipOther(word: string): boolean {
    const zone = word === 'TIME' ? /^\s+with\s+time\s+zone\b/i.exec(this.text.slice(this.at)) : null
    if (zone) {
      this.at += zone[0].length
      return true
    }
    if (word !== 'ENUM' && word !== 'UNION') return false
    for (let depth = 0; this.at < this.text.length;) {
      const piece = /^(?:'(?:[^']|'')*'|"(?:[^"]|"")*"|[()]|[^'"()]+)/.exec(this.text.slice(this.at))?.[0]
      if (piece === undefined) throw this.error()
      this.at += piece.length
      if (piece === '(') depth++
      else if (piece === ')' && --depth === 0) return true
    }
    throw this.error()
  }
}
