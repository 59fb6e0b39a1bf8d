/* Values as literals of the languages that snippets are in. Each reads back as exactly what it was. */

/** One word of a POSIX shell. NUL can't be in one. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** A string of JavaScript or Python: what JSON escapes, both understand. */
export function stringLiteral(text: string): string {
  return JSON.stringify(text)
}

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)

/** A JSON value in JavaScript. */
export function jsLiteral(value: unknown, indent = ''): string {
  const json = JSON.stringify(value, null, 2) ?? 'undefined'
  // As a name in an object's literal it would set the prototype.
  if (json.includes('"__proto__"')) return `JSON.parse(${stringLiteral(JSON.stringify(value))})`
  return indented(
    // Names that are plain words need no quotes; no string holds a newline, so each begins its own line.
    json.replace(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:'),
    indent,
  )
}

/** A JSON value in Python. */
export function pyLiteral(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return stringLiteral(value)
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}    `
  const parts = Array.isArray(value)
    ? value.map((one: unknown) => pyLiteral(one, inner))
    : Object.entries(value).map(([name, one]) => `${stringLiteral(name)}: ${pyLiteral(one, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (parts.length === 0) return `${open}${close}`
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}
