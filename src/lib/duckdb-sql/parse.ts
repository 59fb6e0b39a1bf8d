import { tokenize, type Token, nameOf } from './lexer.ts'
import { isReserved } from './names.ts'
import { BEGINS_QUERY, LEAVE_FROM, readsFiles } from './dialect.ts'

/*
 * A light parse of one statement: which tables, CTEs and subqueries there are, and where. It knows what is needed to
 * complete names, accepts any text, however unfinished, and never throws.
 */

/** Token indexes: `lo` inclusive, `hi` exclusive. */
export interface Span {
  readonly lo: number
  readonly hi: number
}

export interface Relation {
  /**
   * The parts of a table's reference or a table function's name, or the name that the engine gives a file; empty for a
   * subquery.
   */
  readonly path: readonly string[]
  /** The files read in place of a table: a path in quotes, or a function that reads files. */
  readonly files: Span | null
  readonly alias: string | null
  readonly columnAliases: readonly string[]
  readonly query: Query | null
  readonly isFunction: boolean
  readonly span: Span
}

export interface Cte {
  readonly name: string
  readonly columns: readonly string[]
  readonly query: Query
  readonly recursive: boolean
  /** From its name to the closing parenthesis. */
  readonly span: Span
}

/** A part of a query between set operators. */
export interface Core extends Span {
  readonly relations: Relation[]
  /** The select list's items; null if there's none, as in `FROM t`. */
  items: Span[] | null
  /** Whether its columns depend on PIVOT, SUMMARIZE or the like. */
  opaque: boolean
  readonly subqueries: Query[]
}

export interface Query extends Span {
  readonly ctes: Cte[]
  readonly cores: Core[]
}

export interface Parsed {
  readonly text: string
  /** Including comments. */
  readonly all: readonly Token[]
  /** Without comments. */
  readonly tokens: readonly Token[]
  /** For each opening bracket the index of its partner, or the number of tokens if it has none; otherwise 0. */
  readonly partners: Int32Array
  readonly query: Query
}

const OPAQUE = new Set(['pivot', 'unpivot', 'pivot_wider', 'pivot_longer', 'summarize', 'describe', 'show'])
const SET_OPERATORS = new Set(['union', 'intersect', 'except'])
const DEEPEST = 100

export function parseStatement(text: string): Parsed {
  const all = tokenize(text)
  const tokens = all.filter(({ kind }) => kind !== 'comment')
  const parser = new Parser(text, tokens)
  return { text, all, tokens, partners: parser.partners, query: parser.query(0, tokens.length, 0) }
}

function partnersOf(text: string, tokens: readonly Token[]): Int32Array {
  const partners = new Int32Array(tokens.length)
  const open: number[] = []
  for (const [index, { kind, from }] of tokens.entries()) {
    const char = kind === 'punctuation' ? text.charAt(from) : ''
    if (char !== '' && '([{'.includes(char)) open.push(index)
    if (char === '' || !')]}'.includes(char)) continue
    // A closing bracket also ends unclosed brackets of other kinds. One without an opening bracket is ignored.
    const opener = '([{'.charAt(')]}'.indexOf(char))
    let at = open.length - 1
    const least = Math.max(0, at - 8)
    while (at >= least && text.charAt(tokens[open[at] ?? 0]?.from ?? 0) !== opener) at--
    if (at < least) continue
    for (const opened of open.splice(at)) partners[opened] = index
  }
  for (const opened of open) partners[opened] = tokens.length
  return partners
}

/** Parses by token index. */
class Parser {
  readonly partners: Int32Array
  readonly #text: string
  readonly #tokens: readonly Token[]

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text
    this.#tokens = tokens
    this.partners = partnersOf(text, tokens)
  }

  query(lo: number, hi: number, depth: number): Query {
    const query: Query = { lo, hi, ctes: [], cores: [] }
    let start = lo
    let from = false
    let core = emptyCore(start, hi)
    let items: number | null = null
    const endItems = (at: number): void => {
      if (items !== null) core.items = this.#split(items, at)
      items = null
    }
    for (let at = lo; at < hi;) {
      const word = this.#word(at)
      if (word === 'with' && this.#beginsCtes(at)) {
        at = this.#ctes(query, core, at + 1, hi, depth)
      } else if (word !== null && SET_OPERATORS.has(word)) {
        endItems(at)
        query.cores.push({ ...core, hi: at })
        at = this.#afterSetOperator(at + 1)
        start = at
        core = emptyCore(start, hi)
        from = false
      } else if (word === 'select') {
        endItems(at)
        at = this.#afterSelect(at + 1)
        items = at
        from = false
      } else if (word !== null && this.#beginsFrom(at, word)) {
        endItems(at)
        from = true
        if (OPAQUE.has(word)) core.opaque = true
        at = this.#relation(core, at + 1, hi, depth)
      } else if (word !== null && (LEAVE_FROM.has(word) || OPAQUE.has(word))) {
        endItems(at)
        from = false
        if (OPAQUE.has(word) || word === 'values') core.opaque = true
        at++
      } else if (from && (word === 'join' || this.#is(at, ','))) {
        at = this.#relation(core, at + 1, hi, depth)
      } else {
        at = this.#skip(core, at, hi, depth)
      }
    }
    endItems(hi)
    query.cores.push({ ...core, hi })
    return query
  }

  /** `FROM` and other words that a table's name follows, but not `IS DISTINCT FROM`. */
  #beginsFrom(at: number, word: string): boolean {
    if (word === 'from') return !(this.#word(at - 1) === 'distinct' && /^(?:is|not)$/.test(this.#word(at - 2) ?? ''))
    if (word === 'into' || word === 'update') return true
    if (word === 'using') return /^(?:merge|delete)$/.test(this.#word(0) ?? '')
    const leads = word === 'table' || OPAQUE.has(word)
    const next = this.#tokens[at + 1]
    return (
      leads &&
      (next?.kind === 'word' || next?.kind === 'quoted') &&
      !BEGINS_QUERY.has(this.#word(at + 1) ?? '') &&
      !/^(?:create|temp|temporary|replace|drop)$/.test(this.#word(at - 1) ?? '')
    )
  }

  #beginsCtes(at: number): boolean {
    if (this.#word(at + 1) === 'recursive') return true
    const after = this.#tokens[at + 2]
    return (
      this.#isName(at + 1) &&
      (after === undefined || this.#is(at + 2, '(') || /^(?:as|using)$/.test(this.#word(at + 2) ?? ''))
    )
  }

  /** `name (columns) AS (query), ...`; returns the index after it. */
  #ctes(query: Query, core: Core, lo: number, hi: number, depth: number): number {
    let at = lo
    const recursive = this.#word(at) === 'recursive'
    if (recursive) at++
    while (at < hi && this.#isName(at)) {
      const start = at
      const name = this.#name(at++)
      let columns: readonly string[] = []
      if (this.#is(at, '(')) {
        columns = this.#names(at)
        at = this.#after(at, hi)
      }
      if (this.#word(at) === 'using') {
        at += 2
        if (this.#is(at, '(')) at = this.#after(at, hi)
      }
      while (/^(?:as|not|materialized)$/.test(this.#word(at) ?? '')) at++
      if (!this.#is(at, '(')) return at
      const end = Math.min(hi, this.partners[at] ?? hi)
      const body = depth < DEEPEST ? this.query(at + 1, end, depth + 1) : { lo: at + 1, hi: end, ctes: [], cores: [] }
      query.ctes.push({ name, columns, query: body, recursive, span: { lo: start, hi: Math.min(hi, end + 1) } })
      core.subqueries.push(body)
      at = this.#after(at, hi)
      if (!this.#is(at, ',')) return at
      at++
    }
    return at
  }

  /** One item of a FROM clause, with its alias; returns the index after it. */
  #relation(core: Core, lo: number, hi: number, depth: number): number {
    let at = lo
    while (at < hi && /^(?:lateral|only)$/.test(this.#word(at) ?? '')) at++
    let alias: string | null = null
    if (this.#isName(at) && this.#is(at + 1, ':')) {
      alias = this.#name(at)
      at += 2
    }
    const start = at
    const path: string[] = []
    let query: Query | null = null
    let isFunction = false
    let files: Span | null = null
    if (this.#is(at, '(')) {
      const end = Math.min(hi, this.partners[at] ?? hi)
      if (this.#isQuery(at + 1)) {
        query = this.#subquery(core, at + 1, end, depth)
      } else {
        // A join in parentheses adds its tables to the same scope.
        let inner = this.#relation(core, at + 1, end, depth + 1)
        while (inner < end)
          inner =
            this.#word(inner) === 'join' || this.#is(inner, ',')
              ? this.#relation(core, inner + 1, end, depth + 1)
              : this.#skip(core, inner, end, depth + 1)
      }
      at = this.#after(at, hi)
    } else if (this.#tokens[at]?.kind === 'string' && at < hi) {
      path.push(this.#fileName(at++))
      files = { lo: start, hi: at }
    } else {
      while (at < hi && (this.#isName(at) || (path.length > 0 && this.#isMember(at) && this.#adjoins(at)))) {
        path.push(this.#name(at++))
        if (!this.#is(at, '.')) break
        at++
      }
      if (path.length === 0) return at > lo ? at : this.#word(at) === null ? this.#skip(core, at, hi, depth) : at
      if (this.#is(at, '(') && this.#word(lo - 1) !== 'into') {
        isFunction = true
        at = this.#skip(core, at, hi, depth)
        if (path.length === 1 && readsFiles(path[0] ?? '')) files = { lo: start, hi: at }
      }
    }
    const as = this.#word(at) === 'as' && at < hi
    if (as) at++
    const named = this.#word(lo - 2) !== 'alter'
    if (named && at < hi && (as ? this.#isMember(at) : this.#isName(at) && !LEAVE_FROM.has(this.#word(at) ?? '')))
      alias = this.#name(at++)
    let columnAliases: readonly string[] = []
    if (alias !== null && at < hi && this.#is(at, '(')) {
      columnAliases = this.#names(at)
      at = this.#after(at, hi)
    }
    if (query || path.length > 0)
      core.relations.push({ path, files, alias, columnAliases, query, isFunction, span: { lo: start, hi: at } })
    return at
  }

  /** Skips one token, or a pair of brackets with its contents. */
  #skip(core: Core, at: number, hi: number, depth: number): number {
    const end = this.partners[at]
    if (!end) return at + 1
    if (depth >= DEEPEST) return this.#after(at, hi)
    const inside = Math.min(hi, end)
    if (this.#is(at, '(') && this.#isQuery(at + 1)) this.#subquery(core, at + 1, inside, depth)
    else for (let inner = at + 1; inner < inside;) inner = this.#skip(core, inner, inside, depth + 1)
    return this.#after(at, hi)
  }

  #subquery(core: Core, lo: number, hi: number, depth: number): Query {
    const query = depth < DEEPEST ? this.query(lo, hi, depth + 1) : { lo, hi, ctes: [], cores: [] }
    core.subqueries.push(query)
    return query
  }

  #isQuery(at: number): boolean {
    let inner = at
    while (inner < at + DEEPEST && this.#is(inner, '(')) inner++
    const word = this.#word(inner)
    return word !== null && BEGINS_QUERY.has(word)
  }

  #afterSetOperator(lo: number): number {
    let at = lo
    while (/^(?:all|distinct|by|name)$/.test(this.#word(at) ?? '')) at++
    return at
  }

  #afterSelect(lo: number): number {
    let at = lo
    if (this.#word(at) === 'all') return at + 1
    if (this.#word(at) !== 'distinct') return at
    at++
    return this.#word(at) === 'on' && this.#is(at + 1, '(') ? this.#after(at + 1, this.#tokens.length) : at
  }

  /** Splits at commas outside brackets. */
  #split(lo: number, hi: number): Span[] {
    const spans: Span[] = []
    let start = lo
    for (let at = lo; at < hi; at = this.partners[at] ? this.#after(at, hi) : at + 1) {
      if (!this.#is(at, ',')) continue
      spans.push({ lo: start, hi: at })
      start = at + 1
    }
    if (start < hi) spans.push({ lo: start, hi })
    return spans
  }

  /** The index after a bracket's partner. */
  #after(at: number, hi: number): number {
    return Math.min(hi, (this.partners[at] || at) + 1)
  }

  /** The names in a pair of brackets. */
  #names(open: number): string[] {
    const names: string[] = []
    for (let at = open + 1; at < (this.partners[open] ?? 0); at++) if (this.#isMember(at)) names.push(this.#name(at))
    return names
  }

  #word(at: number): string | null {
    const token = this.#tokens[at]
    return token?.kind === 'word' ? this.#text.slice(token.from, token.to).toLowerCase() : null
  }

  #is(at: number, sign: string): boolean {
    const token = this.#tokens[at]
    return token !== undefined && token.to - token.from === 1 && this.#text.charAt(token.from) === sign
  }

  /** Whether it can be a name on its own: not a word with a meaning of its own there. */
  #isName(at: number): boolean {
    const word = this.#word(at)
    return word === null ? this.#isMember(at) : !isReserved(word)
  }

  /** Whether it can be a name after a dot or AS. */
  #isMember(at: number): boolean {
    const kind = this.#tokens[at]?.kind
    return kind === 'word' || kind === 'quoted'
  }

  /** Whether there's no space before it: directly after a dot, a reserved word is a name too. */
  #adjoins(at: number): boolean {
    return this.#tokens[at - 1]?.to === this.#tokens[at]?.from
  }

  /** The name that the engine gives a file: its file name up to the first dot. */
  #fileName(at: number): string {
    const token = this.#tokens[at]
    const path = token ? this.#text.slice(token.from + 1, token.closed ? token.to - 1 : token.to) : ''
    return path.split(/[/\\]/).at(-1)?.split('.')[0] ?? ''
  }

  #name(at: number): string {
    const token = this.#tokens[at]
    return token ? nameOf(this.#text, token) : ''
  }
}

function emptyCore(lo: number, hi: number): Core {
  return { lo, hi, relations: [], items: null, opaque: false, subqueries: [] }
}
