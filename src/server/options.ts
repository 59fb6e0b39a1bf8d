import { parseArguments, type Options } from './cli/arguments.ts'
import { UsageError } from './cli/io.ts'

/* The server's options, and how they are read from the command line and the environment. */

/** A setting is wrong; the message names it. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

interface Option {
  readonly env?: string
  readonly flag: string
  /** Read only from the environment, since anyone on the machine can list a process's arguments. */
  readonly secret?: boolean
  readonly value: string | null
  readonly fallback?: string
  readonly help: string
}

const OPTIONS: readonly Option[] = [
  { flag: 'port', env: 'PORT', value: 'N', fallback: '8080', help: 'The port. 0 picks a free one.' },
  {
    flag: 'host',
    env: 'HOST',
    value: 'ADDRESS',
    fallback: '127.0.0.1',
    help: 'The address to listen on. 0.0.0.0 is all.',
  },
  {
    flag: 'data',
    env: 'ROWHOUSE_DATA',
    value: 'DIR',
    fallback: './rowhouse-data',
    help: 'The folder for all data.',
  },
  {
    flag: 'url',
    env: 'PUBLIC_URL',
    value: 'URL',
    help: 'The public address, if it isn’t http://localhost and the port.',
  },
  {
    flag: 'database-url',
    env: 'DATABASE_URL',
    value: 'URL',
    help: 'PostgreSQL 15 or later for records. By default embedded.',
  },
  {
    flag: 's3-bucket',
    env: 'S3_BUCKET',
    value: 'NAME',
    help: 'The bucket for objects and tables. By default files in the folder.',
  },
  {
    flag: 's3-endpoint',
    env: 'S3_ENDPOINT',
    value: 'URL',
    help: 'The S3-compatible store. By default Amazon’s.',
  },
  {
    flag: 's3-public-endpoint',
    env: 'S3_PUBLIC_ENDPOINT',
    value: 'URL',
    help: 'The store’s public address: downloads are redirected to it. By default the server sends them.',
  },
  { flag: 's3-region', env: 'S3_REGION', value: 'NAME', fallback: 'us-east-1', help: 'The bucket’s region.' },
  {
    flag: 's3-path-style',
    env: 'S3_PATH_STYLE',
    value: 'YES|NO',
    help: 'Whether the bucket is in the path. By default yes, except at Amazon.',
  },
  {
    flag: 's3-access-key-id',
    env: 'S3_ACCESS_KEY_ID',
    value: 'ID',
    secret: true,
    help: 'The bucket’s access key. By default the machine’s role.',
  },
  {
    flag: 's3-secret-access-key',
    env: 'S3_SECRET_ACCESS_KEY',
    value: 'KEY',
    secret: true,
    help: 'The access key’s secret.',
  },
  {
    flag: 'cache',
    env: 'ROWHOUSE_CACHE',
    value: 'MB',
    fallback: '10240',
    help: 'Disk space for copies of the bucket’s files.',
  },
  {
    flag: 'clickhouse-url',
    env: 'CLICKHOUSE_URL',
    value: 'URL',
    help: 'ClickHouse’s HTTP interface, for queries on large tables (experimental). By default DuckDB runs all.',
  },
  {
    flag: 'clickhouse-user',
    env: 'CLICKHOUSE_USER',
    value: 'NAME',
    fallback: 'default',
    help: 'The ClickHouse user.',
  },
  {
    flag: 'clickhouse-password',
    env: 'CLICKHOUSE_PASSWORD',
    value: 'TEXT',
    secret: true,
    help: 'The ClickHouse user’s password.',
  },
  {
    flag: 'clickhouse-reader',
    env: 'CLICKHOUSE_READER',
    value: 'NAME',
    help: 'The ClickHouse user that runs queries. By default the same one.',
  },
  {
    flag: 'clickhouse-reader-password',
    env: 'CLICKHOUSE_READER_PASSWORD',
    value: 'TEXT',
    secret: true,
    help: 'That user’s password.',
  },
  {
    flag: 'clickhouse-prefix',
    env: 'CLICKHOUSE_PREFIX',
    value: 'NAME',
    fallback: 'rowhouse_',
    help: 'The prefix of this server’s databases in ClickHouse.',
  },
  {
    flag: 'clickhouse-cluster',
    env: 'CLICKHOUSE_CLUSTER',
    value: 'NAME',
    help: 'The ClickHouse cluster. By default one server.',
  },
  {
    flag: 'clickhouse-from',
    env: 'CLICKHOUSE_FROM',
    value: 'MB',
    fallback: '256',
    help: 'The size from which a table is queried in ClickHouse.',
  },
  {
    flag: 'clickhouse-memory',
    env: 'CLICKHOUSE_MEMORY',
    value: 'MB',
    fallback: '8192',
    help: 'The memory limit of a query in ClickHouse.',
  },
  {
    flag: 'allow-origin',
    env: 'ALLOWED_ORIGINS',
    value: 'ORIGINS',
    help: 'Other origins whose pages may use the server, separated by commas.',
  },
  {
    flag: 'processes',
    env: 'ROWHOUSE_PROCESSES',
    value: 'N',
    help: 'How many queries, and how many files, run at once. By default one for each core.',
  },
  {
    flag: 'worker-user',
    env: 'ROWHOUSE_WORKER_USER',
    value: 'USER',
    help: 'The user that runs queries and reads files: a name, or UID:GID. By default the server’s own.',
  },
  {
    flag: 'grace',
    env: 'ROWHOUSE_GRACE',
    value: 'SECONDS',
    fallback: '30',
    help: 'How long running requests may take when the server stops.',
  },
  { flag: 'clickhouse-setup', value: null, help: 'Print the SQL that sets up ClickHouse’s users, and exit.' },
  { flag: 'json', value: null, help: 'Print the address, and on the first start the secrets, as one line of JSON.' },
  {
    flag: 'new-console-token',
    value: null,
    help: 'Make a new console token, with which the app makes keys. The old one stops working.',
  },
  { flag: 'app', env: 'ROWHOUSE_APP', value: 'DIR', fallback: 'dist', help: 'The folder with the app’s build.' },
  { flag: 'help', value: null, help: 'Show this text.' },
]

/** Flags of the options that locate a server's data. */
const DATA_FLAGS: readonly string[] = [
  'data',
  'database-url',
  's3-bucket',
  's3-endpoint',
  's3-region',
  's3-path-style',
  's3-access-key-id',
  's3-secret-access-key',
  'cache',
  'worker-user',
]

export const DATA_OPTIONS: readonly Option[] = OPTIONS.filter(({ flag }) => DATA_FLAGS.includes(flag))

export function helpText(): string {
  return ['Serve the app and the service.', '', ...helpLines(OPTIONS), ''].join('\n')
}

/** The help for options, one line each. */
export function helpLines(options: readonly Option[]): string[] {
  return options.map(({ flag, value, env, help, fallback, secret }) => {
    const notes = [
      ...(fallback === undefined ? [] : [`default ${fallback}`]),
      ...(env === undefined || secret ? [] : [`$${env}`]),
    ]
    const left = secret ? `  $${env}` : `  --${flag}${value === null ? '' : ` ${value}`}`
    return `${left.padEnd(30)}${help}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`
  })
}

/** The options in the format of `parseArguments`. */
export function flagsOf(options: readonly Option[]): Options {
  return Object.fromEntries(
    options
      .filter(({ secret }) => !secret)
      .map(({ flag, value }): [string, Options[string]] => [flag, { type: value === null ? 'boolean' : 'string' }]),
  )
}

export type Flags = Readonly<Record<string, string | boolean | undefined>>

/** @throws {SettingsError} */
export function readFlags(args: readonly string[]): Flags {
  try {
    const { values, positionals }: { values: Flags; positionals: readonly string[] } = parseArguments(
      args,
      flagsOf(OPTIONS),
      true,
    )
    if (positionals.length > 0) throw new UsageError(`“${positionals[0]}” isn’t an option.`)
    return values
  } catch (error) {
    throw new SettingsError(`${error instanceof Error ? error.message : ''} See --help.`)
  }
}

/** Both names of an option, for messages: its flag and its environment variable. */
export function named(flag: string): string {
  const { env, secret } = OPTIONS.find((option) => option.flag === flag) ?? {}
  if (secret) return `$${env}`
  return env === undefined ? `--${flag}` : `--${flag} ($${env})`
}

/** An option's value from its flag, the environment or its default, in this order; null if none of them sets it. */
export function textOf(name: string, flags: Flags, env: Readonly<Record<string, string | undefined>>): string | null {
  const option = OPTIONS.find(({ flag }) => flag === name)
  const given =
    flags[name] ?? (option?.env === undefined ? undefined : env[option.env] || undefined) ?? option?.fallback
  return typeof given === 'string' ? given : null
}
