import type { Language } from '../../../contract/snippets/index.ts'

/** `http`: headers, one per line. */
export type CodeLanguage = Language | 'json' | 'http'

const KINDS = ['comment', 'name', 'string', 'number', 'keyword'] as const

interface Token {
  readonly kind: 'plain' | (typeof KINDS)[number]
  readonly text: string
}

const STRING = `"(?:[^"\\\\\\n]|\\\\.)*"`
const NUMBER = '(?<number>-?\\b\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?\\b)'
const words = (...names: readonly string[]): string => `\\b(?<keyword>${names.join('|')})\\b`

/** One named group for each kind of token in the language. */
const PATTERNS: Readonly<Record<CodeLanguage, RegExp>> = {
  http: /^(?<name>[\w-]+)(?=:)/gm,
  json: new RegExp(`(?<name>${STRING}(?=\\s*:))|(?<string>${STRING})|${NUMBER}|${words('true', 'false', 'null')}`, 'g'),
  curl: /(?<comment>^#.*$)|(?<string>"(?:[^"\\]|\\.)*"|'[^']*')|(?<keyword>\b(?:curl|jq|set|printf)\b|(?<= )--[\w-]+)/gm,
  javascript: new RegExp(
    `(?<comment>^//.*$)|(?<string>${STRING}|\`[^\`]*\`)|${NUMBER}|${words('const', 'await', 'if', 'new', 'throw', 'return', 'async', 'function', 'import', 'from', 'null', 'true', 'false')}`,
    'gm',
  ),
  python: new RegExp(
    `(?<comment>^#.*$)|(?<string>f?${STRING})|${NUMBER}|${words('import', 'def', 'if', 'not', 'raise', 'return', 'with', 'open', 'as', 'None', 'True', 'False')}`,
    'gm',
  ),
}

/** Splits code into tokens of one color. Joined, their texts equal the code. */
export function highlight(code: string, language: CodeLanguage): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  for (const match of code.matchAll(PATTERNS[language])) {
    if (match.index > at) tokens.push({ kind: 'plain', text: code.slice(at, match.index) })
    const kind = KINDS.find((one) => match.groups?.[one] !== undefined) ?? 'plain'
    tokens.push({ kind, text: match[0] })
    at = match.index + match[0].length
  }
  if (at < code.length) tokens.push({ kind: 'plain', text: code.slice(at) })
  return tokens
}
