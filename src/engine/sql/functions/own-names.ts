import { AS_NULLABLE } from './date-trunc.ts'

/** What calls of our functions are called by the engine itself. */
const FORMS: Readonly<Record<string, (args: readonly string[]) => string>> = {
  __zone_cast: ([value]) => `CAST(${value} AS TIMESTAMP WITH TIME ZONE)`,
  __zone_try_cast: ([value]) => `TRY_CAST(${value} AS TIMESTAMP WITH TIME ZONE)`,
  __zone_date: ([value]) => `CAST(${value} AS DATE)`,
  __zone_plus: ([left, right]) => `(${left} + ${right})`,
  __zone_plus_to: ([left, right]) => `(${left} + ${right})`,
  __zone_minus: ([left, right]) => `(${left} - ${right})`,
  __zone_between: ([left, right]) => `(${left} - ${right})`,
  __zone_own: ([value]) => value,
  __zone_clock: ([value]) => value,
  __zoned_clock: ([value]) => value,
  __zone_fill: ([value]) => value,
  __zoned_fill: ([value]) => value,
  __json_made: ([name]) => name.slice(1, -1).replaceAll("''", "'"),
  [AS_NULLABLE]: ([value]) => value,
  __zoned_timezone_of: ([value, zone]) => `timezone(${zone}, ${value})`,
}
/** Functions whose names are words of the grammar: the engine puts them in quotes. */
const WORDS = new Set(
  'century day decade hour microsecond millennium millisecond minute month quarter range second week year'.split(' '),
)
const CALL = /\b(__zoned?_\w+|__json_made|__as_nullable)\(/

/** A column's name, as it would be if the engine's own functions stood in the place of ours: see `zones/edits.ts`. */
export function engineName(name: string): string {
  const call = CALL.exec(name)
  if (!call) return name
  const [opened, own] = call
  const from = call.index + opened.length
  const { args, end } = argumentsIn(name, from)
  const before = name.slice(0, call.index)
  const plain = own.replace(/^__zoned?_/, '')
  const form = FORMS[own] ?? ((all) => `${WORDS.has(plain) ? `"${plain}"` : plain}(${all.join(', ')})`)
  return before + form(args.map(engineName)) + engineName(name.slice(end))
}

/** What stands between the commas behind an opening parenthesis, and where that closes. */
function argumentsIn(text: string, from: number): { args: string[]; end: number } {
  const args: string[] = []
  let depth = 0
  let first = from
  let quote = ''
  for (let i = from; i < text.length; i++) {
    const letter = text[i]
    if (quote !== '') quote = letter === quote ? '' : quote
    else if (letter === "'" || letter === '"') quote = letter
    else if ('([{'.includes(letter)) depth++
    else if (depth === 0 && (letter === ',' || letter === ')')) {
      args.push(text.slice(first, i).trim())
      first = i + 1
      if (letter === ')') return { args, end: i + 1 }
    } else if (')]}'.includes(letter)) depth--
  }
  return { args: [...args, text.slice(first)], end: text.length }
}
