/** The formats that the service converts and ingests; `excel` is an alias of `xlsx`. */
export const SERVICE_FORMATS = ['csv', 'tsv', 'json', 'xlsx', 'parquet'] as const

export const isServiceFormat = (format: string): format is (typeof SERVICE_FORMATS)[number] =>
  (SERVICE_FORMATS as readonly string[]).includes(format)

/** Largest file that the service accepts, in bytes: 50 MB. */
export const MAX_FILE_BYTES = 52_428_800
/** Longest statement, in bytes of UTF-8. */
export const MAX_SQL_BYTES = 1_048_576
/** The largest number of tables in a dataset. */
export const MAX_TABLES = 100
/** The largest number of rows in an answer to a query. */
export const MAX_QUERY_ROWS = 10_000
export const UPLOAD_URL_SECONDS = 15 * 60
export const DOWNLOAD_URL_SECONDS = 60 * 60
/** Unused uploads are removed after this. */
export const UPLOAD_KEPT_SECONDS = 24 * 60 * 60

export const WINDOW_SECONDS = { minute: 60, hour: 3_600, day: 86_400 } as const

export type RateLimits = Readonly<Partial<Record<keyof typeof WINDOW_SECONDS, number>>>

export const PLAN_LIMITS = {
  free: { hour: 100 },
  pro: { hour: 1_000 },
  business: { hour: 10_000 },
} as const satisfies Readonly<Record<string, RateLimits>>

/** By operation. Requests under both path prefixes are counted together. */
export const ENDPOINT_LIMITS: Readonly<Record<string, RateLimits>> = {
  'POST /convert/upload-urls': { minute: 30, hour: 500, day: 2_000 },
  'POST /convert': { minute: 10, hour: 100, day: 500 },
  'GET /convert/formats': { minute: 60, hour: 1_000, day: 5_000 },
}
