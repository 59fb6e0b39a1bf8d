import { z } from 'zod'
import { operations, type OperationId } from '../contract/operations.ts'
import { failureOf } from './answer.ts'
import type { ApiClient, CallOptions } from './client.ts'
import { ApiError, conflictOf, unlessGone } from './errors.ts'
import { Http, requestFor, type HttpOptions, type Parts } from './http.ts'
import {
  fromChange,
  fromNewDataset,
  fromTable,
  toCreated,
  toDetails,
  toMade,
  toSummary,
  toUploadTarget,
} from './mapping.ts'
import { withRetries } from './retry.ts'
import { cutOff, endWhenStalled, LONG_WORK, readBlob, xhrUpload, type UploadTransport } from './transfer.ts'

export { createConsoleClient, type ConsoleClientOptions } from './console.ts'
export { consoleUrlOf } from './console-url.ts'
export { unreachable, type UploadTransport } from './transfer.ts'
export type { Answer } from './answer.ts'

export interface ApiClientOptions extends HttpOptions {
  /** Up to and including the version segment, `https://.../public/v1`. */
  readonly baseUrl: string
  readonly key: string
  readonly workspaceId: string
  /** Default: `XMLHttpRequest`. */
  readonly upload?: UploadTransport
}

const NO_ANSWER = { status: 200, requestId: null }

/** Repeating these could create something twice. */
const NOT_REPEATABLE: ReadonlySet<OperationId> = new Set(['createDataset', 'convert'])
/** These may work for a long time before they answer. */
const LONG: ReadonlySet<OperationId> = new Set(['query', 'convert', 'createDataset'])

type Output<I extends OperationId> = z.output<(typeof operations)[I]['answer']>

/** A client for one workspace of a service. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { key, workspaceId } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const http = new Http(options)

  const requestOf = <I extends OperationId>(id: I, parts: Parts, call?: CallOptions) => ({
    ...requestFor(baseUrl, operations[id], parts, call),
    headers: { 'X-API-Key': key },
    repeatable: !NOT_REPEATABLE.has(id),
    patience: LONG.has(id) ? LONG_WORK : undefined,
  })
  const call = <I extends OperationId>(id: I, parts: Parts, callOptions?: CallOptions): Promise<Output<I>> =>
    http.json(requestOf(id, parts, callOptions)) as Promise<Output<I>>
  return {
    ...transfers(http, options.upload ?? xhrUpload),
    async signUploads(files, callOptions) {
      const body = {
        workspace_id: workspaceId,
        files: files.map((file) => ({ filename: file.filename, content_type: file.contentType })),
      }
      return (await call('signUploads', { body }, callOptions)).urls.map(toUploadTarget)
    },
    createDataset(dataset, callOptions) {
      const body = fromNewDataset(dataset, workspaceId)
      return call('createDataset', { body }, callOptions).then(toCreated, async (error: unknown) => {
        // A browser repeats a request by itself when its connection breaks off. Then the first one created the dataset.
        const id = conflictOf(error)?.['dataset_id']
        if (typeof id !== 'string') throw error
        const fail = unread(baseUrl, callOptions?.signal)
        const { dataset: made } = await call('getDataset', { params: { datasetId: id } }, callOptions).catch(fail)
        return toMade(toDetails(made), dataset.tables)
      })
    },
    async listDatasets({ tables = false, ...callOptions } = {}) {
      const parts = { params: { workspaceId }, query: tables ? '?expand=tables' : '' }
      return (await call('listDatasets', parts, callOptions)).datasets.map(toSummary)
    },
    async getDataset(datasetId, callOptions) {
      return toDetails((await call('getDataset', { params: { datasetId } }, callOptions)).dataset)
    },
    async updateDataset(datasetId, change) {
      const { dataset } = await call('updateDataset', { params: { datasetId }, body: fromChange(change) })
      return 'name' in dataset ? toDetails(dataset) : null
    },
    async addTables(datasetId, tables, callOptions) {
      const body = { add_tables: tables.map((table) => ({ ...fromTable(table), append: table.append })) }
      const asked = requestOf('updateDataset', { params: { datasetId }, body }, callOptions)
      const request = { ...asked, patience: LONG_WORK }
      let unheard: ApiError | null = null
      const once = () =>
        http.jsonOnce(request).catch((error: unknown) => {
          if (error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') unheard = error
          throw error
        })
      const { dataset, tables: added } = await withRetries(once, request, http.clock).catch((error: unknown) => {
        // The uploads may have been used by an earlier attempt, ours or the browser's own.
        const conflict = conflictOf(error)
        if (conflict && unheard) throw unheard
        throw conflict?.['reason'] === 'upload_used' ? cutOff(baseUrl, error) : error
      })
      if (!added) throw new ApiError('unexpected', 'The service can’t add tables to a dataset.', NO_ANSWER)
      return toCreated({ dataset: { name: '', ...dataset }, tables: added })
    },
    async deleteDataset(datasetId) {
      await call('deleteDataset', { params: { datasetId } }).catch(unlessGone)
    },
    query: (sql, { timeoutSeconds, ...callOptions } = {}) =>
      call('query', { body: { sql, timeout_seconds: timeoutSeconds } }, callOptions),
    conversionUrls: (from, to, filename, callOptions) =>
      call('conversionUrls', { body: { source_format: from, destination_format: to, filename } }, callOptions),
    convert: (filePath, from, to, filename, callOptions) =>
      call(
        'convert',
        { body: { source_url: filePath, source_format: from, destination_format: to, filename } },
        callOptions,
      ),
    async formats(callOptions) {
      return (await call('formats', {}, callOptions)).formats
    },
    openApi: (callOptions) =>
      http.json({
        method: 'GET',
        // All services have it at this path, and it needs no key.
        url: `${baseUrl.replace(/(?:\/api)?\/public\/v1$/, '/api/public/v1')}/openapi.json`,
        schema: z.looseObject({ openapi: z.string(), paths: z.looseObject({}) }),
        envelope: false,
        repeatable: true,
        signal: callOptions?.signal,
      }),
    rateLimit: http.rateLimit,
  }
}

/** Throws for a call that succeeded, but whose result can't be read. */
const unread =
  (url: string, signal: AbortSignal | undefined) =>
  (cause: unknown): never => {
    signal?.throwIfAborted()
    throw cutOff(url, cause)
  }

/** Transfers to and from signed URLs, which need no key. */
function transfers(http: Http, transport: UploadTransport): Pick<ApiClient, 'upload' | 'download'> {
  return {
    upload: (url, body, { contentType, signal, onProgress }) =>
      withRetries(
        () =>
          endWhenStalled(url, signal, async (own, heard) => {
            const progress = (sent: number): void => {
              heard()
              onProgress?.(sent)
            }
            const answer = await transport({ url, body, contentType, signal: own, onProgress: progress })
            if (answer.status < 200 || answer.status > 299) throw failureOf(answer, http.now())
          }),
        { repeatable: true, signal },
        http.clock,
      ),
    download: (url, { signal, onProgress } = {}) =>
      withRetries(
        () =>
          endWhenStalled(url, signal, async (own, heard) => {
            const response = await http.request(url, { signal: own })
            if (!response.ok) throw failureOf(await http.read(response, url, own, heard), http.now())
            try {
              return await readBlob(response, (received, total) => {
                heard()
                onProgress?.(received, total)
              })
            } catch (cause) {
              own.throwIfAborted()
              throw cutOff(url, cause)
            }
          }),
        { repeatable: true, signal },
        http.clock,
      ),
  }
}
