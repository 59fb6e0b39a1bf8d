import { z } from 'zod'
import { apiKeySchema, newApiKeyDataSchema, usageDataSchema, workspaceSchema } from '../contract/schemas.ts'
import type { CallOptions, ConsoleClient } from './client.ts'
import { Http, type HttpOptions } from './http.ts'

export interface ConsoleClientOptions extends HttpOptions {
  /** Up to and including the version segment, `.../console/v1`. */
  readonly baseUrl: string
}

const workspaceData = z.object({ workspace: workspaceSchema })
const workspacesData = z.object({ workspaces: z.array(workspaceSchema) })
const keysData = z.object({ api_keys: z.array(apiKeySchema) })
const doneData = z.object({ id: z.string() })

/** A client of the console: in the browser it belongs to whoever has the page, so it needs no key. */
export function createConsoleClient(options: ConsoleClientOptions): ConsoleClient {
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const http = new Http(options)
  const call = <S extends z.ZodType>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: readonly string[],
    schema: S,
    callOptions?: CallOptions,
    body?: unknown,
  ): Promise<z.output<S>> =>
    http.json({
      method,
      url: [baseUrl, ...path.map((part) => encodeURIComponent(part))].join('/'),
      schema,
      body,
      // What is created, or deleted and then not found, wouldn't be the same twice.
      repeatable: method === 'GET' || method === 'PATCH',
      signal: callOptions?.signal,
    })
  return {
    workspaces: async (callOptions) => (await call('GET', ['workspaces'], workspacesData, callOptions)).workspaces,
    createWorkspace: async (workspace, callOptions) =>
      (await call('POST', ['workspaces'], workspaceData, callOptions, workspace)).workspace,
    updateWorkspace: async (id, change, callOptions) =>
      (await call('PATCH', ['workspaces', id], workspaceData, callOptions, change)).workspace,
    deleteWorkspace: async (id, callOptions) => {
      await call('DELETE', ['workspaces', id], doneData, callOptions)
    },
    apiKeys: async (workspaceId, callOptions) =>
      (await call('GET', ['workspaces', workspaceId, 'api-keys'], keysData, callOptions)).api_keys,
    createApiKey: (workspaceId, { name, scopes, expiresAt }, callOptions) =>
      call('POST', ['workspaces', workspaceId, 'api-keys'], newApiKeyDataSchema, callOptions, {
        name,
        scopes,
        expires_at: expiresAt?.toISOString() ?? null,
      }),
    rotateApiKey: (id, graceSeconds, callOptions) =>
      call('POST', ['api-keys', id, 'rotate'], newApiKeyDataSchema, callOptions, { grace_seconds: graceSeconds }),
    revokeApiKey: async (id, callOptions) => {
      await call('DELETE', ['api-keys', id], doneData, callOptions)
    },
    usage: (workspaceId, callOptions) =>
      call('GET', ['workspaces', workspaceId, 'usage'], usageDataSchema, callOptions),
  }
}
