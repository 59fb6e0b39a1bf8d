/* Logs as one JSON object per line, without any content of requests or data. */

export type LogLevel = 'info' | 'warn' | 'error'
type LogFields = Readonly<Record<string, string | number | boolean | null>>

export interface Log {
  /**
   * @param cause the error: its class and stack frames are logged, but not its message, which may quote statements and
   * values
   */
  (level: LogLevel, message: string, fields?: LogFields, cause?: unknown): void
}

/** @param write writes a line, including its line end */
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

/** An error and its causes, without messages. */
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

/** The stack frames. A message may have lines that look like frames, so only what follows it counts. */
function framesOf({ stack = '', message }: Error): string[] {
  const place = stack.indexOf(message)
  if (place < 0) return []
  const lines = stack.slice(place + message.length).split('\n')
  return lines
    .map((line) => /^\s+at (.+)$/.exec(line)?.[1])
    .filter((frame) => frame !== undefined)
    .slice(0, FRAMES)
}
