import { z } from 'zod'
import {
  columnSchema,
  planSchema,
  scopeSchema,
  slugSchema,
  storedNameSchema,
  visibilitySchema,
} from '../../contract/schemas.ts'
import { sha256Hex } from '../signing.ts'

/* The format of backups: a ZIP with stored entries, `manifest.json` with all records, and one DuckDB file per table. */

export const BACKUP_FORMAT = 'rowhouse-backup'
/** Version of the format. Readers accept their own and older versions; version 1 had no files of extras. */
export const BACKUP_VERSION = 2
export const MANIFEST = 'manifest.json'
/** SHA-256 of the manifest, hex. */
export const MANIFEST_HASH = 'manifest.sha256'
/** Size limit of a manifest: enough for a hundred thousand datasets. */
export const MAX_MANIFEST_BYTES = 256 * 1024 * 1024
const MAX_RECORDS = 100_000
/** Bytes per hash, since SHA-256 in browsers doesn't accept streams. */
export const HASH_CHUNK_BYTES = 8 * 1024 * 1024

type BackupErrorCode =
  /** Another kind of file, or an incomplete one. */
  | 'not-a-backup'
  /** Bytes differ from those that were written. */
  | 'damaged'
  /** Made by a newer Rowhouse. */
  | 'newer'
  /** Intact, but its content is inconsistent: something else created or changed it. */
  | 'invalid'
  /** The data changed repeatedly during the backup. */
  | 'changed'

/** Why a backup can't be created or read. The message tells the user what to do. */
export class BackupError extends Error {
  readonly tag = 'BackupError'
  override readonly name = 'BackupError'
  readonly code: BackupErrorCode
  /** The problem without the advice. */
  readonly why: string
  constructor(code: BackupErrorCode, message: string, cause?: unknown, why = message) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.why = why
  }
}

const time = z.int().min(0).max(8_640_000_000_000_000)
const id = z.string().min(1).max(128)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const workspaceSchema = z.object({
  id: z.uuid(),
  name: storedNameSchema,
  slug: slugSchema,
  plan: planSchema,
  createdAt: time,
})

const keySchema = z.object({
  id,
  workspaceId: z.uuid(),
  name: storedNameSchema,
  scopes: z.array(scopeSchema).min(1).max(100),
  hash: sha256,
  last4: z.string().length(4),
  createdAt: time,
  lastUsedAt: time.nullable(),
  expiresAt: time.nullable(),
  revokedAt: time.nullable(),
})

const tableSchema = z.object({
  name: storedNameSchema,
  description: z.string().max(2000),
  rowCount: z.int().min(0),
  byteSize: z.int().min(0),
  schema: z.array(columnSchema).max(100_000),
  /** Name of its entry. */
  file: z.string().regex(/^tables\/[0-9]{1,8}\.duckdb$/),
})

const datasetSchema = z.object({
  id,
  workspaceId: z.uuid(),
  name: storedNameSchema,
  description: z.string().max(2000),
  visibility: visibilitySchema,
  tags: z.array(z.string().min(1).max(64)).max(32),
  createdAt: time,
  updatedAt: time,
  tables: z.array(tableSchema).max(100),
})

/** A file of an extra. */
const extraFileSchema = z.object({
  extra: z.string(),
  key: z.string().min(1).max(128),
  name: z.string().max(1000),
  /** Name of its entry. */
  file: z.string().regex(/^extras\/[a-z]{1,32}\/[0-9]{1,8}\.duckdb$/),
})

const entrySchema = z.object({
  name: z.string(),
  size: z.int().min(0),
  /** Hex SHA-256 of each piece of `hash_chunk_bytes`; for an empty file, of nothing. */
  sha256: z.array(sha256),
})

/** Checked first, to see whether this version can read the rest. */
export const manifestHeadSchema = z.object({ format: z.literal(BACKUP_FORMAT), version: z.int().min(1) })

export const manifestSchema = manifestHeadSchema.extend({
  created_at: z.iso.datetime(),
  app_version: z.string().max(64),
  hash_chunk_bytes: z.literal(HASH_CHUNK_BYTES),
  records: z.object({
    workspaces: z.array(workspaceSchema).min(1).max(MAX_RECORDS),
    keys: z.array(keySchema).max(MAX_RECORDS),
    datasets: z.array(datasetSchema).max(MAX_RECORDS),
  }),
  entries: z.array(entrySchema),
  /** The extras by name. */
  extras: z.record(z.string(), z.json()).default({}),
  extra_files: z.array(extraFileSchema).max(MAX_RECORDS).default([]),
})
export type Manifest = z.infer<typeof manifestSchema>
export type ManifestEntry = Manifest['entries'][number]

/** Yields a blob in pieces with their hashes; at least one, so that an empty blob has a hash. */
export async function* hashedChunks(
  blob: Blob,
  signal: AbortSignal,
): AsyncGenerator<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly hash: string }> {
  let at = 0
  do {
    signal.throwIfAborted()
    const bytes = new Uint8Array(await blob.slice(at, at + HASH_CHUNK_BYTES).arrayBuffer())
    yield { bytes, hash: await sha256Hex(bytes) }
    at += HASH_CHUNK_BYTES
  } while (at < blob.size)
}
