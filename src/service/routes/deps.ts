import type { Ports } from '../ports.ts'
import type { Signer } from '../signing.ts'

/** What the handlers work with. */
export interface Deps {
  readonly ports: Ports
  readonly signer: Signer
}
