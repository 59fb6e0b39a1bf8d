import { type Operation, type OperationId, operations } from '../operations.ts'

export const LANGUAGES = [
  { id: 'curl', label: 'curl' },
  { id: 'javascript', label: 'JavaScript' },
  { id: 'python', label: 'Python' },
] as const
export type Language = (typeof LANGUAGES)[number]['id']

/** The environment variable from which snippets read the key. */
export const KEY_VARIABLE = 'ROWHOUSE_API_KEY'

/** The request as a complete program, which reads the key from the environment. */
export function snippet(language: Language, request: RequestParts): string {
  switch (language) {
    case 'curl':
      return curl(request)
    case 'javascript':
      return javascript(request)
    case 'python':
      return python(request)
  }
}

/** The body as a value if it's JSON that JavaScript can represent exactly; else null. */
function bodyValue(body: string | null): { readonly value: unknown } | null {
  // Numbers with so many digits may not be exact in JavaScript.
  if (body === null || /\d{16}/.test(body)) return null
  try {
    return { value: JSON.parse(body) }
  } catch {
    return null
  }
}

function curl({ method, url, body }: RequestParts): string {
  const lines = [`curl ${shellQuote(url)}`]
  if (method !== (body === null ? 'GET' : 'POST')) lines.push(`--request ${method}`)
  lines.push(`--header "X-API-Key: $${KEY_VARIABLE}"`)
  if (body !== null) lines.push(`--header 'Content-Type: application/json'`, `--data-raw ${shellQuote(body)}`)
  return lines.join(' \\\n  ')
}

function javascript({ method, url, body }: RequestParts): string {
  const value = bodyValue(body)
  const headers = [`"X-API-Key": process.env.${KEY_VARIABLE},`]
  if (body !== null) headers.push('"Content-Type": "application/json",')
  return [
    `const response = await fetch(${stringLiteral(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: ${stringLiteral(method)},`]),
    '  headers: {',
    ...headers.map((header) => `    ${header}`),
    '  },',
    ...(value ? [`  body: JSON.stringify(${jsLiteral(value.value, '  ')}),`] : []),
    ...(body !== null && !value ? [`  body: ${stringLiteral(body)},`] : []),
    '})',
    'const answer = await response.json()',
    'if (!response.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`)',
    'console.log(answer)',
  ].join('\n')
}

function python({ method, url, body }: RequestParts): string {
  const value = bodyValue(body)
  const headers = [`"X-API-Key": os.environ["${KEY_VARIABLE}"]`]
  if (body !== null && !value) headers.push('"Content-Type": "application/json"')
  return [
    'import os',
    '',
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    ${stringLiteral(url)},`,
    `    headers={${headers.join(', ')}},`,
    ...(value ? [`    json=${pyLiteral(value.value, '    ')},`] : []),
    ...(body !== null && !value ? [`    data=${stringLiteral(body)}.encode(),`] : []),
    '    timeout=60,',
    ')',
    'answer = response.json()',
    'if not response.ok:',
    "    raise SystemExit(f\"{answer['error']['code']}: {answer['error']['message']}\")",
    'print(answer)',
  ].join('\n')
}

/* Literals in the snippets' languages. Each evaluates to exactly the original value. */

/** A word in a POSIX shell, which can't contain NUL. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** A string in JavaScript or Python, which both understand JSON's escapes. */
export function stringLiteral(text: string): string {
  return JSON.stringify(text)
}

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)

/** A JSON value in JavaScript. */
export function jsLiteral(value: unknown, indent = ''): string {
  const json = JSON.stringify(value, null, 2) ?? 'undefined'
  // As a key in an object literal, it would set the prototype.
  if (json.includes('"__proto__"')) return `JSON.parse(${stringLiteral(JSON.stringify(value))})`
  return indented(
    // Removes quotes from keys that don't need them. Strings contain no newlines, so only keys are at the start of a
    // line.
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

/** A request to the service without the key, which is never part of a snippet. */
export interface RequestParts {
  /** Upper case. */
  readonly method: string
  readonly url: string
  /** JSON as text; null if there's none. */
  readonly body: string | null
}

/** Values for an operation's placeholders and query. Empty values of `query` are omitted. */
export interface Values {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: string | null
}

/** The URL of a path with its placeholders filled in. Those without a value stay: `{datasetId}`. */
export function requestUrl(baseUrl: string, path: string, { params = {}, query = {} }: Values): string {
  const filled = path.replace(/\{([^{}]+)\}/g, (hole, name: string) => {
    const value = params[name]
    return value ? encodeURIComponent(value) : encodeURIComponent(hole)
  })
  const search = Object.entries(query)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return `${baseUrl.replace(/\/+$/, '')}${filled}${search ? `?${search}` : ''}`
}

/** A request for one of the operations. */
export function operationRequest(
  id: OperationId,
  baseUrl: string,
  values: Omit<Values, 'body'> & { readonly body?: unknown },
): RequestParts {
  const { method, path, body }: Operation = operations[id]
  return {
    method: method.toUpperCase(),
    url: requestUrl(baseUrl, path, { params: values.params ?? {}, query: values.query ?? {} }),
    body: body ? JSON.stringify(values.body ?? {}, null, 2) : null,
  }
}
