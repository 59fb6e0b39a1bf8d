import type { Ports } from '../ports.ts'
import type { Storage } from '../storage/index.ts'

/** The handlers of requests to the service, and of signed URLs. */
export interface Doors {
  readonly service: (request: Request) => Promise<Response>
  readonly storage: Storage
}

/** Whether requests reach the service directly, byte by byte, rather than over HTTP. */
export const IN_PROCESS: boolean = true

/**
 * Connects tests to the doors, here by calling them. On a server, there's HTTP in between (`server/testing/http.ts`).
 */
export function connect(doors: Doors, _place: { readonly ports: Ports; readonly baseUrl: string }): Doors {
  return doors
}
