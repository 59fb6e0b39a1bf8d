/* Logs: one line of JSON each, that tells what happened and nothing of what was in it. */

export type LogLevel = 'info' | 'warn' | 'error'
type LogFields = Readonly<Record<string, string | number | boolean | null>>

export interface Log {
  /**
   * @param cause what was thrown: its kind and where it came from are logged, not its message, which may quote statements
   *   and values
   */
  (level: LogLevel, message: string, fields?: LogFields, cause?: unknown): void
}

/** @param write takes one line, with its end */
export function createLog(write: (line: string) => void): Log {
  return (level, message, fields = {}, cause) => {
    const time = new Date().toISOString()
    const error = cause === undefined ? {} : { error: causes(cause) }
    write(`${JSON.stringify({ time, level, message, ...fields, ...error })}\n`)
  }
}

interface LoggedCause {
  readonly name: string
  readonly code?: string
  readonly at?: readonly string[]
}

const DEPTH = 5
const FRAMES = 8

/** An error and those that caused it, without their messages. */
function causes(thrown: unknown, depth = DEPTH): LoggedCause[] {
  if (depth === 0 || thrown === undefined || thrown === null) return []
  if (!(thrown instanceof Error)) return [{ name: typeof thrown }]
  const code: unknown = 'code' in thrown ? thrown.code : undefined
  const at = framesOf(thrown)
  const logged: LoggedCause = {
    name: thrown.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(at.length > 0 ? { at } : {}),
  }
  return [logged, ...causes(thrown.cause, depth - 1)]
}

/** Where it came from. A message may have lines that look like frames, so frames are only looked for after it. */
function framesOf({ stack = '', message }: Error): string[] {
  const place = stack.indexOf(message)
  if (place < 0) return []
  const lines = stack.slice(place + message.length).split('\n')
  return lines
    .map((line) => /^\s+at (.+)$/.exec(line)?.[1])
    .filter((frame) => frame !== undefined)
    .slice(0, FRAMES)
}
