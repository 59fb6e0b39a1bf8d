/* Random statements over the tables of `tables.ts`. */

/** Draws a random integer below another. */
export type Draw = (below: number) => number

type Kind = 'integer' | 'decimal' | 'text' | 'day' | 'time' | 'flag' | 'real'

const KINDS: Readonly<Record<Kind, readonly string[]>> = {
  integer: ['k', 'tiny', 'small', 'int', 'big', 'few', 'wide', 'k', 'few'],
  decimal: ['cents', 'long', 'half'],
  text: ['text', 'word'],
  day: ['day', 'far', 'date', 'date', 'day'],
  time: ['at', 'ever', 'moment', 'moment', 'at'],
  flag: ['flag'],
  real: ['real', 'real', 'real', 'real', 'real', 'real', 'real', 'odd'],
}

/** Kinds that DuckDB casts to, or from, if they're beside each other in UNION. */
const BESIDE: Readonly<Record<Kind, readonly Kind[]>> = {
  integer: ['decimal', 'real', 'text'],
  decimal: ['integer', 'real'],
  text: ['integer'],
  day: ['time'],
  time: ['day'],
  flag: ['flag'],
  real: ['integer'],
}

/** Regular expressions, as SQL. One isn't valid. */
export const PATTERNS: readonly string[] = [
  String.raw`a ^a.b$ . ^.*$ ^$ [^a]+ (?i)A|é x* (?s)a.b (?m)^b [[:alpha:]] ä|日 ( a|`,
  String.raw`\w+\s \bre \p{L}{2,} a\\b \x00 (?U)a.* a{2}`,
]
  .flatMap((patterns) => patterns.split(' '))
  .map((pattern) => `'${pattern}'`)

/** Generates statements. They sort by all columns, so that the order of rows is determined. */
export class Statements {
  private readonly draw: Draw

  constructor(draw: Draw) {
    this.draw = draw
  }

  statement(): string {
    const shape = this.pick([
      'grouped',
      'grouped',
      'grouped',
      'rows',
      'distinct',
      'joined',
      'left',
      'within',
      'inner',
      'chosen',
      'twice',
      'nested',
      'tied',
      'combined',
      'combined',
    ] as const)
    switch (shape) {
      case 'rows':
        return this.sorted('', this.values('x', 3), `FROM ws.d.x AS x${this.where('x')}`)
      case 'distinct':
        return this.sorted('DISTINCT ', this.values('x', 2), `FROM ws.d.x AS x${this.where('x')}`)
      case 'grouped':
        return this.grouped('FROM ws.d.x AS x', ['x'])
      case 'joined':
        return this.grouped(
          `FROM ws.d.x AS x${this.pick([', ', ' JOIN '])}ws.d.y AS y`.replace(
            / JOIN .*/,
            (join) => `${join} ON x.few = y.few`,
          ),
          ['x', 'y'],
          'x.few = y.few AND x.k < 4',
        )
      case 'left': {
        const [a, b] = this.pick([
          ['few', 'few'],
          ['k', 'k'],
          ['word', 'word'],
          ['day', 'day'],
          ['cents', 'cents'],
        ])
        return this.grouped(
          `FROM ws.d.x AS x ${this.pick(['LEFT', 'RIGHT', 'INNER', 'LEFT', 'INNER', 'RIGHT', 'FULL', 'LEFT'])} JOIN ws.d.y AS y ON x.${a} = y.${b}`,
          ['x', 'y'],
        )
      }
      case 'combined':
        return this.combined()
      case 'within':
        return this.grouped('FROM ws.d.x AS x', ['x'], this.subquery())
      case 'chosen':
      case 'twice':
      case 'nested':
      case 'tied':
        return this.composed(shape)
      case 'inner': {
        const inner = `SELECT ${this.pick(['word', 'k', 'few'])} AS g, ${this.aggregate(['x'])} AS a, ${this.aggregate(['x'])} AS b FROM ws.d.x AS x${this.where('x')} GROUP BY 1`
        const outer = this.pick([
          'count(*), max(g), min(a), max(b)',
          'g, a, b',
          'count(DISTINCT a), count(b)',
          'sum(1), max(a)',
        ])
        const by = outer.startsWith('g') ? ' ORDER BY ALL' : ''
        return this.pick([
          `SELECT ${outer} FROM (${inner}) AS s${by}`,
          `WITH s AS (${inner}) SELECT ${outer} FROM s${by}`,
        ])
      }
    }
  }

  /** Statements in which subqueries and groups are used in other ways than those above. */
  private composed(shape: 'chosen' | 'twice' | 'nested' | 'tied'): string {
    const groups = (by: string): string =>
      `SELECT ${by}, ${this.aggregate(['x'])} AS a, ${this.aggregate(['x'])} AS b FROM ws.d.x AS x${this.where('x')} GROUP BY ALL`
    switch (shape) {
      case 'chosen': {
        const one = this.pick([`(SELECT ${this.aggregate(['y'])} FROM ws.d.y AS y${this.where('y')})`, this.looked()])
        const chosen = [
          `(${this.subquery()})`,
          one,
          `CASE WHEN ${this.subquery()} OR ${this.flag('x', 1)} THEN x.k END`,
        ]
        return this.sorted('', [...this.values('x', 2), this.pick(chosen)], `FROM ws.d.x AS x WHERE ${this.choice()}`)
      }
      case 'twice':
        return `WITH s AS (${groups(`x.${this.pick(['word', 'k', 'few', 'day'])} AS g`)}) SELECT l.g, l.a, r.b FROM s AS l ${this.pick(['JOIN', 'LEFT JOIN'])} s AS r ON l.g = r.g ${this.pick(['WHERE l.a IS NOT NULL', 'WHERE l.g IN (SELECT g FROM s WHERE b IS NOT NULL)', ''])} ORDER BY ALL`
      case 'nested': {
        const inner = groups('x.k AS k, x.word AS g')
        const middle = `SELECT k, count(*) AS n, ${this.pick(['max(a)', 'min(b)', 'count(DISTINCT a)', 'count(g)'])} AS m FROM (${inner}) AS s GROUP BY k`
        const having = this.pick(['', ' HAVING count(*) > 1', ' HAVING max(n) >= (SELECT min(y.k) FROM ws.d.y AS y)'])
        return `SELECT n, ${this.pick(['min(m)', 'max(m)', 'count(m)', 'sum(k)', 'avg(k)'])} AS z, count(*) AS c FROM (${middle}) AS t GROUP BY n${having} ORDER BY n`
      }
      case 'tied':
        return `SELECT ${this.values('x', 2).join(', ')} FROM ws.d.x AS x WHERE ${this.choice()} ORDER BY ${this.pick(['1', `(${this.scalar(this.pick(['integer', 'text', 'decimal'] as const), 'x', 1)})`])} ${this.pick(['ASC', 'DESC'])} NULLS ${this.pick(['FIRST', 'LAST'])} LIMIT ${1 + this.draw(9)}${this.pick(['', ` OFFSET ${this.draw(9)}`])}`
    }
  }

  private combined(): string {
    const kinds = Array.from({ length: 1 + this.draw(3) }, () => this.pick(Object.keys(KINDS) as Kind[]))
    const sides = this.sides(kinds)
    const order = kinds.map((_, i) => i + 1).join(', ')
    const columns = kinds.map((_, i) => `s.v${i}`)
    return this.pick([
      `${sides} ORDER BY ${order}${this.limit()}`,
      this.sorted(this.pick(['', 'DISTINCT ']), columns, `FROM (${sides}) AS s`),
      `SELECT s.v0, count(*) AS n, ${this.pick(['min', 'max', 'count'])}(s.v${kinds.length - 1}) AS a FROM (${sides}) AS s GROUP BY 1 ORDER BY 1`,
      `WITH s AS (${sides}) SELECT l.v0, count(*) AS n FROM s AS l ${this.pick(['JOIN', 'LEFT JOIN'])} s AS r ON l.v0 = r.v0 GROUP BY 1 ORDER BY 1`,
      `SELECT count(*), max(x.few) FROM ws.d.x AS x WHERE x.${this.pick(['k', 'few'])} ${this.pick(['IN', 'NOT IN'])} (${this.sides(['integer'])})`,
      `SELECT 'x' AS n, ${this.pick(['avg', 'sum', 'max'])}(x.few) AS a FROM ws.d.x AS x UNION ALL SELECT 'y', ${this.pick(['avg', 'sum', 'min'])}(y.k) FROM ws.d.y AS y${this.where('y')} ORDER BY n`,
    ])
  }

  /** UNION, INTERSECT or EXCEPT of two or three statements. The types of their columns may differ. */
  private sides(kinds: readonly Kind[]): string {
    // With the same columns on all sides, there are more equal rows.
    const shared = kinds.map((kind) => (this.draw(3) > 0 ? this.pick(KINDS[kind]) : null))
    const side = (): string => {
      const table = this.pick(['x', 'y'])
      const values = kinds.map((kind, i) => {
        const own = shared[i] === null ? this.scalar(kind, table, 1) : `${table}.${shared[i]}`
        return `${this.draw(8) === 0 ? this.scalar(this.pick(BESIDE[kind]), table, 1) : own} AS v${i}`
      })
      if (this.draw(12) === 0)
        return `SELECT ${kinds.map((kind, i) => `${kind === 'flag' ? 'true' : this.literal(kind)} AS v${i}`).join(', ')}`
      const rows = `${values.join(', ')} FROM ws.d.${table} AS ${table}${this.where(table)}`
      return `SELECT ${rows}${this.pick(['', '', ' GROUP BY ALL'])}`
    }
    const word = (): string => `${this.pick(['UNION', 'INTERSECT', 'EXCEPT'])}${this.pick(['', ' ALL'])}`
    const two = `${side()} ${word()} ${side()}`
    return this.pick([two, two, `${two} ${word()} ${side()}`, `${side()} ${word()} (${two})`])
  }

  private limit(): string {
    return this.pick([
      '',
      '',
      ` LIMIT ${1 + this.draw(20)}`,
      ` LIMIT ${this.draw(20)} OFFSET ${this.draw(9)}`,
      ` OFFSET ${this.draw(90)}`,
    ])
  }

  /** A correlated scalar subquery. */
  private looked(): string {
    const column = this.pick(['k', 'few', 'word', 'cents'])
    const value = this.pick([`max(y.few)`, `count(y.word)`, `sum(y.k)`, `min(y.day)`])
    return `(SELECT ${value} FROM ws.d.y AS y WHERE y.${column} = x.${column} AND ${this.flag('y', 1)})`
  }

  private choice(): string {
    const one = this.pick([this.subquery(), this.flag('x', 2)])
    return this.pick([`(${one} OR ${this.flag('x', 1)})`, `NOT (${one})`, `(${one}) IS NOT TRUE`, one])
  }

  private pick<T>(from: readonly T[]): T {
    return from[this.draw(from.length)]
  }

  private seldom(one: string, other: string): string {
    return this.draw(8) === 0 ? one : other
  }

  private sorted(word: string, values: readonly string[], rest: string): string {
    const order = values.map(
      (_, i) => `${i + 1}${this.pick([' ASC', ' DESC', ''])}${this.pick([' NULLS FIRST', ' NULLS LAST', ''])}`,
    )
    return `SELECT ${word}${values.map((value, i) => `${value} AS v${i}`).join(', ')} ${rest} ORDER BY ${order.join(', ')}${this.limit()}`
  }

  private grouped(from: string, tables: readonly string[], and?: string): string {
    const keys = Array.from({ length: this.draw(3) }, () =>
      this.scalar(this.pick(['integer', 'text', 'day', 'flag', 'decimal', 'time'] as const), this.pick(tables), 1),
    )
    const aggregates = Array.from({ length: 1 + this.draw(3) }, () => this.aggregate(tables))
    const conditions = [...(and ? [and] : []), ...(this.draw(2) === 0 ? [this.flag(this.pick(tables), 2)] : [])]
    const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
    const by = keys.length > 0 ? ` GROUP BY ${keys.map((_, i) => i + 1).join(', ')}` : ''
    const having =
      keys.length > 0 && this.draw(4) === 0
        ? ` HAVING ${this.pick(['count(*) > 2', 'max(x.few) > 1', 'sum(x.few) IS NOT NULL', 'avg(x.few) > 1.5'])}`
        : ''
    if (keys.length === 0) return `SELECT ${aggregates.join(', ')} ${from}${where}`
    return this.sorted('', [...keys, ...aggregates, 'count(*)'], `${from}${where}${by}${having}`)
  }

  private aggregate(tables: readonly string[]): string {
    const table = this.pick(tables)
    const kind = this.pick(['integer', 'integer', 'decimal', 'text', 'day', 'time', 'real', 'flag'] as const)
    const value = this.scalar(kind, table, 2)
    const number = kind === 'integer' || kind === 'decimal'
    const call = number ? this.pick(['sum', 'avg', 'min', 'max', 'count']) : this.pick(['min', 'max', 'count'])
    if (call === 'avg' && this.draw(4) === 0)
      return `${this.pick(['0.2', '2.5e0', '-3'])} ${this.pick(['*', '+'])} avg(${value})`
    const filter = this.draw(6) === 0 ? ` FILTER (WHERE ${this.flag(table, 1)})` : ''
    return this.draw(8) === 0
      ? 'count(*)'
      : this.draw(6) === 0
        ? `count(DISTINCT ${value})${filter}`
        : `${call}(${value})${filter}`
  }

  private subquery(): string {
    const column = this.pick(['k', 'few', 'word', 'cents', 'day', 'text'])
    return this.pick([
      `x.${column} IN (SELECT y.${column} FROM ws.d.y AS y${this.where('y')})`,
      `x.${column} NOT IN (SELECT y.${column} FROM ws.d.y AS y${this.where('y')})`,
      `EXISTS (SELECT 1 FROM ws.d.y AS y WHERE y.${column} = x.${column} AND ${this.flag('y', 1)})`,
      `NOT EXISTS (SELECT 1 FROM ws.d.y AS y WHERE y.${column} = x.${column} AND ${this.flag('y', 1)})`,
      `x.few < (SELECT max(y.few) FROM ws.d.y AS y WHERE y.${column} = x.${column})`,
      `x.${this.pick(['few', 'k', 'cents'])} > (SELECT 0.5 * avg(y.few) FROM ws.d.y AS y WHERE y.${column} = x.${column})`,
      `x.few >= (SELECT min(y.few) FROM ws.d.y AS y${this.where('y')})`,
      `x.k = (SELECT count(*) FROM ws.d.y AS y WHERE y.${column} = x.${column} AND ${this.flag('y', 1)})`,
    ])
  }

  private values(table: string, most: number): string[] {
    return Array.from({ length: 1 + this.draw(most) }, () =>
      this.scalar(this.pick(Object.keys(KINDS) as Kind[]), table, 2),
    )
  }

  private where(table: string): string {
    return this.draw(2) === 0 ? ` WHERE ${this.flag(table, 2)}` : ''
  }

  private column(kind: Kind, table: string): string {
    return `${table}.${this.pick(KINDS[kind])}`
  }

  private scalar(kind: Kind, table: string, depth: number): string {
    if (kind === 'flag') return this.flag(table, depth)
    if (depth === 0 || this.draw(3) === 0) return this.draw(5) === 0 ? this.literal(kind) : this.column(kind, table)
    const of = (other: Kind): string => this.scalar(other, table, depth - 1)
    if (this.draw(8) === 0)
      return this.pick([
        `CASE WHEN ${this.flag(table, depth - 1)} THEN ${of(kind)} ELSE ${of(kind)} END`,
        `coalesce(${of(kind)}, ${of(kind)})`,
        `${this.pick(['least', 'greatest'])}(${of(kind)}, ${of(kind)})`,
        `CASE WHEN ${this.flag(table, depth - 1)} THEN ${of(kind)} END`,
      ])
    switch (kind) {
      case 'integer':
        return this.pick([
          `(${of('integer')} ${this.pick(['+', '-', '*'])} ${of('integer')})`,
          `(${of('integer')} % ${this.pick(['7', '2', '1000', '0', '-3'])})`,
          `(- ${of('integer')})`,
          `length(${of('text')})`,
          `strlen(${of('text')})`,
          `${this.pick(['year', 'month', 'day'])}(${this.seldom(of('day'), `${table}.${this.pick(['date', 'moment'])}`)})`,
          `${this.pick(['hour', 'minute', 'second'])}(${this.seldom(of('time'), `${table}.moment`)})`,
          `extract(${this.pick(['year', 'month', 'minute', 'hour'])} FROM ${this.seldom(of('time'), `${table}.moment`)})`,
          `CAST(${of('integer')} AS ${this.pick(['INTEGER', 'BIGINT', 'SMALLINT', 'HUGEINT', 'UTINYINT'])})`,
        ])
      case 'decimal':
        return this.pick([
          `(${of('decimal')} ${this.pick(['+', '-', '*'])} ${of(this.pick(['decimal', 'integer'] as const))})`,
          `(- ${of('decimal')})`,
          `CAST(${of(this.pick(['integer', 'decimal'] as const))} AS DECIMAL(${this.pick(['18,4', '9,2', '38,6'])}))`,
        ])
      case 'real':
        return this.pick([
          `(${of('real')} ${this.pick(['+', '-', '*', '/'])} ${of('real')})`,
          `CAST(${of(this.pick(['integer', 'decimal'] as const))} AS DOUBLE)`,
          `(${of(this.pick(['integer', 'decimal'] as const))} / ${of(this.pick(['integer', 'decimal'] as const))})`,
        ])
      case 'text':
        return this.pick([
          `substring(${of('text')}, ${1 + this.draw(3)}, ${this.draw(4)})`,
          `(${of('text')} || ${of('text')})`,
          `regexp_replace(${of('text')}, ${this.pick(PATTERNS)}, ${this.pick([`'-'`, `''`, String.raw`'<\0>'`, `'$1'`])})`,
          String.raw`regexp_replace(${of('text')}, '^(.)(.*?)([^a]*)$', '\2\1[\3]')`,
          this.seldom(`upper(${of('text')})`, `${this.column('text', table)} || 'x'`),
          `CAST(${of('integer')} AS VARCHAR)`,
        ])
      case 'day':
        return this.pick([
          `CAST(${of('time')} AS DATE)`,
          `date_trunc('${this.pick(['month', 'year', 'quarter', 'week'])}', ${this.pick([of('day'), `${table}.date`])})`,
        ])
      case 'time':
        return this.pick([
          `CAST(${of('day')} AS TIMESTAMP)`,
          `date_trunc('${this.pick(['month', 'year', 'day', 'hour', 'minute', 'second', 'week'])}', ${this.pick([of('time'), `${table}.moment`])})`,
        ])
    }
  }

  private literal(kind: Exclude<Kind, 'flag'>): string {
    switch (kind) {
      case 'integer':
        return this.pick(['0', '1', '-1', '2147483647', '9223372036854775807', '100', '-7', 'NULL::INTEGER'])
      case 'decimal':
        return this.pick(['0.5', '1.00', '-3.25', '100.0001', 'NULL::DECIMAL(9,2)'])
      case 'real':
        return this.pick(['1e0', '2.5e0', '-1e10', '0e0'])
      case 'text':
        return this.pick([`'a'`, `'red'`, `''`, `'ä'`, `'it''s \\ %'`])
      case 'day':
        return this.pick([`DATE '2024-02-29'`, `DATE '1970-01-01'`])
      case 'time':
        return this.pick([
          `TIMESTAMP '2024-02-29 12:00:00'`,
          `(DATE '2024-01-31' + INTERVAL 1 MONTH)`,
          `(DATE '1995-03-15' - INTERVAL '90' DAY)`,
        ])
    }
  }

  private flag(table: string, depth: number): string {
    if (depth === 0)
      return this.pick([`${table}.flag`, `${table}.few > 2`, `${table}.word = 'red'`, `${table}.k IS NULL`])
    const of = (kind: Kind): string => this.scalar(kind, table, depth - 1)
    const kind = this.pick(['integer', 'decimal', 'text', 'day', 'time', 'real'] as const)
    return this.pick([
      `${of(kind)} ${this.pick(['=', '<>', '<', '>', '<=', '>='])} ${of(kind)}`,
      `${of(kind)} ${this.pick(['IS DISTINCT FROM', 'IS NOT DISTINCT FROM'])} ${of(kind)}`,
      `${of(kind)} BETWEEN ${of(kind)} AND ${of(kind)}`,
      `${of(kind)} ${this.pick(['IN', 'NOT IN'])} (${of(kind)}, ${of(kind)}, ${this.pick([of(kind), 'NULL'])})`,
      `${of(kind)} IS ${this.pick(['', 'NOT '])}NULL`,
      `(${this.flag(table, depth - 1)} ${this.pick(['AND', 'OR'])} ${this.flag(table, depth - 1)})`,
      `NOT (${this.flag(table, depth - 1)})`,
      `${of('text')} ${this.seldom('ILIKE', this.pick(['LIKE', 'NOT LIKE']))} ${this.pick([`'%a%'`, `'a_b'`, `'_'`, `'re%'`, `'%'`, `''`, `'a%b'`, `'%\\%'`, `'__語'`])}`,
      `${this.pick(['regexp_matches', 'regexp_full_match'])}(${of('text')}, ${this.pick(PATTERNS)})`,
      `${this.pick(['contains', 'starts_with', 'ends_with'])}(${of('text')}, ${this.pick([`'a'`, `'red'`, `'ä'`, `''`])})`,
    ])
  }
}
