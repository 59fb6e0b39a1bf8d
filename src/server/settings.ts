import { availableParallelism } from 'node:os'
import path from 'node:path'
import { named, readFlags, SettingsError, textOf, type Flags } from './options.ts'
import { splitAtCommas } from '../lib/text.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Settings {
  /** 0 means any free port. */
  readonly port: number
  readonly host: string
  /** The absolute path of the data folder. */
  readonly data: string
  /** The public URL without a trailing slash; null means `http://localhost` with the port. */
  readonly url: string | null
  /** PostgreSQL's URL; null means the embedded database. */
  readonly databaseUrl: string | null
  /** The bucket for objects and tables; null means files in the data folder. */
  readonly bucket: BucketSettings | null
  /** Disk space for copies of a bucket's files, in bytes. */
  readonly cacheBytes: number
  /** For statements on large tables; null means that DuckDB runs all. */
  readonly clickhouse: ClickHouseSettings | null
  /** Print the SQL that sets up ClickHouse's users, and serve nothing. */
  readonly clickhouseSetup: boolean
  readonly allowedOrigins: readonly string[]
  /** The number of processes for statements; the same number reads and writes files. */
  readonly processes: number
  /** The user that processes run as; null means the server's. */
  readonly workerUser: string | null
  /** Seconds that running requests may take when the server stops. */
  readonly grace: number
  /** Print the start's message as one line of JSON. */
  readonly json: boolean
  readonly newConsoleToken: boolean
  /** The folder with the app's build. */
  readonly app: string
}

/** The settings of a bucket in an S3-compatible store. */
export interface BucketSettings {
  /** Null means Amazon's in the region. */
  readonly endpoint: string | null
  /**
   * The URL to which downloads are redirected; null if clients can't reach the store, so the server passes on bytes.
   */
  readonly publicEndpoint: string | null
  readonly bucket: string
  readonly region: string
  /** Null means the machine's, as found by Amazon's SDK. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null
  /** Whether the bucket's name is in URLs' paths instead of in the host name. */
  readonly pathStyle: boolean
}

/** The settings of ClickHouse. */
export interface ClickHouseSettings {
  readonly url: string
  readonly user: string
  readonly password: string
  /** The user who runs statements, and can read only through the roles of their tables. */
  readonly reader: { readonly user: string; readonly password: string }
  /** The prefix of its databases' names. */
  readonly prefix: string
  /** The cluster on which tables are replicated; null means one server. */
  readonly cluster: string | null
  /** The smallest size of a table's file in bytes for which statements run in ClickHouse. */
  readonly fromBytes: number
  /** The memory limit of a statement in bytes. */
  readonly memoryBytes: number
}

/**
 * Reads the settings from arguments and the environment. Arguments take precedence.
 * @returns null if only help was requested
 * @throws {SettingsError}
 */
export function readSettings(args: readonly string[], env: Environment): Settings | null {
  const flags = readFlags(args)
  return flags['help'] === true ? null : settingsOf(flags, env)
}

/**
 * Reads the settings from parsed arguments and the environment.
 * @throws {SettingsError}
 */
export function settingsOf(flags: Flags, env: Environment): Settings {
  const text = (name: string): string | null => textOf(name, flags, env)
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
    workerUser: text('worker-user'),
    grace: whole('grace', text('grace'), 0, 3600),
    json: flags['json'] === true,
    newConsoleToken: flags['new-console-token'] === true,
    app: path.resolve(text('app') ?? ''),
  }
}

function whole(flag: string, text: string | null, from: number, to: number): number {
  const value = /^\d{1,6}$/.test(text ?? '') ? Number(text) : Number.NaN
  if (value >= from && value <= to) return value
  throw new SettingsError(`${named(flag)} is “${text ?? ''}”. It has to be a whole number from ${from} to ${to}.`)
}

/** A URL from a setting; null if it isn't set. Errors don't repeat the value, since it may contain a password. */
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

/** Null if objects and tables are files. */
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

/** Null if ClickHouse isn't used. */
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
  return splitAtCommas(text).map((part) => {
    const url = URL.parse(part)
    if (url && /^https?:$/.test(url.protocol) && url.origin === part.replace(/\/$/, '')) return url.origin
    throw new SettingsError(
      `${named('allow-origin')} has “${part}”. An origin is a scheme, a host and perhaps a port, such as https://app.example.com.`,
    )
  })
}
