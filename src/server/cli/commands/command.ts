import type { Io } from '../io.ts'

export interface Command {
  /** One line for the list of commands. */
  readonly summary: string
  /** The whole output of `rowhouse COMMAND --help`. */
  readonly help: string
  /**
   * @param args the arguments after the command
   * @returns the exit code
   * @throws {UsageError}
   */
  run(args: readonly string[], io: Io): Promise<number>
}
