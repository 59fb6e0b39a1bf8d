import type { ParameterValue } from '../../../engine/client.ts'

/* The service takes a statement and nothing else: parameters are written into it as literals. */

/**
 * What `$` and `:` mean nothing in, in the order that they're looked for: comments (block comments nest, which is for
 * the loop), quoted names, strings with escapes and without, dollar-quoted text; then the parameter itself.
 */
const TOKEN =
  /--[^\n]*|\/\*|"(?:[^"]|"")*"?|[eE]'(?:[^'\\]|\\[\s\S]|'')*'?|'(?:[^']|'')*'?|\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$|\$([\p{L}_][\p{L}\p{N}_]*)|[\p{L}_][\p{L}\p{N}_$]*/gu

/**
 * The statement with `$name` replaced by their values. Names without a value stay, for the service to refuse.
 */
export function inlineParameters(sql: string, parameters: Readonly<Record<string, ParameterValue>>): string {
  const values = new Map(Object.entries(parameters).map(([name, value]) => [name.toLowerCase(), value]))
  let out = ''
  let at = 0
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(sql); found; found = TOKEN.exec(sql)) {
    const [token, name] = found
    out += sql.slice(at, found.index)
    at = skipped(sql, token, TOKEN.lastIndex)
    TOKEN.lastIndex = at
    const value = name === undefined ? undefined : values.get(name.toLowerCase())
    out += value ? literal(value) : sql.slice(found.index, at)
  }
  return out + sql.slice(at)
}

/** Where what a token opens ends. */
function skipped(sql: string, token: string, end: number): number {
  if (token === '/*') return commentEnd(sql, end)
  if (token.startsWith('$') && token.endsWith('$')) {
    const close = sql.indexOf(token, end)
    return close === -1 ? sql.length : close + token.length
  }
  return end
}

function commentEnd(sql: string, from: number): number {
  let depth = 1
  let at = from
  while (depth > 0) {
    const open = sql.indexOf('/*', at)
    const close = sql.indexOf('*/', at)
    if (close === -1) return sql.length
    if (open !== -1 && open < close) {
      depth++
      at = open + 2
    } else {
      depth--
      at = close + 2
    }
  }
  return at
}

/** `CAST('2024-01-31' AS DATE)`. */
export function literal({ type, text }: ParameterValue): string {
  const value = text === null ? 'NULL' : `'${text.replaceAll("'", "''")}'`
  return `CAST(${value} AS ${type})`
}
