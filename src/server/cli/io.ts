/** What the command line is run in: the process, or a test. */
export interface Io {
  /** Paths are told from here. */
  readonly folder: string
  /** Settings of a server may be there. */
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
  /** Characters of a line of the terminal that standard error goes to; null where it goes elsewhere. */
  readonly width: number | null
}

/** Wrong usage: shown with how to get help. */
export class UsageError extends Error {
  readonly tag = 'UsageError'
}

/** What failed, in words for people; thrown where no error of the engine says it. */
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

/** Nothing more can be written: `cause` says why. */
export class OutputError extends Error {
  readonly tag = 'OutputError'
}

/** The last two as shells count those that SIGINT and SIGTERM ended. */
export const EXIT = { done: 0, failed: 1, usage: 2, cancelled: 130, terminated: 143 } as const

/** Milliseconds between two lines of progress. */
const INTERVAL = 100

/** One line at the end of a terminal, written over again and again; nothing where there's no terminal. */
export class ProgressLine {
  private readonly io: Io
  private last = -INTERVAL
  private shown = false

  constructor(io: Io) {
    this.io = io
  }

  /** @param text asked for only when it's time to show it */
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

  /** What comes next is shown at once. */
  clear(): void {
    if (this.shown) this.io.err('\r\u001b[2K')
    this.shown = false
    this.last = -INTERVAL
  }
}
