import type { Ports } from '../ports.ts'
import { keyHandlers } from './api-keys.ts'
import type { ConsoleHandlers } from './call.ts'
import { usageHandler } from './usage.ts'
import { workspaceHandlers } from './workspaces.ts'

/** What answers each call to the console. */
export function createConsole(ports: Ports): ConsoleHandlers {
  return { ...workspaceHandlers(ports), ...keyHandlers(ports), usage: usageHandler(ports) }
}
