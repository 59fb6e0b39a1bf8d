import { version } from '../../../package.json'
import type { Command } from './commands/command.ts'
import { backupCommand } from './commands/backup.ts'
import { convertCommand } from './commands/convert.ts'
import { inspectCommand } from './commands/inspect.ts'
import { queryCommand } from './commands/query.ts'
import { restoreCommand } from './commands/restore.ts'
import { verifyCommand } from './commands/verify.ts'
import { EXIT, UsageError, type Io } from './io.ts'
import { failureOf, sentenceOf } from './words.ts'

const COMMANDS: Readonly<Record<string, Command>> = {
  inspect: inspectCommand,
  convert: convertCommand,
  verify: verifyCommand,
  query: queryCommand,
  backup: backupCommand,
  restore: restoreCommand,
}

/** The whole output of `rowhouse --help`. */
export const USAGE = `rowhouse ${version}: the app’s engine on the command line. It needs no browser and no network.

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  rowhouse ${name.padEnd(8)}  ${summary}`)
  .join('\n')}
  rowhouse serve     serve the app and the service; see rowhouse serve --help

  rowhouse inspect orders.csv
  rowhouse convert 'exports/*.xlsx' --to parquet --out tables --receipt
  rowhouse verify tables/orders.parquet tables/orders.receipt.json
  rowhouse query "SELECT status, count(*) FROM orders GROUP BY ALL" orders.csv

rowhouse COMMAND --help explains a command. Each has --json.
Exit codes: 0 done, 1 failed or held until you accept, 2 wrong usage, 130 cancelled, 143 ended by SIGTERM.
`

/**
 * Runs the command that the arguments name.
 * @param args the arguments after the program's name
 * @returns the exit code
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    if (name === undefined) io.err(USAGE)
    else await io.out(USAGE)
    return name === undefined ? EXIT.usage : EXIT.done
  }
  if (name === '--version') {
    await io.out(`${version}\n`)
    return EXIT.done
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) {
    io.err(
      `There is no command “${name}”. Choose one of: ${Object.keys(COMMANDS).join(', ')}, serve. Try: rowhouse --help\n`,
    )
    return EXIT.usage
  }
  const separator = rest.indexOf('--')
  const own = separator < 0 ? rest : rest.slice(0, separator)
  if (own.includes('--help') || own.includes('-h')) {
    await io.out(command.help)
    return EXIT.done
  }
  try {
    return await command.run(rest, io)
  } catch (error) {
    if (io.signal.aborted) {
      io.err('Cancelled. No unfinished file is left.\n')
      return EXIT.cancelled
    }
    if (error instanceof UsageError) {
      io.err(`${error.message} Try: rowhouse ${name} --help\n`)
      return EXIT.usage
    }
    const failure = failureOf(error)
    if (own.includes('--json')) await io.out(`${JSON.stringify({ error: failure }, null, 2)}\n`)
    else io.err(`${sentenceOf(failure)}\n`)
    return EXIT.failed
  }
}
