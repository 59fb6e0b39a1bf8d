import { expect, test } from 'vitest'
import { classify } from './statements.ts'
import { createWords } from './dialect.ts'
import { tokenize } from './lexer.ts'

const words = createWords({
  keywords: [],
  types: ['DATE', 'VARCHAR', 'INTEGER', 'DECIMAL'],
  functions: [{ name: 'date', kind: 'scalar', signatures: [], description: '' }],
})

function shown(text: string): string[] {
  const tokens = tokenize(text)
  return classify(text, tokens, words).flatMap((name, at) =>
    name ? `${name} ${text.slice(tokens[at]?.from, tokens[at]?.to)}` : [],
  )
}

test.each([
  ['select date from t', ['keyword select', 'keyword from']],
  ["select DATE '2024-01-31'", ['keyword select', 'type DATE', "string '2024-01-31'"]],
  ['x::date', ['operator ::', 'type date']],
  ['cast(x as varchar)', ['keyword cast', 'keyword as', 'type varchar']],
  ['date(x)', ['function date']],
  ['my_macro(x)', ['function my_macro']],
  ['x in (1)', ['keyword in', 'number 1']],
  ['create table t (day date)', ['keyword create', 'keyword table', 'function t', 'type date']],
  ['t.select', []],
  ['select o. from t', ['keyword select', 'keyword from']],
  ['null', ['constant null']],
  ['$p #1 ?', ['parameter $p', 'parameter #1', 'parameter ?']],
  ["'open", ["open 'open"]],
  ['/* open', ['comment /* open']],
])('%s', (text, expected) => expect(shown(text)).toEqual(expected))
