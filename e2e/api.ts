import { expect, type Page } from '@playwright/test'

/* Calls the service with a page's own `fetch`, whichever service answers. */

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Of an envelope, or else the whole answer. */
  readonly data: Json
  readonly error: { readonly code: string; readonly message: string; readonly details?: Json } | null
  readonly meta: Json
  readonly text: string
}

export interface Json {
  readonly [name: string]: unknown
}

export interface Init {
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, unless it's a string. */
  readonly body?: unknown
  /** Milliseconds before the caller cancels. */
  readonly abortAfter?: number
}

/** Opens the app and waits until its service answers. */
export async function open(page: Page): Promise<void> {
  await page.goto('/convert')
  await expect
    .poll(async () => (await send(page, 'GET', '/console/v1/workspaces')).headers['content-type'])
    .toMatch(/^application\/json/)
}

/** A request by the page's `fetch`. Status 0 means that there was no answer. */
export async function send(page: Page, method: string, url: string, init: Init = {}): Promise<Reply> {
  const { body, key } = init
  const request = {
    method,
    headers: {
      ...(key === undefined ? {} : { 'X-API-Key': key }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...init.headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
  const { status, headers, text } = await page.evaluate(
    async ([address, options, abortAfter]) => {
      const signal = abortAfter === null ? null : AbortSignal.timeout(abortAfter)
      try {
        const response = await fetch(address, { ...options, signal })
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          text: await response.text(),
        }
      } catch (error) {
        return { status: 0, headers: {}, text: String(error) }
      }
    },
    [url, request, init.abortAfter ?? null] as const,
  )
  const json = parsed(text)
  const enveloped = 'success' in json
  return {
    status,
    headers,
    text,
    data: (enveloped ? (json['data'] ?? {}) : json) as Json,
    error: (json['error'] ?? null) as Reply['error'],
    meta: (json['meta'] ?? {}) as Json,
  }
}

function parsed(text: string): Json {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? (json as Json) : {}
  } catch {
    return {}
  }
}

export interface Account {
  readonly page: Page
  readonly workspace: { readonly id: string; readonly slug: string }
  readonly key: string
  readonly call: (method: string, path: string, body?: unknown) => Promise<Reply>
}

let made = 0

/** A new workspace with a key, which has all scopes by default. */
export async function account(
  page: Page,
  scopes: readonly string[] = ['datasets:*:read', 'datasets:*:write'],
): Promise<Account> {
  const slug = `w${++made}_${Date.now().toString(36)}`
  const { status, data } = await send(page, 'POST', '/console/v1/workspaces', { body: { name: slug, slug } })
  expect(status).toBe(201)
  const workspace = data['workspace'] as Account['workspace']
  return accountOf(page, { workspace, key: await newKey(page, workspace.id, scopes) })
}

/** Calls with an existing key from a page. */
export function accountOf(page: Page, { workspace, key }: Pick<Account, 'workspace' | 'key'>): Account {
  return {
    page,
    workspace,
    key,
    call: (method, path, body) => send(page, method, path, { key, ...(body === undefined ? {} : { body }) }),
  }
}

export async function newKey(page: Page, workspaceId: string, scopes: readonly string[]): Promise<string> {
  const body = { name: 'Test', scopes }
  const { data } = await send(page, 'POST', `/console/v1/workspaces/${workspaceId}/api-keys`, { body })
  return data['key'] as string
}

export const CSV = 'id,name,amount\n1,Ann,1.50\n2,Bob,\n3,"O\'Neil, Zoë",2.25\n'

/** PUTs text to a signed URL. */
export function put(page: Page, url: string, body: string, contentType = 'text/csv'): Promise<Reply> {
  return send(page, 'PUT', url, { body, headers: { 'Content-Type': contentType } })
}

/** Signs a URL and uploads to it. */
export async function upload(
  { page, workspace, call }: Account,
  body = CSV,
  contentType = 'text/csv',
): Promise<string> {
  const files = [{ filename: 'people.csv', content_type: contentType }]
  const { data } = await call('POST', '/public/v1/storage/signed-urls', { workspace_id: workspace.id, files })
  const [{ signed_url: url }] = data['urls'] as [{ signed_url: string }]
  expect((await put(page, url, body, contentType)).status).toBe(200)
  return url
}

/** A dataset with one table, `t`. */
export async function dataset(by: Account, name: string, more: object = {}): Promise<string> {
  const { data, text } = await by.call('POST', '/public/v1/datasets', {
    workspace_id: by.workspace.id,
    dataset_name: name,
    tables: [{ table_name: 't', signed_url: await upload(by) }],
    ...more,
  })
  expect(data['dataset'], text).toBeTruthy()
  return (data['dataset'] as { id: string }).id
}

export async function sql(by: Account, statement: string, more: object = {}): Promise<Reply> {
  return by.call('POST', '/public/v1/query', { sql: statement, ...more })
}
