import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openApiDocument, serverUrls } from '../../../contract/openapi.ts'
import { operations } from '../../../contract/operations.ts'
import { readDocument, type ReferenceOperation } from './document.ts'
import { exampleSql, fill, firstDraft, missing, requestOf, withFields } from './drafts.ts'
import { highlight } from './highlight.ts'
import { parseInlines, parseMarkdown } from './markdown.ts'
import { nextOf } from './next.ts'
import { schemaTree } from './schema-tree.ts'
import { MAX_BYTES, prettyJson, send, type Outcome } from './send.ts'

const BASE = 'https://api.example.com/public/v1'
const own = readDocument(openApiDocument(serverUrls(BASE)))!
const operation = (id: string): ReferenceOperation => own.operations.find((one) => one.id === id)!
const known = { workspaceId: 'w1', sql: 'SELECT 1' }

describe('readDocument', () => {
  it('reads the contract’s own document', () => {
    expect(own.operations.map(({ id }) => id).sort()).toEqual(Object.keys(operations).sort())
    expect(operation('createDataset')).toMatchObject({
      method: 'POST',
      path: '/datasets',
      tag: 'Datasets',
      scopes: ['datasets:*:write'],
      prefixes: [],
    })
    expect(operation('convert').prefixes).toEqual(['/public/v1', '/api/public/v1'])
    expect(operation('listDatasets').parameters).toMatchObject([
      { name: 'workspaceId', place: 'path', required: true },
      { name: 'expand', place: 'query', required: false, values: ['tables'] },
    ])
    const limited = operation('formats').responses.find(({ status }) => status === '429')
    expect(limited?.headers.map(({ name }) => name)).toContain('Retry-After')
    expect(limited?.content?.examples).toHaveLength(1)
  })

  it('reads another service’s document, even with circular references', () => {
    const read = readDocument({
      openapi: '3.0.1',
      paths: {
        '/things/{id}': {
          parameters: [{ name: 'id', in: 'path', schema: { type: 'integer', example: 7 } }],
          get: { responses: { default: { $ref: '#/components/responses/~1odd' } } },
        },
      },
      components: {
        responses: { '/odd': { description: 'Odd' } },
        schemas: { A: { $ref: '#/components/schemas/A' } },
      },
    })
    expect(read?.operations[0]).toMatchObject({
      id: 'get-things-id-',
      summary: 'GET /things/{id}',
      scopes: null,
      parameters: [{ name: 'id', required: true, example: '7' }],
      responses: [{ status: 'default', description: 'Odd' }],
    })
    expect(read?.resolve({ $ref: '#/components/schemas/A' })).toBeTypeOf('object')
    expect(read?.resolve({ $ref: '#/__proto__/x' })).toEqual({})
  })

  it('accepts any JSON without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        readDocument(a)
        readDocument({ openapi: '3.1.0', paths: { '/x': { get: a, parameters: b } }, components: b })
      }),
    )
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('type', 'items', 'anyOf', 'allOf', 'enum', 'required', 'description', 'properties'),
          fc.oneof(fc.jsonValue(), fc.constant('object'), fc.constant({ $ref: '#' })),
        ),
        (schema) => {
          const { nodes } = schemaTree({ type: 'object', properties: { a: schema, b: { items: schema } } }, (one) =>
            typeof one === 'object' && one !== null && !Array.isArray(one) && !('$ref' in one) ? one : {},
          )
          for (const node of nodes) expect(typeof node.description + typeof node.type).toBe('stringstring')
        },
      ),
    )
    for (const source of [null, [], 'x', { swagger: '2.0' }, { openapi: '3.1.0', paths: {} }]) {
      expect(readDocument(source)).toBeNull()
    }
  })
})

describe('schemaTree', () => {
  const tree = (id: string) => schemaTree(operation(id).body?.schema ?? {}, own.resolve)

  it('shows nested fields with their limits', () => {
    const { nodes } = tree('signUploads')
    expect(nodes.map(({ name, type, required }) => [name, type, required])).toEqual([
      ['workspace_id', 'string (uuid)', true],
      ['files', 'array of objects', true],
    ])
    expect(nodes[1]?.notes).toEqual(['1 to 100 items'])
    expect(nodes[1]?.children.map(({ name }) => name)).toEqual(['filename', 'content_type'])
    expect(tree('createDataset').nodes.find(({ name }) => name === 'visibility')).toMatchObject({
      type: '"private" | "public"',
      notes: ['default "private"'],
    })
  })

  it('says how many alternatives there are, and ends at recursive schemas', () => {
    expect(tree('convert').forms).toBe(2)
    const endless = schemaTree({ $ref: '#' }, () => ({ type: 'object', properties: { a: { $ref: '#' } } }))
    expect(endless.nodes).toMatchObject([{ name: 'a', children: [] }])
    const refs = Array.from({ length: 12 }, (_, index) => `#/${index}`)
    const properties = Object.fromEntries(refs.map(($ref) => [$ref, { $ref }]))
    const woven = schemaTree({ $ref: '#/0' }, () => ({ type: 'object', properties }))
    expect(JSON.stringify(woven).match(/"name"/g)?.length).toBeLessThanOrEqual(1000)
  })
})

describe('drafts', () => {
  it('are filled in for the workspace, without a dataset', () => {
    expect(firstDraft(operation('listDatasets'), known).params).toEqual({ workspaceId: 'w1' })
    expect(firstDraft(operation('deleteDataset'), known).params).toEqual({ datasetId: '' })
    const body = firstDraft(operation('createDataset'), known).body
    expect(JSON.parse(body ?? '')).toMatchObject({ workspace_id: 'w1', dataset_name: 'Sales 2026' })
    expect(fill([{ workspace_id: 1, deep: [{ sql: 'x' }] }], known)).toEqual([
      { workspace_id: 'w1', deep: [{ sql: 'SELECT 1' }] },
    ])
  })

  it('can be sent once required fields are filled in', () => {
    const draft = firstDraft(operation('deleteDataset'), known)
    expect(missing(operation('deleteDataset'), draft)).toContain('datasetId')
    const full = { ...draft, params: { datasetId: 'a b' } }
    expect(missing(operation('deleteDataset'), full)).toBeNull()
    expect(requestOf(operation('deleteDataset'), full, BASE)).toEqual({
      method: 'DELETE',
      url: `${BASE}/datasets/a%20b`,
      body: null,
    })
    expect(missing(operation('query'), { params: {}, query: {}, body: '{' })).toContain('isn’t JSON')
  })

  it('query the first table, with names quoted if necessary', () => {
    expect(exampleSql('my_ws', [])).toContain('SELECT 42')
    const datasets = [
      { name: 'empty', tables: [] },
      { name: 'Sales "26"', tables: [{ name: 'orders' }] },
    ]
    expect(exampleSql('my_ws', datasets)).toContain('FROM my_ws."Sales ""26""".orders')
    expect(exampleSql('', datasets)).toContain('SELECT 42')
  })

  it('insert fields of another answer, unless the body isn’t JSON', () => {
    expect(withFields('{"a": 1}', (body) => ({ ...body, b: 2 }))).toBe('{\n  "a": 1,\n  "b": 2\n}')
    expect(withFields('{', (body) => body)).toBe('{')
  })
})

describe('nextOf', () => {
  const outcome = (body: unknown, status = 200): Outcome => ({
    status,
    headers: [],
    milliseconds: 1,
    text: JSON.stringify(body),
    cut: false,
  })

  it('finds URLs to upload to and download from', () => {
    const urls = [{ filename: 'a.csv', signed_url: 'u1' }]
    const sent = JSON.stringify({ files: [{ content_type: 'text/csv' }] })
    expect(nextOf('signUploads', outcome({ urls }), sent).uploads).toEqual([
      { label: 'a.csv', url: 'u1', contentType: 'text/csv' },
    ])
    const source = { upload_url: 'u', file_path: 'p', content_type: 'text/csv' }
    expect(nextOf('conversionUrls', outcome({ data: { source } }), null)).toMatchObject({ sourcePath: 'p' })
    expect(nextOf('convert', outcome({ data: { download_url: 'd' } }), null).download).toBe('d')
    expect(nextOf('convert', outcome({ data: { download_url: 'd' } }, 400), null).download).toBeNull()
  })

  it('finds nothing in other JSON, without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('signUploads', 'conversionUrls', 'convert', 'query'), (body, id) => {
        nextOf(id, outcome(body), JSON.stringify(body))
      }),
    )
  })
})

describe('send', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('sends the key, and reads status, headers and text', async () => {
    const fetch = vi.fn(async () => Response.json({ a: 1 }, { status: 404, headers: { 'X-RateLimit-Limit': '5' } }))
    vi.stubGlobal('fetch', fetch)
    const outcome = await send({ method: 'POST', url: BASE, body: '{}' }, 'k', new AbortController().signal)
    expect(outcome).toMatchObject({ status: 404, text: '{"a":1}', cut: false })
    expect(new Headers(outcome.headers.map(([name, value]) => [name, value])).get('x-ratelimit-limit')).toBe('5')
    expect(fetch).toHaveBeenCalledWith(
      BASE,
      expect.objectContaining({
        method: 'POST',
        body: '{}',
        credentials: 'omit',
        headers: { 'X-API-Key': 'k', 'Content-Type': 'application/json' },
      }),
    )
  })

  it('passes on the signal', async () => {
    vi.stubGlobal('fetch', async (_: string, { signal }: { signal: AbortSignal }) => {
      signal.throwIfAborted()
      return new Response()
    })
    const reason = new Error('no longer wanted')
    await expect(send({ method: 'GET', url: BASE, body: null }, 'k', AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  it('stops reading at what a page can show', async () => {
    let pulled = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled++
        controller.enqueue(new Uint8Array(1024 * 1024).fill(97))
      },
    })
    vi.stubGlobal('fetch', async () => new Response(endless))
    const outcome = await send({ method: 'GET', url: BASE, body: null }, 'k', new AbortController().signal)
    expect(outcome.cut).toBe(true)
    expect(outcome.text.length).toBeLessThan(MAX_BYTES + 2 * 1024 * 1024)
    expect(pulled).toBeLessThan(40)
  })

  it('indents JSON and leaves other text unchanged', () => {
    expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}')
    expect(prettyJson('<html>')).toBe('<html>')
  })
})

describe('rendering', () => {
  it('keeps all of the code', () => {
    const languages = fc.constantFrom('curl', 'javascript', 'python', 'json', 'http')
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), languages, (code, language) => {
        expect(
          highlight(code, language)
            .map(({ text }) => text)
            .join(''),
        ).toBe(code)
      }),
    )
    expect(highlight('{"a": "b"}', 'json').filter(({ kind }) => kind !== 'plain')).toEqual([
      { kind: 'name', text: '"a"' },
      { kind: 'string', text: '"b"' },
    ])
  })

  it('keeps all words of descriptions', () => {
    expect(parseMarkdown('## Head\n\nA `b` **c**\nd\n\n- one\n- two')).toEqual([
      { kind: 'heading', inlines: [{ kind: 'text', text: 'Head' }] },
      {
        kind: 'paragraph',
        inlines: [
          { kind: 'text', text: 'A ' },
          { kind: 'code', text: 'b' },
          { kind: 'text', text: ' ' },
          { kind: 'strong', text: 'c' },
          { kind: 'text', text: ' d' },
        ],
      },
      { kind: 'list', items: [[{ kind: 'text', text: 'one' }], [{ kind: 'text', text: 'two' }]] },
    ])
    expect(parseInlines('datasets:*:read and a*b*c')).toEqual([{ kind: 'text', text: 'datasets:*:read and a*b*c' }])
  })
})
