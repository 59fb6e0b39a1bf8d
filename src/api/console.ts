import type { z } from 'zod'
import { consoleOperations, type ConsoleOperationId } from '../contract/console-operations.ts'
import type { CallOptions, ConsoleClient } from './client.ts'
import { Http, requestFor, type HttpOptions, type Parts } from './http.ts'

export interface ConsoleClientOptions extends HttpOptions {
  /** Up to and including the version segment, `.../console/v1`. */
  readonly baseUrl: string
}

type Output<I extends ConsoleOperationId> = z.output<(typeof consoleOperations)[I]['answer']>

/** A client of the console: in the browser it belongs to whoever has the page, so it needs no key. */
export function createConsoleClient(options: ConsoleClientOptions): ConsoleClient {
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const http = new Http(options)
  const call = <I extends ConsoleOperationId>(id: I, parts: Parts, callOptions?: CallOptions): Promise<Output<I>> => {
    const { method } = consoleOperations[id]
    // What is created, or deleted and then not found, wouldn't be the same twice.
    const repeatable = method === 'get' || method === 'patch'
    const request = { ...requestFor(baseUrl, consoleOperations[id], parts, callOptions), repeatable }
    return http.json(request) as Promise<Output<I>>
  }
  return {
    workspaces: async (callOptions) => (await call('listWorkspaces', {}, callOptions)).workspaces,
    createWorkspace: async (body, callOptions) => (await call('createWorkspace', { body }, callOptions)).workspace,
    updateWorkspace: async (workspaceId, body, callOptions) =>
      (await call('updateWorkspace', { params: { workspaceId }, body }, callOptions)).workspace,
    deleteWorkspace: async (workspaceId, callOptions) => {
      await call('deleteWorkspace', { params: { workspaceId } }, callOptions)
    },
    apiKeys: async (workspaceId, callOptions) =>
      (await call('listApiKeys', { params: { workspaceId } }, callOptions)).api_keys,
    createApiKey: (workspaceId, { name, scopes, expiresAt }, callOptions) => {
      const body = { name, scopes, expires_at: expiresAt?.toISOString() ?? null }
      return call('createApiKey', { params: { workspaceId }, body }, callOptions)
    },
    rotateApiKey: (keyId, graceSeconds, callOptions) =>
      call('rotateApiKey', { params: { keyId }, body: { grace_seconds: graceSeconds } }, callOptions),
    revokeApiKey: async (keyId, callOptions) => {
      await call('revokeApiKey', { params: { keyId } }, callOptions)
    },
    usage: (workspaceId, callOptions) => call('usage', { params: { workspaceId } }, callOptions),
  }
}
