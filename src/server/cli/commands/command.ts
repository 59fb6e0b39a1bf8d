import type { Io } from '../io.ts'

/** What can stand behind `rowhouse`. */
export interface Command {
  /** One line for the list of commands. */
  readonly summary: string
  /** All of `rowhouse COMMAND --help`. */
  readonly help: string
  /**
   * @param args what stands behind the command
   * @returns the exit code
   * @throws {UsageError}
   */
  run(args: readonly string[], io: Io): Promise<number>
}
