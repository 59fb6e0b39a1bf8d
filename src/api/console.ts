import type { z } from 'zod'
import { consoleOperations, type ConsoleOperationId } from '../contract/console-operations.ts'
import type { Plan, Scope, Workspace } from '../contract/schemas.ts'
import { freeSlug, slugOf } from '../contract/slugs.ts'
import type { CallOptions } from './client.ts'
import { conflictOf, unlessGone } from './errors.ts'
import { Http, requestFor, type HttpOptions, type Parts } from './http.ts'

export interface ConsoleClientOptions extends HttpOptions {
  /** Up to and including the version segment, `.../console/v1`. */
  readonly baseUrl: string
  /** The operator's token, which a server requires; the stand-in's console needs none. */
  readonly token?: string
}

interface WorkspaceChange {
  readonly name?: string
  readonly slug?: string
  readonly plan?: Plan
}

interface NewKey {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAt?: Date | null
}

type Output<I extends ConsoleOperationId> = z.output<(typeof consoleOperations)[I]['answer']>

/** Workspaces, keys and usage: the console of the stand-in or of a server. */
export type ConsoleClient = ReturnType<typeof createConsoleClient>

export function createConsoleClient(options: ConsoleClientOptions) {
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const http = new Http(options)
  const headers: Record<string, string> =
    options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }
  const call = <I extends ConsoleOperationId>(id: I, parts: Parts, callOptions?: CallOptions): Promise<Output<I>> => {
    // Creating something twice makes two.
    const repeatable = consoleOperations[id].method !== 'post'
    const request = { ...requestFor(baseUrl, consoleOperations[id], parts, callOptions), headers, repeatable }
    return http.json(request) as Promise<Output<I>>
  }
  const workspaces = async (callOptions?: CallOptions): Promise<Workspace[]> =>
    (await call('listWorkspaces', {}, callOptions)).workspaces
  return {
    workspaces,
    async createWorkspace(values: WorkspaceChange & { readonly name: string }): Promise<Workspace> {
      // With a slug, what a repeated request would create conflicts with what the first one did. Without one, it wouldn't.
      const free = async (): Promise<string> => {
        const taken = new Set((await workspaces()).map(({ slug }) => slug))
        return freeSlug(slugOf(values.name), async (slug) => taken.has(slug))
      }
      const body = { ...values, slug: values.slug ?? (await free()) }
      try {
        return (await call('createWorkspace', { body })).workspace
      } catch (error) {
        // A browser repeats a request by itself when its connection breaks off. Then the first one created it.
        const isIt = ({ name, slug, plan }: Workspace): boolean =>
          name === body.name && slug === body.slug && plan === (body.plan ?? plan)
        const made = conflictOf(error) ? (await workspaces()).find(isIt) : undefined
        if (!made) throw error
        return made
      }
    },
    updateWorkspace: async (workspaceId: string, body: WorkspaceChange) =>
      (await call('updateWorkspace', { params: { workspaceId }, body })).workspace,
    deleteWorkspace: async (workspaceId: string) => {
      await call('deleteWorkspace', { params: { workspaceId } }).catch(unlessGone)
    },
    apiKeys: async (workspaceId: string, callOptions?: CallOptions) =>
      (await call('listApiKeys', { params: { workspaceId } }, callOptions)).api_keys,
    createApiKey: (workspaceId: string, { name, scopes, expiresAt }: NewKey) => {
      const body = { name, scopes, expires_at: expiresAt?.toISOString() ?? null }
      return call('createApiKey', { params: { workspaceId }, body })
    },
    rotateApiKey: (keyId: string, graceSeconds: number) =>
      call('rotateApiKey', { params: { keyId }, body: { grace_seconds: graceSeconds } }),
    revokeApiKey: async (keyId: string) => {
      await call('revokeApiKey', { params: { keyId } })
    },
    usage: (workspaceId: string, callOptions?: CallOptions) => call('usage', { params: { workspaceId } }, callOptions),
  }
}
