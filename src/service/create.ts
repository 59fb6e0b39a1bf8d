import { createApp } from './app.ts'
import { bootstrap, type FirstRun } from './bootstrap.ts'
import { createConsole } from './console/index.ts'
import type { Ports } from './ports.ts'
import { createHandlers } from './routes/index.ts'
import { createSigner } from './signing.ts'
import { sweep } from './sweeper.ts'

export interface Service {
  /**
   * Answers a request to the public interface or the console; failures, unforeseen ones too, are answers.
   * Requests for `/storage` are the storage's.
   */
  fetch(request: Request): Promise<Response>
  /**
   * Makes a workspace and a key to it where there's none yet. Null when there is: keys are told once.
   * @throws {UnavailableError}
   */
  bootstrap(): Promise<FirstRun | null>
  /**
   * Removes what has had its time, and what was cut off. Safe at any moment, in any number of tabs.
   * @throws {UnavailableError}
   */
  sweep(): Promise<void>
}

export interface ServiceOptions {
  /** Where `/public/v1` and `/storage` live: absolute, without a slash at its end. */
  readonly baseUrl: string
}

/**
 * The service, over the ports of the place that it runs in. What it keeps in memory only saves time: there may be
 * several.
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
    sweep: () => sweep(ports),
  }
}
