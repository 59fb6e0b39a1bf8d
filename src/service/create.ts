import { createApp } from './app.ts'
import type { Ports, WorkspaceRecord } from './ports.ts'
import { uploadIssues } from './routes/datasets/sources.ts'
import { createHandlers } from './routes/index.ts'
import { createSigner } from './signing.ts'
import { makeKey } from './keys.ts'
import { namedBlobs, namedFiles } from './named.ts'
import { keyHandlers } from './console/api-keys.ts'
import type { ConsoleHandlers } from './call.ts'
import { usageHandler } from './console/usage.ts'
import { workspaceHandlers } from './console/workspaces.ts'

export interface Service {
  /**
   * Handles a request to the public API or the console. Unexpected failures are responses, too. Requests to `/storage`
   * are handled by `storage/`.
   */
  fetch(request: Request): Promise<Response>
  /**
   * Creates a workspace and an API key if there is no workspace. Null if there is one: keys are shown only once.
   * @throws {UnavailableError}
   */
  bootstrap(): Promise<FirstRun | null>
  /**
   * Removes expired records without reading any others.
   * @throws {UnavailableError}
   */
  expire(): Promise<void>
  /**
   * Removes expired records, and remains of interrupted work, for which it lists all stored bytes. Safe at any time,
   * and in several tabs at once.
   * @throws {UnavailableError}
   */
  sweep(): Promise<void>
}

interface ServiceOptions {
  /** URL under which `/public/v1` and `/storage` are: absolute, without a trailing slash. */
  readonly baseUrl: string
}

/**
 * The service on its host's ports. Several instances may share the same ports: what one has in memory is only a cache.
 */
export function createService(ports: Ports, { baseUrl }: ServiceOptions): Service {
  const signer = createSigner(ports.records, ports.clock)
  const app = createApp({
    ports,
    baseUrl,
    handlers: createHandlers({ ports, signer }),
    console: createConsole(ports),
    uploadIssues: (workspaceId, json) => uploadIssues({ ports, signer }, workspaceId, json),
    // Loaded on demand, since it's long and rarely requested.
    openApi: async () => {
      const { openApiDocument, serverUrls } = await import('../contract/openapi.ts')
      return openApiDocument(serverUrls(baseUrl))
    },
  })
  return {
    fetch: async (request) => app.fetch(request),
    bootstrap: () => bootstrap(ports),
    expire: () => expire(ports),
    sweep: () => sweep(ports),
  }
}

interface FirstRun {
  readonly workspace: WorkspaceRecord
  /** For the app itself. It isn't stored, so it can't be shown again. */
  readonly key: string
}

/**
 * Creates the first workspace with an API key; null if there is a workspace. If several tabs call it at once, only one
 * creates them.
 */
async function bootstrap({ records, clock }: Pick<Ports, 'records' | 'clock'>): Promise<FirstRun | null> {
  const now = clock.now()
  const workspace: WorkspaceRecord = {
    id: crypto.randomUUID(),
    name: 'My workspace',
    slug: 'my_workspace',
    plan: 'business',
    createdAt: now,
  }
  const { record, key } = await makeKey({
    workspaceId: workspace.id,
    name: 'Rowhouse',
    scopes: ['datasets:*:read', 'datasets:*:write'],
    createdAt: now,
    expiresAt: null,
  })
  const isFirst = await records.write(['workspaces', 'keys'], async (transaction) => {
    if ((await transaction.count('workspaces')) > 0) return false
    await transaction.put('workspaces', workspace)
    await transaction.put('keys', record)
    return true
  })
  return isFirst ? { workspace, key } : null
}

async function expire({ records, objects, clock, log }: Ports): Promise<void> {
  const now = clock.now()
  const ended = await records.write(['objects', 'counters'], async (transaction) => {
    await transaction.removeOver('counters', now)
    return transaction.removeOver('objects', now)
  })
  for (const { blobId } of ended) {
    if (blobId === null) continue
    await objects.remove(blobId).catch((error: unknown) => log('bytes that had their time stay for the sweep', error))
  }
}

/** Also removes bytes that no record refers to, from interrupted work. */
async function sweep(ports: Ports): Promise<void> {
  const { records, objects, tables } = ports
  await expire(ports)
  await objects.sweep(() => namedBlobs(records))
  await tables.sweep(() => namedFiles(records))
}

/** The handlers of the console. */
export function createConsole(ports: Ports): ConsoleHandlers {
  return { ...workspaceHandlers(ports), ...keyHandlers(ports), usage: usageHandler(ports) }
}
