import { createApp } from './app.ts'
import type { Ports, WorkspaceRecord } from './ports.ts'
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
   * Answers a request to the public interface or the console; even unexpected failures are answers. Requests to
   * `/storage` go to `storage/` instead.
   */
  fetch(request: Request): Promise<Response>
  /**
   * Makes a workspace and a key to it if there's none yet. Null if there is: keys are shown once.
   * @throws {UnavailableError}
   */
  bootstrap(): Promise<FirstRun | null>
  /**
   * Removes what has expired, reading nothing else.
   * @throws {UnavailableError}
   */
  expire(): Promise<void>
  /**
   * Removes what has expired, and what interrupted work left behind, for which it lists all stored bytes. Safe at any
   * moment, in any number of tabs.
   * @throws {UnavailableError}
   */
  sweep(): Promise<void>
}

interface ServiceOptions {
  /** Where `/public/v1` and `/storage` live: absolute, without a slash at its end. */
  readonly baseUrl: string
}

/**
 * The service, over the ports of its host. Several may run over the same ports: what one keeps in memory is only a cache.
 */
export function createService(ports: Ports, { baseUrl }: ServiceOptions): Service {
  const signer = createSigner(ports.records, ports.clock)
  const app = createApp({
    ports,
    baseUrl,
    handlers: createHandlers({ ports, signer }),
    console: createConsole(ports),
    // It's long, and few ask for it.
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

/** Makes the first workspace and a key to it; null when there's a workspace. Of tabs that come at once one makes them. */
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

/** Removes the bytes that nothing names, too: of what was cut off. */
async function sweep(ports: Ports): Promise<void> {
  const { records, objects, tables } = ports
  await expire(ports)
  await objects.sweep(() => namedBlobs(records))
  await tables.sweep(() => namedFiles(records))
}

/** What answers each call to the console. */
export function createConsole(ports: Ports): ConsoleHandlers {
  return { ...workspaceHandlers(ports), ...keyHandlers(ports), usage: usageHandler(ports) }
}
