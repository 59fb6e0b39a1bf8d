import type { Io } from '../io.ts'

/** What can stand after `rowhouse`. */
export interface Command {
  /** One line for the list of commands. */
  readonly summary: string
  /** All of `rowhouse COMMAND --help`. */
  readonly help: string
  /**
   * @param args what stands after the command
   * @returns the exit code
   * @throws {UsageError}
   */
  run(args: readonly string[], io: Io): Promise<number>
}
