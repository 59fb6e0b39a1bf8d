/** The command line's environment: the process, or a test. */
export interface Io {
  /** The current folder. */
  readonly folder: string
  /** Environment variables, which may have a server's settings. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal
  /**
   * Standard output.
   * @throws {OutputError}
   */
  out(content: string | Uint8Array): Promise<void>
  /** Standard error. */
  err(text: string): void
  /** The width in characters of the terminal that standard error goes to; null if it's not a terminal. */
  readonly width: number | null
}

/** Wrong usage, which is reported with how to get help. */
export class UsageError extends Error {
  readonly tag = 'UsageError'
}

/** A failure with a message for people, for what no error of the engine covers. */
export class Failed extends Error {
  readonly tag = 'Failed'
  readonly code: string
  readonly remedy: string | undefined

  /** @param code stable, kebab-case, for programs */
  constructor(code: string, message: string, remedy?: string) {
    super(message)
    this.code = code
    this.remedy = remedy
  }
}

/** Standard output can't be written to; `cause` says why. */
export class OutputError extends Error {
  readonly tag = 'OutputError'
}

/** The last two are what shells use for programs that SIGINT or SIGTERM ended. */
export const EXIT = { done: 0, failed: 1, usage: 2, cancelled: 130, terminated: 143 } as const

/** Milliseconds between updates of the progress. */
const INTERVAL = 100

/** One line that is overwritten as work progresses, and isn't printed if there's no terminal. */
export class ProgressLine {
  private readonly io: Io
  private last = -INTERVAL
  private shown = false

  constructor(io: Io) {
    this.io = io
  }

  /** @param text called only when the line is updated */
  show(text: () => string): void {
    const { width } = this.io
    const now = performance.now()
    if (width === null || now - this.last < INTERVAL) return
    this.last = now
    this.shown = true
    this.io.err(
      `\r\u001b[2K${Array.from(text())
        .slice(0, width - 1)
        .join('')}`,
    )
  }

  /** Removes the line. The next one is shown at once. */
  clear(): void {
    if (this.shown) this.io.err('\r\u001b[2K')
    this.shown = false
    this.last = -INTERVAL
  }
}
