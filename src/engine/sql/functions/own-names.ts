import { OF_EACH_PATH } from './json/macros.ts'
import { withoutPlace } from '../gate/temporary.ts'
import type { ScalarFunction } from './scalar-functions.ts'

/** A value of EXECUTE, with the name of what it stands for. */
export const GIVEN = '__given'
export const GIVEN_MACRO = `CREATE MACRO memory.main.${GIVEN}(name, value) AS value;`

/** What calls of our functions are called by the engine itself. */
const FORMS: Record<string, (args: readonly string[]) => string> = {
  __clock: ([value]) => value,
  __current_path: (args) => `current_setting(${args.join(', ')})`,
  __current_zone: (args) => `current_setting(${args.join(', ')})`,
  [GIVEN]: ([name]) => `$${name.slice(1, -1)}`,
  __date_parts: ([list, value]) => `date_part(${list}, ${value})`,
  __json_array: ([list]) => `json_array(${itemsOf(list)})`,
  __json_cast: ([value]) => value,
  __json_is: ([value]) => value,
  __json_item: ([value]) => value,
  __json_lists: (args) => `json_extract(${args.join(', ')})`,
  __json_lists_text: (args) => `json_extract_string(${args.join(', ')})`,
  __json_made: ([name]) => name.slice(1, -1).replaceAll("''", "'"),
  __json_object: ([list]) => `json_object(${itemsOf(list)})`,
  __json_pair: ([key, value]) => `${key}, ${value}`,
  __json_tried: ([value]) => value,
  __zone_formats: ([value, formats]) => `strptime(${value}, ${formats})`,
  __zone_strptime: ([value, , written]) => `strptime(${value}, ${written})`,
  __zone_try_formats: ([value, formats]) => `try_strptime(${value}, ${formats})`,
  __zone_try_strptime: ([value, , written]) => `try_strptime(${value}, ${written})`,
}
for (const name of OF_EACH_PATH) FORMS[`__${name}_each`] = (args) => `${name}(${args.join(', ')})`

/** A call of a function of ours. */
export const CALL = new RegExp(`\\b(${Object.keys(FORMS).join('|')})\\(`)

/** Whether columns of a statement may have names of ours. */
export const callsOwn = (text: string): boolean => CALL.test(text)

/** Of a list that the engine writes as a call, what stands in it. */
const itemsOf = (list: string): string => list.replace(/^main\.list_value\(([^]*)\)$/, '$1')

/** A column's name, as it would be if the engine's own functions stood in the place of ours: see `zones/edits.ts`. */
export function engineName(given: string): string {
  const name = withoutPlace(given)
  const call = CALL.exec(name)
  if (!call) return name
  const [opened, own] = call
  const from = call.index + opened.length
  const { args, end } = argumentsIn(name, from)
  const before = name.slice(0, call.index)
  return before + FORMS[own](args.map(engineName)) + engineName(name.slice(end))
}

/** For names that statements give as values. */
export const ENGINE_NAME: ScalarFunction = {
  name: '__engine_name',
  call: ([name], row, out) => {
    const text = name.text(row)
    if (text !== null) out.text(engineName(decoder.decode(text)))
    return text !== null
  },
}
const decoder = new TextDecoder()

/** What stands between the commas after an opening parenthesis, and where that closes. */
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
