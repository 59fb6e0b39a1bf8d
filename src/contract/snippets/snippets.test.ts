import { execFileSync, spawnSync } from 'node:child_process'
import vm from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { documentation } from '../documentation/operations.ts'
import { operations, type Operation, type OperationId } from '../operations.ts'
import {
  convertSnippet,
  LANGUAGES,
  operationRequest,
  publishSnippet,
  requestUrl,
  snippet,
  type RequestParts,
  type Values,
} from './index.ts'
import { jsLiteral, pyLiteral, shellQuote, stringLiteral } from './languages.ts'

const BASE = 'https://api.example.com/public/v1'
const KEY = 'sk_live_test'
const hasPython = spawnSync('python3', ['--version']).status === 0
const env = { ...process.env, ROWHOUSE_API_KEY: KEY }

/** What a snippet sends, from the arguments of curl, `fetch` or `requests`. */
interface Sent {
  readonly method: string
  readonly url: string
  readonly key: string | undefined
  readonly body: unknown
}

function run(command: string, args: readonly string[], input: string): string {
  return execFileSync(command, args, { input, env, encoding: 'utf8' })
}

function runCurl(code: string): Sent {
  const out = run('sh', [], `curl() { printf '%s\\0' "$@"; }\n${code}\n`)
  const args = out.split('\0').slice(0, -1)
  const after = (name: string): string | undefined => args[args.indexOf(name) + 1 || args.length]
  const body = after('--data-raw')
  const key = args.find((arg) => arg.startsWith('X-API-Key: '))?.slice('X-API-Key: '.length)
  return {
    method: after('--request') ?? (body === undefined ? 'GET' : 'POST'),
    url: args[0] ?? '',
    key,
    body: body === undefined ? null : JSON.parse(body),
  }
}

async function runJavaScript(code: string): Promise<Sent> {
  let sent: Sent | undefined
  const fetch = (url: string, init: { method?: string; headers: Record<string, string>; body?: string }) => {
    const body = init.body === undefined ? null : JSON.parse(init.body)
    sent = { method: init.method ?? 'GET', url, key: init.headers['X-API-Key'], body }
    return { ok: true, json: () => ({}) }
  }
  await new vm.Script(`(async () => {${code}\n})()`).runInNewContext({
    fetch,
    process: { env },
    console: { log() {} },
    JSON,
  })
  if (!sent) throw new Error('nothing was sent')
  return sent
}

const FAKE_REQUESTS = `
import json, sys, types
def call(method):
    def send(url, headers, timeout, json=None, data=None):
        import json as j
        body = j.loads(data) if data is not None else json
        print(j.dumps({"method": method, "url": url, "key": headers["X-API-Key"], "body": body}))
        class Answer:
            ok = True
            def json(self): return {}
        return Answer()
    return send
fake = types.ModuleType("requests")
for name in ["get", "post", "patch", "delete"]: setattr(fake, name, call(name.upper()))
sys.modules["requests"] = fake
`

function runPython(code: string): Sent {
  return JSON.parse(run('python3', ['-'], `${FAKE_REQUESTS}\n${code}\n`).split('\n')[0] ?? '')
}

const requests = Object.entries(operations as Readonly<Record<string, Operation>>).map(
  ([id, operation]): [string, RequestParts] => {
    const [example] = Object.values(documentation[id as OperationId].request ?? {})
    const values: Omit<Values, 'body'> = {
      params: { workspaceId: 'w 1', datasetId: "d'2" },
      query: operation.query ? { expand: 'tables' } : {},
    }
    return [id, operationRequest(id as OperationId, BASE, { ...values, body: example?.value })]
  },
)

const ODD: RequestParts = {
  method: 'POST',
  url: `${BASE}/query`,
  body: JSON.stringify({
    sql: `SELECT 'it''s "$HOME" \`ls\` \\n', '\${x}' -- ü\u2028😀\n`,
    list: [null, true, false, 1.5, -1e21, [], {}],
    'a b': { __proto__x: 1, 'q"': '</script>' },
  }),
}

describe('a snippet of one request', () => {
  it.each([...requests, ['odd characters', ODD]] as [string, RequestParts][])(
    'sends the same in every language: %s',
    async (_, request) => {
      const sent: Sent = {
        method: request.method,
        url: request.url,
        key: KEY,
        body: request.body === null ? null : JSON.parse(request.body),
      }
      expect(runCurl(snippet('curl', request))).toEqual(sent)
      expect(await runJavaScript(snippet('javascript', request))).toEqual(sent)
      if (hasPython) expect(runPython(snippet('python', request))).toEqual(sent)
    },
  )

  it.each([['{"n": 12345678901234567890}'], ['{"__proto__": {"a": 1}}'], ['not JSON\'"']])(
    'sends a body as it was written: %s',
    (body) => {
      const request = { ...ODD, body }
      const out = run('sh', [], `curl() { printf '%s' "$6"; }\n${snippet('curl', request)}\n`)
      // url, --header, key, --header, type, --data-raw
      expect(out).toBe('--data-raw')
      expect(run('sh', [], `curl() { printf '%s' "$7"; }\n${snippet('curl', request)}\n`)).toBe(body)
    },
  )

  it('never contains a key', () => {
    for (const { id } of LANGUAGES)
      for (const [, request] of requests) expect(snippet(id, request)).toContain('ROWHOUSE_API_KEY')
  })
})

describe('URLs', () => {
  it('are filled in and encoded', () => {
    expect(requestUrl(`${BASE}/`, '/datasets/{datasetId}', { params: { datasetId: 'a/b?c' } })).toBe(
      `${BASE}/datasets/a%2Fb%3Fc`,
    )
    expect(requestUrl(BASE, '/x', { query: { a: '', b: '1&2' } })).toBe(`${BASE}/x?b=1%262`)
    expect(requestUrl(BASE, '/datasets/{datasetId}', {})).toBe(`${BASE}/datasets/%7BdatasetId%7D`)
  })
})

describe('snippets with several steps', () => {
  const publish = {
    baseUrl: BASE,
    workspaceId: 'w',
    datasetName: "Bob's “data”",
    tableName: 'orders',
    filename: "it's $1.csv",
    format: 'csv',
  } as const
  const convert = {
    baseUrl: BASE,
    filename: "it's.csv",
    from: 'csv',
    to: 'parquet',
    resultFilename: 'it’s.parquet',
  } as const

  it.each(LANGUAGES.map(({ id }) => id))('are valid programs in %s', (language) => {
    for (const code of [publishSnippet(language, publish), convertSnippet(language, convert)]) {
      expect(code).toContain('ROWHOUSE_API_KEY')
      if (language === 'curl') run('sh', ['-n'], code)
      if (language === 'python' && hasPython)
        run('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], code)
      if (language === 'javascript') {
        const body = code.replace(/^import .*$/gm, '')
        expect(() => new vm.Script(`(async () => {${body}\n})()`)).not.toThrow()
      }
    }
  })

  it('pass each step’s answer to the next in a shell', () => {
    const curl = `curl() {
      case "$*" in
        *signed-urls*) echo '{"urls": [{"signed_url": "https://h/up?a=1&b=2"}]}' ;;
        *PUT*) ;;
        *) cat ;;
      esac
    }\n`
    const created = JSON.parse(run('bash', [], `${curl}${publishSnippet('curl', publish)} 2>/dev/null`))
    expect(created).toEqual({
      dataset_name: publish.datasetName,
      workspace_id: 'w',
      tables: [{ table_name: 'orders', signed_url: 'https://h/up?a=1&b=2' }],
    })
  })
})

describe('literals evaluate to the original value', () => {
  it('in JavaScript', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const back: unknown = new vm.Script(`(${jsLiteral(value)})`).runInThisContext()
        expect(JSON.stringify(back)).toBe(JSON.stringify(value))
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(new vm.Script(stringLiteral(text)).runInThisContext()).toBe(text)
      }),
    )
  })

  it.skipIf(!hasPython)('in Python', () => {
    const values = fc.sample(fc.jsonValue(), 200)
    const program = `import json\n${values.map((value) => `print(json.dumps(${pyLiteral(value)}))`).join('\n')}\n`
    const lines = run('python3', ['-'], program).trimEnd().split('\n')
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(
      values.map((value): unknown => JSON.parse(JSON.stringify(value))),
    )
  })

  it('in a shell', () => {
    const texts = fc.sample(fc.string({ unit: 'grapheme' }), 300).filter((text) => !text.includes('\0'))
    const out = run(
      'sh',
      [],
      `printf '%s\\0' ${[...texts, "'", "a'b''", '$(ls)', '\n', ''].map(shellQuote).join(' ')}\n`,
    )
    expect(out.split('\0').slice(0, -1)).toEqual([...texts, "'", "a'b''", '$(ls)', '\n', ''])
  })
})
