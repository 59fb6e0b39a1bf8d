import { tokenize, type Token, nameOf } from './lexer.ts'
import { ELEMENT } from './columns.ts'
import { LEAVE_FROM, readsFiles, takesDatePart } from './dialect.ts'
import { isReserved } from './names.ts'

/** What can be written at the cursor. */
export interface Place {
  /**
   * `relation`: a table; `target`: a table to change; `query`: the start of a query; `using`: a column shared by joined
   * tables; `column`: a column's name and no other expression; `value`: the start of an expression; `after`: a keyword,
   * since something ended; `member`: after a dot; `type`: a type; `name`: a new name; `file`: in quotes in place of a table or a file's path; `part`: the part of a
   * date, in quotes, after `extract(` or `INTERVAL 1`; `option`: an option of a function that reads files, or its value;
   * `none`: in a comment or another string.
   */
  readonly kind:
    | 'relation'
    | 'target'
    | 'query'
    | 'using'
    | 'column'
    | 'value'
    | 'after'
    | 'member'
    | 'type'
    | 'name'
    | 'file'
    | 'part'
    | 'option'
    | 'none'
  /**
   * The names before the dots, with `ELEMENT` for each subscript; of an option the function's, and before its value the
   * option's; else empty.
   */
  readonly path: readonly string[]
  /** Whether the path is in place of a table. */
  readonly ofRelation: boolean
  /** Where the word at the cursor begins and ends. */
  readonly from: number
  readonly to: number
  readonly quoted: boolean
}

export interface Call {
  readonly name: string
  /** Where the function's name begins. */
  readonly from: number
  /** After the opening parenthesis. */
  readonly inside: number
  /** Counted from 0. */
  readonly argument: number
}

const RELATION_FOLLOWS = new Set([
  'from',
  'join',
  'into',
  'update',
  'table',
  'summarize',
  'describe',
  'pivot',
  'unpivot',
  'lateral',
])
const VALUE_ENDS = new Set(['null', 'true', 'false', 'end', 'asc', 'desc', 'all', 'first', 'last'])
const FROM_ENDS = new Set([...LEAVE_FROM, 'select', 'on', 'using'])

/** What can be written at the cursor in a statement's text. */
export function placeAt(text: string, position: number, tokens: readonly Token[] = tokenize(text)): Place {
  const index = tokens.findLastIndex(({ from, to, closed }) => from < position && (position <= to || !closed))
  const at = tokens[index]
  const none = { path: [], ofRelation: false, from: position, to: position, quoted: false }
  if (at && insideText(at, text, position)) {
    const kind = at.kind === 'string' && isOpen(at, text, position) ? kindOfText(text, tokens.slice(0, index)) : 'none'
    return kind === 'none' ? { ...none, kind } : { ...none, kind, from: at.from, to: at.to, quoted: true }
  }
  const partial = at && (at.kind === 'word' || at.kind === 'quoted') ? at : null
  if (at?.kind === 'quoted' && at.closed && position === at.to) return { ...none, kind: 'none' }
  if (at?.kind === 'parameter' || (at?.kind === 'number' && position === at.to)) return { ...none, kind: 'none' }
  const before = tokens
    .slice(0, partial ? index : tokens.findLastIndex(({ to }) => to <= position) + 1)
    .filter(({ kind }) => kind !== 'comment')
  const own = {
    from: partial?.from ?? position,
    to: partial?.to ?? position,
    quoted: partial?.kind === 'quoted',
  }
  const { path, rest } = pathBefore(text, before)
  const ofRelation = isRelation(text, rest)
  if (path.length > 0) return { kind: 'member', path, ofRelation, ...own }
  const option = optionAt(text, rest)
  if (option) return { kind: 'option', path: option, ofRelation, ...own }
  return { kind: kindOf(text, rest, ofRelation), path, ofRelation, ...own }
}

/** The function call whose arguments contain the cursor; null if there's none. */
export function callAt(text: string, position: number, tokens: readonly Token[] = tokenize(text)): Call | null {
  let depth = 0
  let argument = 0
  const before = tokens.filter(({ kind, to }) => kind !== 'comment' && to <= position)
  for (let at = before.length - 1; at >= 0; at--) {
    const token = before[at]
    const sign = token?.kind === 'punctuation' ? text.charAt(token.from) : ''
    if (sign === ';') return null
    if (')]}'.includes(sign) && sign !== '') depth++
    else if ('([{'.includes(sign) && sign !== '') {
      if (depth > 0) depth--
      else {
        const owner = before[at - 1]
        const named = sign === '(' && owner && token && (owner.kind === 'word' || owner.kind === 'quoted')
        if (named) return { name: nameOf(text, owner), from: owner.from, inside: token.to, argument }
        // Commas in a list or in inner parentheses don't separate the arguments.
        argument = 0
      }
    } else if (sign === ',' && depth === 0) argument++
  }
  return null
}

/**
 * Where an option of a function that reads files is expected: the function's name, and the option's own where its value
 * is expected; null elsewhere.
 * @param before tokens before the cursor, without comments
 */
function optionAt(text: string, before: readonly Token[]): readonly string[] | null {
  const sign = (at: number): string => text.slice(before.at(at)?.from, before.at(at)?.to)
  const isValue = /^(?::?=|=>)$/.test(sign(-1))
  const comma = isValue ? -3 : -1
  if (before.length < 3 || sign(comma) !== ',') return null
  const call = callAt(text, before.at(-1)?.to ?? 0, before)
  if (!call || call.argument === 0 || !readsFiles(call.name)) return null
  // A comma may also be one in a list.
  const inside = before.slice(0, comma).filter(({ kind, from }) => kind === 'punctuation' && from >= call.inside)
  const depth = inside.reduce((sum, { from }) => sum + depthOf(text.charAt(from)), 0)
  if (depth !== 0) return null
  const name = before.at(-2)
  return isValue && name ? [call.name, nameOf(text, name)] : [call.name]
}

const depthOf = (sign: string): number => ('([{'.includes(sign) ? 1 : ')]}'.includes(sign) ? -1 : 0)

function insideText(token: Token, text: string, position: number): boolean {
  if (token.kind === 'string') return position < token.to || !token.closed || text.charAt(position - 1) === "'"
  if (token.kind !== 'comment') return false
  return position < token.to || !token.closed || text.startsWith('--', token.from)
}

/** Whether the cursor is between a string's quotes. */
function isOpen({ from, to, closed }: Token, text: string, position: number): boolean {
  return text.charAt(from) === "'" && position > from && (!closed || position < to)
}

/**
 * What a string after these tokens is: a path in place of a table, or an argument of a function that reads files or
 * takes a date part.
 */
function kindOfText(text: string, tokens: readonly Token[]): 'file' | 'part' | 'none' {
  const before = tokens.filter(({ kind }) => kind !== 'comment')
  if (isRelation(text, before)) return 'file'
  const call = callAt(text, before.at(-1)?.to ?? 0, before)
  if (call?.argument !== 0) return 'none'
  return readsFiles(call.name) ? 'file' : takesDatePart(call.name) ? 'part' : 'none'
}

/** `a.b[1].` at the end of the tokens, and the tokens before it. */
export function pathBefore(text: string, tokens: readonly Token[]): { path: string[]; rest: readonly Token[] } {
  const path: string[] = []
  let end = tokens.length
  while (end >= 2 && wordAt(text, tokens[end - 1]) === '.') {
    const subscripts: string[] = []
    let at = end - 2
    while (wordAt(text, tokens[at]) === ']') {
      at = openingBefore(text, tokens, at) - 1
      subscripts.push(ELEMENT)
    }
    const name = tokens[at]
    if (name?.kind !== 'word' && name?.kind !== 'quoted') break
    path.unshift(nameOf(text, name), ...subscripts)
    end = at
  }
  return { path, rest: tokens.slice(0, end) }
}

/** The index of the bracket that the one at an index closes; -1 if there's none. */
function openingBefore(text: string, tokens: readonly Token[], closing: number): number {
  let depth = 0
  for (let at = closing; at >= 0; at--) {
    const sign = tokens[at]?.kind === 'punctuation' ? wordAt(text, tokens[at]) : ''
    if (sign === ']') depth++
    if (sign === '[' && --depth === 0) return at
  }
  return -1
}

function kindOf(text: string, before: readonly Token[], ofRelation: boolean): Place['kind'] {
  const last = before.at(-1)
  const word = last ? text.slice(last.from, last.to).toLowerCase() : ''
  if (word === '::') return 'type'
  if (word === 'as') return inCast(text, before) ? 'type' : makesOfQuery(text, before) ? 'query' : 'name'
  const defined = kindInDefinition(text, before)
  if (defined) return defined
  if (ofRelation) return /^(?:into|update|table|view)$/.test(word) ? 'target' : 'relation'
  // Pragmas have their own names.
  if (word === 'pragma' && before.length === 1) return 'none'
  if (!last) return 'after'
  if (last.kind === 'operator') return word === '*' && !isOperand(text, before.at(-2)) ? 'after' : 'value'
  if (word === '(' && /^extract$/i.test(wordAt(text, before.at(-2)))) return 'part'
  if (isIntervals(text, before)) return 'part'
  if (last.kind === 'punctuation' && isUsing(text, before)) return 'using'
  if (takesColumns(text, before)) return 'column'
  if (last.kind === 'punctuation') return ')]}'.includes(word) ? 'after' : word === '.' ? 'none' : 'value'
  if (last.kind === 'word') {
    if (word === 'with' || word === 'recursive') return 'name'
    return isOperand(text, last) ? 'after' : 'value'
  }
  return 'after'
}

/** Whether AS ends the head of CREATE TABLE, CREATE VIEW or PREPARE. */
function makesOfQuery(text: string, before: readonly Token[]): boolean {
  const words = before.map((token) => wordAt(text, token).toLowerCase())
  if (words.some((word) => /^(?:select|from|with)$/.test(word))) return false
  return words[0] === 'prepare' || (words[0] === 'create' && words.some((word) => word === 'table' || word === 'view'))
}

/** Whether a column's name follows, in `JOIN … USING (`. In MERGE and DELETE, a table follows USING. */
function isUsing(text: string, before: readonly Token[]): boolean {
  if (!/^[(,]$/.test(wordAt(text, before.at(-1))) || /^(?:merge|delete|with)$/i.test(wordAt(text, before[0])))
    return false
  return callAt(text, before.at(-1)?.to ?? 0, before)?.name.toLowerCase() === 'using'
}

/** Whether a unit follows, after `INTERVAL 1` or `INTERVAL '1'`. */
function isIntervals(text: string, before: readonly Token[]): boolean {
  const last = before.at(-1)
  const amount = last?.kind === 'number' || (last?.kind === 'string' && /^'-?\d+'$/.test(wordAt(text, last)))
  return amount && /^interval$/i.test(wordAt(text, before.at(-2)))
}

/** Whether only a column can follow: in `* EXCLUDE (`, `RENAME (`, `INSERT INTO t (`, after `ALTER TABLE t DROP`. */
function takesColumns(text: string, before: readonly Token[]): boolean {
  const word = (at: number): string => wordAt(text, before.at(at)).toLowerCase()
  if (word(0) === 'alter') {
    const last = word(-1) === 'column' ? word(-2) : word(-1)
    return before.length > 3 && /^(?:drop|alter|rename)$/.test(last)
  }
  if (word(-1) === 'exclude') return true
  if (word(-1) !== '(' && word(-1) !== ',') return false
  const call = callAt(text, before.at(-1)?.to ?? 0, before)
  if (!call) return false
  const rest = before.slice(
    0,
    before.findIndex(({ from }) => from === call.from),
  )
  if (/^(?:exclude|except|rename)$/i.test(call.name)) return wordAt(text, rest.at(-1)) === '*'
  return word(0) === 'insert' && /^into$/i.test(wordAt(text, pathBefore(text, rest).rest.at(-1)))
}

/** What follows where columns are defined, in `CREATE TABLE t (a` and `ALTER TABLE t ADD COLUMN a`; else null. */
function kindInDefinition(text: string, before: readonly Token[]): 'type' | 'name' | null {
  const first = wordAt(text, before[0]).toLowerCase()
  if (first !== 'create' && first !== 'alter') return null
  const words = before.map((token) => wordAt(text, token).toLowerCase())
  const last = words.at(-1) ?? ''
  if (first === 'alter') {
    if (last === 'type') return words.includes('alter', 1) ? 'type' : null
    const added = /(?:^| )add(?: column)?(?: if not exists)? (\S+)$/.exec(words.slice(3).join(' '))?.[1]
    return added !== undefined && !/^(?:column|if|exists)$/.test(added) ? 'type' : null
  }
  const open = words.indexOf('(')
  if (open === -1 || words.includes('as') || !words.slice(0, open).includes('table')) return null
  if (callAt(text, before.at(-1)?.to ?? 0, before)?.from !== before[open - 1]?.from) return null
  if (last === '(' || last === ',') return 'name'
  const begins = words.at(-2) === '(' || words.at(-2) === ','
  return begins && !/^(?:primary|foreign|unique|check|constraint)$/.test(last) ? 'type' : null
}

const wordAt = (text: string, token: Token | undefined): string => (token ? text.slice(token.from, token.to) : '')

/** Whether an expression can end with this token. */
function isOperand(text: string, token: Token | undefined): boolean {
  if (!token) return false
  if (token.kind === 'operator') return false
  const word = text.slice(token.from, token.to).toLowerCase()
  if (token.kind === 'punctuation') return ')]}'.includes(word)
  if (token.kind !== 'word' || VALUE_ENDS.has(word)) return true
  return !isReserved(word) && word !== 'set' && word !== 'between' && word !== 'by'
}

/** Whether a table's name follows: after FROM or JOIN, or after a comma in a FROM clause. */
function isRelation(text: string, before: readonly Token[]): boolean {
  const word = (at: number): string => {
    const token = before[at]
    return token ? text.slice(token.from, token.to).toLowerCase() : ''
  }
  const last = before.length - 1
  if (word(last) === 'from')
    return !(word(last - 1) === 'distinct' && /^(?:is|not)$/.test(word(last - 2))) && !inCall(text, before)
  // `UNPIVOT t ON a INTO NAME …`
  if (word(last) === 'into' && before.some((_, at) => word(at) === 'unpivot')) return false
  if (RELATION_FOLLOWS.has(word(last))) return true
  if (word(last) === 'using') return /^(?:merge|delete)$/.test(word(0))
  if (word(last) === 'view') return word(0) === 'drop'
  if (word(last) === '(' && (word(last - 1) === 'from' || word(last - 1) === 'join')) return true
  if (word(last) !== ',') return false
  let depth = 0
  for (let at = last - 1; at >= 0; at--) {
    if (before[at]?.kind === 'quoted') continue
    const here = word(at)
    if (here === ')' || here === ']' || here === '}') depth++
    else if (here === '(' || here === '[' || here === '{') {
      if (depth-- === 0) return false
    } else if (depth === 0 && before[at]?.kind === 'word') {
      if (here === 'from') return true
      // A comma after a join's condition still begins the next table.
      if (FROM_ENDS.has(here) && here !== 'on' && here !== 'using') return false
    }
  }
  return false
}

/** In `extract(year FROM` or `trim(both FROM`, no table follows. */
function inCall(text: string, before: readonly Token[]): boolean {
  const end = before.at(-1)?.from ?? 0
  const call = callAt(text, end, before)
  return call !== null && /^(?:extract|trim|substring|overlay)$/i.test(call.name)
}

function inCast(text: string, before: readonly Token[]): boolean {
  const call = callAt(text, before.at(-1)?.from ?? 0, before)
  return call !== null && /^(?:try_)?cast$/i.test(call.name) && call.argument === 0
}
