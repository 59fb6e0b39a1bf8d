import { jsLiteral, pyLiteral, shellQuote, stringLiteral } from './quote.ts'
import type { RequestParts } from './request.ts'

export const LANGUAGES = [
  { id: 'curl', label: 'curl' },
  { id: 'javascript', label: 'JavaScript' },
  { id: 'python', label: 'Python' },
] as const
export type Language = (typeof LANGUAGES)[number]['id']

/** The environment variable that snippets take the key from. */
export const KEY_VARIABLE = 'ROWHOUSE_API_KEY'

/** The request as a program that can be run as it is, once the key is in the environment. */
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

/** The body as a value, where it's JSON that loses nothing by that; else null. */
function bodyValue(body: string | null): { readonly value: unknown } | null {
  // Numbers beyond what JavaScript holds stay as they were written.
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
