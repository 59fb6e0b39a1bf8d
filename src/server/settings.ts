import { availableParallelism } from 'node:os'
import path from 'node:path'
import { splitAtCommas } from '../lib/text.ts'
import { named, readFlags, SettingsError, textOf, type Flags } from './options.ts'

export type Environment = Readonly<Record<string, string | undefined>>

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
  /** As whom they run; null: as the server. */
  readonly workerUser: string | null
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

/**
 * The settings of a start: flags first, then the environment.
 * @returns null where only help was asked for
 * @throws {SettingsError}
 */
export function readSettings(args: readonly string[], env: Environment): Settings | null {
  const flags = readFlags(args)
  return flags['help'] === true ? null : settingsOf(flags, env)
}

/**
 * What flags and the environment come to.
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
  return splitAtCommas(text).map((part) => {
    const url = URL.parse(part)
    if (url && /^https?:$/.test(url.protocol) && url.origin === part.replace(/\/$/, '')) return url.origin
    throw new SettingsError(
      `${named('allow-origin')} has “${part}”. An origin is a scheme, a host and perhaps a port, such as https://app.example.com.`,
    )
  })
}
