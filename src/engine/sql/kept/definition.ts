import { foldIdentifier, wordsOf, type Statement } from '../statement.ts'
import { refused } from '../gate/refusals.ts'

/** How a table is made, as the engine says it: its columns with their types, defaults and constraints. */
export interface Definition {
  /** Between its parentheses, and what follows. */
  readonly columns: string
  /** Names of the columns that have values of their own, as they're written. */
  readonly stored: readonly string[]
  /** The statement that makes such a table in another place. */
  create(place: string): string
  /**
   * Fails where the table is made of something that doesn't stay.
   * @param isMacro whether a name, as it's compared, is of a macro of the session
   */
  assertKept(isMacro: (name: string) => boolean): void
}

/** Reads the statement that the engine gives for a table. */
export function readDefinition({ text, tokens }: Statement): Definition {
  const word = wordsOf(tokens)
  const open = tokens.findIndex((token) => token.text === '(')
  const columns = text.slice(tokens[open].start)
  const stored: string[] = []
  let depth = 0
  let begins = open + 1
  for (const [i, token] of tokens.entries()) {
    if (i < open) continue
    if (token.text === '(' || token.text === '[') depth++
    else if (token.text === ')' || token.text === ']') depth--
    const ends = depth === 0 || (depth === 1 && token.text === ',')
    if (!ends || i <= open) continue
    if (isColumn(begins) && !isComputed(begins, i)) stored.push(tokens[begins].text)
    begins = i + 1
    if (depth === 0) break
  }
  return {
    columns,
    stored,
    create: (place) => `CREATE TABLE ${place}${columns}`,
    assertKept(isMacro) {
      for (const [i, token] of tokens.entries()) {
        if (word(i) === 'references')
          throw refused(
            'A table in my can’t have a foreign key: each of them stays by itself.',
            'Leave out REFERENCES.',
          )
        if (i <= open || tokens[i + 1]?.text !== '(' || token.kind === 'operator' || token.kind === 'string') continue
        const name = foldIdentifier(token.text)
        if (name === 'nextval' || isMacro(name))
          throw refused(
            `A table in my can’t be made of ${token.text}(): what it’s about is gone when this tab closes.`,
            'Leave it out, and give the values in INSERT.',
          )
      }
    },
  }

  function isColumn(at: number): boolean {
    // A column of such a name is in quotes.
    return !/^(?:check|constraint|foreign|primary|unique)$/.test(word(at))
  }

  function isComputed(from: number, to: number): boolean {
    let within = 0
    for (let i = from; i < to; i++) {
      if (tokens[i].text === '(') within++
      else if (tokens[i].text === ')') within--
      else if (within === 0 && i > from && word(i) === 'generated' && word(i + 1) === 'always') return true
    }
    return false
  }
}

/** The statement that fills a table with another's rows. */
export function copiedFrom(source: string, target: string, { stored }: Definition): string {
  const list = stored.join(', ')
  return `INSERT INTO ${target} (${list}) SELECT ${list} FROM ${source}`
}
