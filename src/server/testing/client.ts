import type { Told } from './server.ts'

/* A client that uses a server over HTTP. */

/** Uploads a file to a signed URL. */
export const put = (url: string, body: string | Uint8Array<ArrayBuffer>, type = 'text/csv'): Promise<Response> =>
  fetch(url, { method: 'PUT', headers: { 'Content-Type': type }, body })

/** Like `put`. @throws {Error} if the upload is refused */
export async function upload(...[url, body, type]: Parameters<typeof put>): Promise<void> {
  const answer = await put(url, body, type)
  if (!answer.ok) throw new Error(`PUT: ${answer.status} ${await answer.text()}`)
}

/** An upload whose last bytes are sent when a test says so. */
interface HeldUpload {
  readonly answer: Promise<Response>
  /** Waits until the server has received its beginning. @param server the URL of a server without other requests */
  hasCome(server: string): Promise<void>
  finish(): void
}

export function heldUpload(url: string): HeldUpload {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  void writer.write(new TextEncoder().encode('id\n1\n'))
  const headers = { 'Content-Type': 'text/csv' }
  const answer = fetch(url, { method: 'PUT', headers, body: readable, duplex: 'half' } as RequestInit)
  return {
    answer,
    async hasCome(server) {
      // The request for the metrics counts, too.
      while (!/rowhouse_http_requests_running [2-9]/.test(await (await fetch(`${server}/metrics`)).text()));
    },
    finish: () => void writer.close(),
  }
}

/** The URL in a response that signs one; empty if there's none. */
export async function signedUrlOf(answer: Response): Promise<string> {
  const { urls } = (await answer.json()) as { readonly urls?: readonly { readonly signed_url: string }[] }
  return urls?.[0]?.signed_url ?? ''
}

/** Sends requests with a workspace's key, and those to the console with the operator's token. */
export class Client {
  readonly workspace: string
  private readonly told: Told
  private readonly address: () => string

  /**
   * @param told what the server printed that created the workspace
   * @param address returns the URL for each request, if they don't all go to that server
   */
  constructor(told: Told, address = (): string => told.url) {
    this.workspace = told.workspace_id
    this.told = told
    this.address = address
  }

  /** Returns any response, even an error. */
  ask(method: string, place: string, asked?: unknown): Promise<Response> {
    const { key = '', console_token: token = '' } = this.told
    const headers: Record<string, string> = place.startsWith('/console/')
      ? { Authorization: `Bearer ${token}` }
      : { 'X-API-Key': key }
    if (asked === undefined) return fetch(this.address() + place, { method, headers })
    headers['Content-Type'] = 'application/json'
    return fetch(this.address() + place, { method, headers, body: JSON.stringify(asked) })
  }

  /** The body of a successful response. @throws {Error} with the response if it's an error */
  async json<T>(method: string, place: string, asked?: unknown): Promise<T> {
    return jsonOf(await this.ask(method, place, asked))
  }

  sign(filename = 'a.csv', type = 'text/csv'): Promise<Response> {
    const files = [{ filename, content_type: type }]
    return this.ask('POST', '/public/v1/storage/signed-urls', { workspace_id: this.workspace, files })
  }

  /** A URL for an upload. */
  async signedUrl(filename?: string, type?: string): Promise<string> {
    return signedUrlOf(await this.sign(filename, type))
  }

  /** Creates a dataset from one uploaded file. */
  create(name: string, signedUrl: string, table = 't'): Promise<Response> {
    const tables = [{ table_name: table, signed_url: signedUrl }]
    return this.ask('POST', '/public/v1/datasets', { workspace_id: this.workspace, dataset_name: name, tables })
  }

  /** Uploads a CSV and creates a dataset. @throws {Error} if the upload is refused */
  async publish(name: string, csv: string): Promise<Response> {
    const url = await this.signedUrl()
    await upload(url, csv)
    return this.create(name, url)
  }

  /** Converts a CSV to JSON. @returns the result's URL */
  async convert(csv: string, filename?: string): Promise<string> {
    const formats = {
      source_format: 'csv',
      destination_format: 'json',
      ...(filename === undefined ? {} : { filename }),
    }
    const place = '/public/v1/convert/upload-urls'
    const { data } = await this.json<{ data: { source: { upload_url: string; file_path: string } } }>(
      'POST',
      place,
      formats,
    )
    await upload(data.source.upload_url, csv)
    const asked = { source_url: data.source.file_path, ...formats }
    const done = await this.json<{ data: { download_url: string } }>('POST', '/public/v1/convert', asked)
    return done.data.download_url
  }

  query(sql: string): Promise<Response> {
    return this.ask('POST', '/public/v1/query', { sql, timeout_seconds: 60 })
  }

  /** A statement's rows, or the code of its error. */
  async rows(sql: string): Promise<unknown> {
    const { data, error } = (await (await this.query(sql)).json()) as {
      readonly data?: { readonly rows: unknown }
      readonly error?: { readonly code: string }
    }
    return data?.rows ?? error?.code
  }
}

/** The body of a successful response. @throws {Error} with the response if it's an error */
export async function jsonOf<T>(answer: Response): Promise<T> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${text}`)
  return JSON.parse(text) as T
}

/** The id of the dataset in a response. */
export async function datasetOf(answer: Response): Promise<string> {
  const { data } = await jsonOf<{ readonly data: { readonly dataset: { readonly id: string } } }>(answer)
  return data.dataset.id
}
