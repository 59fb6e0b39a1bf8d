import type { ScriptStatement } from './session-types.ts'
import { isSemicolon, tokensOf, type Token, type Tokens } from './statement.ts'

/** A parameter where it stands: `$name`, in UTF-16 code units. */
export interface ParameterUse {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** White space and comments alone. */
const BLANK = /^(?:\s|--[^\n]*|\/\*[^]*?\*\/)*$/

/**
 * A script's statements.
 * @param found by DuckDB's tokenizer, which stops at a quote that never closes: what follows is of the last statement
 */
export function splitScript(script: string, found: Tokens): ScriptStatement[] {
  const statements: ScriptStatement[] = []
  let own: Token[] = []
  let after = 0
  const end = (to: number): void => {
    const rest = script.slice(after, to)
    if (own.length > 0 || !BLANK.test(rest)) {
      const from = own[0]?.start ?? after + rest.length - rest.trimStart().length
      const text = script.slice(from, to).trimEnd()
      statements.push({ from, to: from + text.length, text, parameters: parameterNames(own) })
    }
    own = []
    after = to + 1
  }
  for (const token of tokensOf(script, found)) {
    if (isSemicolon(token)) end(token.start)
    else own.push(token)
  }
  end(script.length)
  return statements
}

function parameterNames(tokens: readonly Token[]): string[] {
  return [...new Set(parameterUses(tokens).map(({ name }) => name))]
}

/** The parameters among a statement's tokens, in their order. */
export function parameterUses(tokens: readonly Token[]): ParameterUse[] {
  return tokens.flatMap((token, i) => {
    const name = tokens[i + 1]
    const isName = name?.kind === 'identifier' || name?.kind === 'keyword'
    // `$ a` is none, and `$1` has no name.
    if (token.text !== '$' || !isName || name.start !== token.start + 1 || name.text.startsWith('"')) return []
    return [{ name: name.text, from: token.start, to: name.start + name.text.length }]
  })
}
