import { quoteText } from '../../../lib/duckdb-sql/names.ts'
import { isWindowFunction } from './remedies.ts'

/* What the engine says of names and types, in plainer words. */

/** Candidates that a message names. */
const NAMED = 3
/** Letters of an expression that a message shows. */
const SHOWN = 60

const LACKING = /^((?:Table )?\w+(?: Function| Macro)?) with name "?([^"]+?)"? does not exist!/
const NO_MATCH = /^No function matches the given name and argument types '([^]*?)\(([^]*)\)'\. You might need/
const NO_CHOICE =
  /^Could not choose a best candidate function for the function call "([^]*?)\(([^]*)\)"\. In order to select/
const NO_FIELDS =
  /^Cannot extract field '([^]*?)' from expression "([^]*?)" because it is not a struct, union, map, or json$/
/** Where it's said to be: in the text as the engine was given it. */
const LINE = /\n*LINE \d+:[^]*$/
const OPERATOR = /^[^\w"\s]+$/
/** What is written as a word. */
const WORDS: Readonly<Record<string, string>> = {
  '~~': 'LIKE',
  '!~~': 'NOT LIKE',
  '~~*': 'ILIKE',
  '!~~*': 'NOT ILIKE',
  '~~~': 'GLOB',
}
const ROWS = /^Type STRUCT\(([^]*)\) does not match with STRUCT\(([^]*)\)\. Cannot cast STRUCTs of different size$/
const MACRO = /^Macro (\w+)\(\) does not support the supplied arguments\.[^]*?Candidate macros:\n([^]*)$/
/** What these messages call a type in memory, not as SQL does. The text that they quote may say anything. */
const CONVERTED =
  /^((?:Failed to cast value: )?Could not convert string '[^]*' to |Overflow in \w+ of )(BOOL|U?INT\d+)(?=$| \(| when )/
const LITERALS = /^(Cannot (?:mix|compare) values of type )(\w+)( (?:and|in) (?:[^]*?type )?)(\w+)/
const DOESNT_FIT =
  /^Type (\w+) (with value \S+ can't be cast because the value is out of range for) the destination type (\w+)/

/** A message about a name or a function's arguments, in our words; null for all others. */
export function plainMessage(message: string): string | null {
  const [, kind, name] = LACKING.exec(message) ?? []
  if (kind !== undefined && name !== undefined) return lacking(kind, name)
  const [, field, owner] = NO_FIELDS.exec(message.replace(LINE, '')) ?? []
  if (field !== undefined && owner !== undefined) {
    const key = quoteText(field)
    // What a macro of ours was put in for isn't shown as it is.
    const [who, value] = /\b__\w/.test(owner) || owner.length > SHOWN ? ['The value', 'value'] : [owner, owner]
    return `${who} has no field ${field}: it isn’t a STRUCT, UNION or MAP. If it’s JSON, write ${value} ->> ${key} for the text there, ${value} -> ${key} for JSON.`
  }
  if (/^Star expression "[^]*" resulted in an empty set of columns/.test(message)) return 'No column fits COLUMNS.'
  const [, right, left] = ROWS.exec(message.replace(LINE, '')) ?? []
  if (right !== undefined && left !== undefined)
    return `A row of ${typesIn(left).length} values can’t be compared with one of ${typesIn(right).length}.`
  const twice = /^Ambiguous reference to table "memory\.main\.([^"]*)" \(duplicate/.exec(message)?.[1]
  if (twice !== undefined) return `Ambiguous reference to table ${twice}: it’s there twice.`
  // What the parser has instead of a message, of LIMIT 5, 10.
  if (message.startsWith('errhint NOT IMPLEMENTED')) return 'This way of writing it isn’t known here.'
  if (message.startsWith('interval cannot be 0!')) return 'The step of a range can’t be 0.'
  const [, macro, forms] = MACRO.exec(message.replace(LINE, '')) ?? []
  if (macro !== undefined && forms !== undefined)
    return `${macro} takes other arguments: ${forms
      .trim()
      .split(/\s*\n\s*/)
      .join(' or ')}.`
  const setting = /^unrecognized configuration parameter "([^"]*)"/.exec(message)?.[1]
  if (setting !== undefined) return `There is no setting ${setting}.`
  const unpivoted = /^(Cannot unpivot columns of types [^]+?) - an explicit cast is required/.exec(message)?.[1]
  if (unpivoted !== undefined) return `${unpivoted}.`
  const [, called, given] = NO_MATCH.exec(message) ?? NO_CHOICE.exec(message) ?? []
  return called === undefined || given === undefined ? null : withoutMatch(called, given, message)
}

/**
 * What there is to be said of something that there isn't.
 * @param kind as the engine calls it: `Type`, `Collation`, `Scalar Function`, ...
 */
export function lacking(kind: string, name: string): string | null {
  switch (kind.toLowerCase()) {
    case 'type':
      return `There is no type ${name} here.`
    case 'collation':
      return `There is no collation ${name} here: there are languages, such as de, sv and en_US, and NOCASE, NOACCENT and NFC, which dots join.`
    case 'index':
    case 'schema':
    case 'sequence':
    case 'view':
      return `There is no ${kind.toLowerCase()} ${name}.`
    case 'macro function':
    case 'table macro function':
      return `There is no macro ${name}.`
    case 'scalar function':
    case 'aggregate function':
    case 'macro':
    case 'function':
      if (name.startsWith('`')) return 'Names can’t be quoted with backticks.'
      if (OPERATOR.test(name)) return `There is no operator ${name} here.`
      if (isWindowFunction(name)) return `${name} is a window function: write OVER (…) after it.`
      return `There is no function ${name} here.`
    case 'table function':
      return `There is no table function ${name} here.`
    default:
      return null
  }
}

function withoutMatch(name: string, given: string, message: string): string {
  const types = typesIn(given)
  const cast = 'Cast what it’s given to a type that it takes.'
  if (OPERATOR.test(name)) {
    const word = WORDS[name] ?? name
    const use = types.length === 2 ? `${types[0]} ${word} ${types[1]}` : `${word} ${types.join(', ')}`
    return `There is no ${use}. Cast one side to a type that fits the other.`
  }
  const rest = message.slice(message.indexOf('\n') + 1)
  const candidates = [...rest.matchAll(/^\t(.+?\(.*\))(?: -> .*)?$/gm)].map(([, each]) => each)
  const fitting = candidates.filter((each) => typesIn(each.slice(each.indexOf('(') + 1, -1)).length === types.length)
  const shown = [...new Set(fitting.length > 0 ? fitting : candidates)]
  const own = `There is no ${name}(${types.join(', ')}).`
  if (shown.length === 0) return `${own} ${cast}`
  const more = shown.length > NAMED ? `, and ${shown.length - NAMED} more` : ''
  const there = `${own} There is ${shown.slice(0, NAMED).join(', ')}${more}.`
  return fitting.length > 0 ? `${there} ${cast}` : there
}

const WIDTHS: Readonly<Record<string, string>> = {
  8: 'TINYINT',
  16: 'SMALLINT',
  32: 'INTEGER',
  64: 'BIGINT',
  128: 'HUGEINT',
}

/** A message about a value that doesn't fit a type, with SQL's names of types; any other as it is. */
export function withSqlTypes(message: string): string {
  return message
    .replace(CONVERTED, (_, what: string, type: string) => what + sqlType(type) + storedAs(what, type))
    .replace(
      LITERALS,
      (_, a: string, one: string, b: string, other: string) => a + plainType(one) + b + plainType(other),
    )
    .replace(DOESNT_FIT, (_, from: string, why: string, to: string) => `${sqlType(from)} ${why} ${sqlType(to)}`)
}

/** What else the engine keeps as such numbers, and calls them so when a text isn't one. */
function storedAs(what: string, inMemory: string): string {
  if (what.startsWith('Overflow')) return ''
  return inMemory === 'INT128' ? ' or UUID' : /^UINT(?:8|16|32)$/.test(inMemory) ? ' or an ENUM' : ''
}

/** `UINT8` is SQL's UTINYINT. */
function sqlType(inMemory: string): string {
  const [, sign = '', bits = ''] = /^(U?)INT(\d+)$/.exec(inMemory) ?? []
  const name = WIDTHS[bits]
  return name === undefined ? inMemory.replace(/^BOOL$/, 'BOOLEAN') : `${sign}${name}`
}

/** The types between commas that are in no parentheses, by their usual names. */
function typesIn(list: string): string[] {
  const types: string[] = []
  let depth = 0
  let first = 0
  for (let i = 0; i <= list.length; i++) {
    if (list[i] === '(') depth++
    else if (list[i] === ')') depth--
    else if (i === list.length || (list[i] === ',' && depth === 0)) {
      types.push(list.slice(first, i).trim())
      first = i + 1
    }
  }
  return types.filter((type) => type !== '').map(plainType)
}

/** The type of what is written in a statement. */
const plainType = (type: string): string =>
  type === 'INTEGER_LITERAL' ? 'INTEGER' : type === 'STRING_LITERAL' ? 'VARCHAR' : type
