import { sha256Hex } from '../../lib/bytes.ts'
import { z } from 'zod'
import {
  columnSchema,
  nameSchema,
  planSchema,
  scopeSchema,
  slugSchema,
  visibilitySchema,
} from '../../contract/schemas.ts'

/* What a backup looks like: a ZIP of stored entries, `manifest.json` with all records, and a DuckDB file a table. */

export const BACKUP_FORMAT = 'rowhouse-backup'
/** Version of the layout. A reader takes its own and older ones; 1 had no files of extras. */
export const BACKUP_VERSION = 2
export const MANIFEST = 'manifest.json'
/** SHA-256 of the manifest, hex. */
export const MANIFEST_HASH = 'manifest.sha256'
/** The most bytes of a manifest that are read: a hundred thousand datasets have room. */
export const MAX_MANIFEST_BYTES = 256 * 1024 * 1024
const MAX_RECORDS = 100_000
/** Bytes that a hash is of: SHA-256 in browsers takes no stream. */
export const HASH_CHUNK_BYTES = 8 * 1024 * 1024

type BackupErrorCode =
  /** Another kind of file, or one that isn't whole. */
  | 'not-a-backup'
  /** A backup whose bytes aren't those that were written. */
  | 'damaged'
  /** Made by a newer Rowhouse. */
  | 'newer'
  /** Its bytes are right, but what they say can't be: made or changed by something else. */
  | 'invalid'
  /** What was to be backed up changed again and again in the meantime. */
  | 'changed'

/** Why a backup can't be made or read; the message is for the person, with what to do. */
export class BackupError extends Error {
  readonly tag = 'BackupError'
  override readonly name = 'BackupError'
  readonly code: BackupErrorCode
  /** What isn't right, without what follows from it. */
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
  name: nameSchema,
  slug: slugSchema,
  plan: planSchema,
  createdAt: time,
})

const keySchema = z.object({
  id,
  workspaceId: z.uuid(),
  name: nameSchema,
  scopes: z.array(scopeSchema).min(1).max(100),
  hash: sha256,
  last4: z.string().length(4),
  createdAt: time,
  lastUsedAt: time.nullable(),
  expiresAt: time.nullable(),
  revokedAt: time.nullable(),
})

const tableSchema = z.object({
  name: nameSchema,
  description: z.string().max(2000),
  rowCount: z.int().min(0),
  byteSize: z.int().min(0),
  schema: z.array(columnSchema).max(100_000),
  /** The entry that holds it. */
  file: z.string().regex(/^tables\/[0-9]{1,8}\.duckdb$/),
})

const datasetSchema = z.object({
  id,
  workspaceId: z.uuid(),
  name: nameSchema,
  description: z.string().max(2000),
  visibility: visibilitySchema,
  tags: z.array(z.string().min(1).max(64)).max(32),
  createdAt: time,
  updatedAt: time,
  tables: z.array(tableSchema).max(100),
})

/** A file of what another room keeps. */
const extraFileSchema = z.object({
  extra: z.string(),
  key: z.string().min(1).max(128),
  name: z.string().max(1000),
  /** The entry that holds it. */
  file: z.string().regex(/^extras\/[a-z]{1,32}\/[0-9]{1,8}\.duckdb$/),
})

const entrySchema = z.object({
  name: z.string(),
  size: z.int().min(0),
  /** SHA-256 of each `hash_chunk_bytes` of it, hex; of nothing, for an empty one. */
  sha256: z.array(sha256),
})

/** What's looked at before anything else: whether this Rowhouse can read the rest. */
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
  /** What other rooms keep, by their names. */
  extras: z.record(z.string(), z.json()).default({}),
  extra_files: z.array(extraFileSchema).max(MAX_RECORDS).default([]),
})
export type Manifest = z.infer<typeof manifestSchema>
export type ManifestEntry = Manifest['entries'][number]

/** The bytes of a blob in the pieces that are hashed, each with its hash. At least one, so that an empty blob has one. */
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
