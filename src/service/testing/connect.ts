import type { Ports } from '../ports.ts'
import type { Storage } from '../storage/index.ts'

/** What answers requests to the service, and what answers signed URLs. */
export interface Doors {
  readonly service: (request: Request) => Promise<Response>
  readonly storage: Storage
}

/** Whether nothing lies between: what is sent is taken as it is, byte by byte. */
export const IN_PROCESS: boolean = true

/** How tests reach the doors: here by calling them. A server's tests have HTTP in between (`server/testing/http.ts`). */
export function connect(doors: Doors, _place: { readonly ports: Ports; readonly baseUrl: string }): Doors {
  return doors
}
