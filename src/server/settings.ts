import { availableParallelism } from 'node:os'
import path from 'node:path'
import { parseArguments, type Options } from './cli/arguments.ts'
import { UsageError } from './cli/io.ts'

export interface Settings {
  /** 0: one that is free. */
  readonly port: number
  readonly host: string
  /** Absolute. */
  readonly data: string
  /** The public address, without a slash at its end; null: `http://localhost` and the port. */
  readonly url: string | null
  /** Of PostgreSQL; null: the embedded one. */
  readonly databaseUrl: string | null
  /** Where objects and tables are; null: files in the folder. */
  readonly bucket: BucketSettings | null
  /** Disk space for copies of a bucket's files, in bytes. */
  readonly cacheBytes: number
  /** For statements on large tables; null: DuckDB runs all. */
  readonly clickhouse: ClickHouseSettings | null
  /** Print the SQL that sets up ClickHouse's users, and serve nothing. */
  readonly clickhouseSetup: boolean
  readonly allowedOrigins: readonly string[]
  /** Processes that run statements, and as many that read and write files. */
  readonly processes: number
  /** Seconds that running requests may take when the server stops. */
  readonly grace: number
  /** Print the start's message as one line of JSON. */
  readonly json: boolean
  readonly newConsoleToken: boolean
  /** The app's build. */
  readonly app: string
}

/** Where an S3-compatible store is, and as whom it's used. */
export interface BucketSettings {
  /** Null: Amazon's, in the region. */
  readonly endpoint: string | null
  /** Where whoever downloads reaches it; null where they don't, and the server hands bytes on. */
  readonly publicEndpoint: string | null
  readonly bucket: string
  readonly region: string
  /** Null: those of the machine, as Amazon's SDK finds them. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null
  /** The bucket is in the path, not in the host's name. */
  readonly pathStyle: boolean
}

/** Where ClickHouse is, and what it's given. */
export interface ClickHouseSettings {
  readonly url: string
  readonly user: string
  readonly password: string
  /** Who reads for statements: nothing but what the roles of their tables let. */
  readonly reader: { readonly user: string; readonly password: string }
  /** What its databases' names begin with. */
  readonly prefix: string
  /** Its tables are replicated there; null: they're on one server. */
  readonly cluster: string | null
  /** Bytes of a table's file from which statements about it go there. */
  readonly fromBytes: number
  /** Bytes of memory that a statement may take there. */
  readonly memoryBytes: number
}

/** A setting is wrong; the message names it. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

interface Option {
  readonly env?: string
  readonly flag: string
  /** Taken from the environment alone: anyone on the machine can list a process's flags. */
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
    flag: 'grace',
    env: 'ROWHOUSE_GRACE',
    value: 'SECONDS',
    fallback: '30',
    help: 'How long running requests may take when the server stops.',
  },
  { flag: 'clickhouse-setup', value: null, help: 'Print the SQL that sets up ClickHouse’s users, and exit.' },
  { flag: 'json', value: null, help: 'Print the address, and on the first start the secrets, as one line of JSON.' },
  { flag: 'new-console-token', value: null, help: 'Make a new console token. The old one stops working.' },
  { flag: 'app', env: 'ROWHOUSE_APP', value: 'DIR', fallback: 'dist', help: 'The folder with the app’s build.' },
  { flag: 'help', value: null, help: 'Show this text.' },
]

export function helpText(): string {
  const lines = OPTIONS.map(({ flag, value, env, help, fallback, secret }) => {
    const notes = [
      ...(fallback === undefined ? [] : [`default ${fallback}`]),
      ...(env === undefined || secret ? [] : [`$${env}`]),
    ]
    const left = secret ? `  $${env}` : `  --${flag}${value === null ? '' : ` ${value}`}`
    return `${left.padEnd(30)}${help}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`
  })
  return ['Serve the app and the service.', '', ...lines, ''].join('\n')
}

/**
 * The settings of a start: flags first, then the environment.
 * @returns null where only help was asked for
 * @throws {SettingsError}
 */
export function readSettings(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Settings | null {
  const flags = parse(args)
  if (flags['help'] === true) return null
  const text = (name: string): string | null => {
    const option = OPTIONS.find(({ flag }) => flag === name)
    const given =
      flags[name] ?? (option?.env === undefined ? undefined : env[option.env] || undefined) ?? option?.fallback
    return typeof given === 'string' ? given : null
  }
  return {
    port: whole('port', text('port'), 0, 65_535),
    host: text('host') ?? '',
    data: path.resolve(text('data') ?? ''),
    url: address('url', text, 'https://data.example.com')?.href.replace(/\/+$/, '') ?? null,
    databaseUrl: databaseUrl(text('database-url')),
    bucket: bucketSettings(text),
    cacheBytes: whole('cache', text('cache'), 0, 999_999) * 2 ** 20,
    clickhouse: clickhouseSettings(text),
    clickhouseSetup: flags['clickhouse-setup'] === true,
    allowedOrigins: origins(text('allow-origin') ?? ''),
    processes: whole('processes', text('processes') ?? String(Math.max(2, availableParallelism())), 1, 256),
    grace: whole('grace', text('grace'), 0, 3600),
    json: flags['json'] === true,
    newConsoleToken: flags['new-console-token'] === true,
    app: path.resolve(text('app') ?? ''),
  }
}

function parse(args: readonly string[]): Readonly<Record<string, string | boolean | undefined>> {
  const options = Object.fromEntries(
    OPTIONS.filter(({ secret }) => !secret).map(({ flag, value }): [string, Options[string]] => [
      flag,
      { type: value === null ? 'boolean' : 'string' },
    ]),
  )
  try {
    const { values, positionals } = parseArguments(args, options)
    if (positionals.length === 0) return values
    throw new UsageError(`“${positionals[0]}” isn’t an option.`)
  } catch (error) {
    throw new SettingsError(`${error instanceof Error ? error.message : ''} See --help.`)
  }
}

/** A setting, as both its names. */
function named(flag: string): string {
  const { env, secret } = OPTIONS.find((option) => option.flag === flag) ?? {}
  if (secret) return `$${env}`
  return env === undefined ? `--${flag}` : `--${flag} ($${env})`
}

function whole(flag: string, text: string | null, from: number, to: number): number {
  const value = /^\d{1,6}$/.test(text ?? '') ? Number(text) : Number.NaN
  if (value >= from && value <= to) return value
  throw new SettingsError(`${named(flag)} is “${text ?? ''}”. It has to be a whole number from ${from} to ${to}.`)
}

/** An address that is set, or null. What was given isn't repeated: it may hold a password. */
function address(flag: string, text: (name: string) => string | null, example: string): URL | null {
  const given = text(flag)
  if (given === null) return null
  const url = URL.parse(given)
  if (url && /^https?:$/.test(url.protocol) && url.username + url.search + url.hash === '') return url
  throw new SettingsError(`${named(flag)} has to be an address such as ${example}, without a user or a query.`)
}

function databaseUrl(text: string | null): string | null {
  if (text === null || /^postgres(?:ql)?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new SettingsError(`${named('database-url')} has to be an address such as postgres://user@host:5432/name.`)
}

const BUCKET_OPTIONS = [
  's3-endpoint',
  's3-access-key-id',
  's3-secret-access-key',
  's3-path-style',
  's3-public-endpoint',
] as const

const S3_EXAMPLE = 'https://s3.example.com'

/** Null where objects and tables are files. */
function bucketSettings(text: (name: string) => string | null): BucketSettings | null {
  const bucket = text('s3-bucket')
  const [, id, secret, style] = BUCKET_OPTIONS.map(text)
  if (bucket === null) {
    const stray = BUCKET_OPTIONS.find((name) => text(name) !== null)
    if (stray === undefined) return null
    throw new SettingsError(`${named(stray)} needs ${named('s3-bucket')}, which isn’t set.`)
  }
  const endpoint = address('s3-endpoint', text, S3_EXAMPLE)
  if ((id === null) !== (secret === null)) {
    const missing = id === null ? 's3-access-key-id' : 's3-secret-access-key'
    throw new SettingsError(`${named(missing)} isn’t set. A key needs its secret.`)
  }
  if (style !== null && !/^(?:yes|no)$/i.test(style)) {
    throw new SettingsError(`${named('s3-path-style')} is “${style}”. It has to be yes or no.`)
  }
  return {
    endpoint: endpoint?.href ?? null,
    publicEndpoint: address('s3-public-endpoint', text, S3_EXAMPLE)?.href ?? null,
    bucket,
    region: text('s3-region') ?? '',
    credentials: id === null || secret === null ? null : { accessKeyId: id, secretAccessKey: secret },
    pathStyle:
      style === null ? endpoint !== null && !endpoint.hostname.endsWith('.amazonaws.com') : /^yes$/i.test(style),
  }
}

/** Null where there's none. */
function clickhouseSettings(text: (name: string) => string | null): ClickHouseSettings | null {
  const url = address('clickhouse-url', text, 'http://clickhouse:8123')
  if (!url) {
    const others = ['clickhouse-password', 'clickhouse-reader', 'clickhouse-reader-password', 'clickhouse-cluster']
    const stray = others.find((name) => text(name) !== null)
    if (stray === undefined) return null
    throw new SettingsError(`${named(stray)} needs ${named('clickhouse-url')}, which isn’t set.`)
  }
  const name = (flag: string): string => {
    const value = text(flag) ?? ''
    if (/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(value)) return value
    throw new SettingsError(`${named(flag)} is “${value}”. Use letters, digits and underscores.`)
  }
  const own = { user: name('clickhouse-user'), password: text('clickhouse-password') ?? '' }
  return {
    url: url.href,
    ...own,
    reader:
      text('clickhouse-reader') === null
        ? own
        : { user: name('clickhouse-reader'), password: text('clickhouse-reader-password') ?? '' },
    prefix: name('clickhouse-prefix'),
    cluster: text('clickhouse-cluster') === null ? null : name('clickhouse-cluster'),
    fromBytes: whole('clickhouse-from', text('clickhouse-from'), 0, 999_999) * 2 ** 20,
    memoryBytes: whole('clickhouse-memory', text('clickhouse-memory'), 64, 999_999) * 2 ** 20,
  }
}

function origins(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const url = URL.parse(part)
      if (url && /^https?:$/.test(url.protocol) && url.origin === part.replace(/\/$/, '')) return url.origin
      throw new SettingsError(
        `${named('allow-origin')} has “${part}”. An origin is a scheme, a host and perhaps a port, such as https://app.example.com.`,
      )
    })
}
