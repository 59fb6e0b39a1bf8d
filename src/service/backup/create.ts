import { NEVER } from '../../lib/abort.ts'
import { type ZipPart, zipStream } from '../../lib/zip/write.ts'
import type { DatasetRecord, Stores } from '../ports.ts'
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  BackupError,
  HASH_CHUNK_BYTES,
  hashedChunks,
  MANIFEST,
  MANIFEST_HASH,
  type Manifest,
  type ManifestEntry,
} from './format.ts'
import { exportExtras, type ExportedExtras } from './extras.ts'
import { openBackup, summaryOf, tableOf } from './open.ts'
import type { BackupDeps, BackupOptions } from './ports.ts'
import { sha256Hex } from '../signing.ts'

/** If a dataset is deleted while its file is being read, the backup is started again this often. */
const TRIES = 3
/** Bytes per step. Checksums of larger pieces would block the page noticeably. */
const PIECE = 1024 * 1024

/**
 * Backs up everything to one file: workspaces, keys (as hashes), datasets, the tables' files, and the extras. The file
 * is read back and checked before it's returned.
 * @throws {BackupError} `changed`, or a problem of the file that was found when reading it back
 * @throws {DOMException} `QuotaExceededError` if there isn't enough space to create it
 */
export async function createBackup<Kept>(
  deps: BackupDeps<Kept>,
  { signal = NEVER, onProgress }: BackupOptions = {},
): Promise<Kept> {
  const createdAt = deps.clock.now()
  for (let attempt = 1; ; attempt++) {
    const gone: Gone = { error: null, what: '' }
    try {
      const snapshot = await readEverything(deps)
      const extras = await exportExtras(deps.extras ?? {})
      const sources = await openSources(deps, snapshot.datasets, extras, gone)
      const stream = zipOf(deps, { snapshot, sources, extras, createdAt, gone }, signal, onProgress)
      // Otherwise a backup that can't be restored would only be noticed when it's needed.
      return await deps.keep(stream, fileName(createdAt), signal, async (file) => {
        const onRead = (done: number, total: number): void => onProgress?.(total + done, total * 2)
        return summaryOf(await openBackup(file, deps.extras ?? {}, signal, onRead).catch(notMade))
      })
    } catch (error) {
      signal.throwIfAborted()
      if (gone.error === null) throw error
      if (attempt < TRIES) continue
      throw new BackupError(
        'changed',
        `The backup couldn’t be finished: ${gone.what} was deleted, or can’t be read, while it was copied. Try again when nothing else is changing datasets.`,
        gone.error,
      )
    }
  }
}

/** Rewords errors of a new backup, since there's no other file to choose. */
function notMade(error: unknown): never {
  if (!(error instanceof BackupError)) throw error
  throw new BackupError(
    error.code,
    `No backup was made, because it couldn’t be restored: ${error.why}. Try again; if that fails, too, remove it first.`,
    error,
  )
}

function fileName(now: number): string {
  const stamp = new Date(now).toISOString().slice(0, 16).replace('T', '-').replace(':', '')
  return `rowhouse-backup-${stamp}.zip`
}

interface Snapshot {
  readonly workspaces: readonly Stores['workspaces'][]
  readonly keys: readonly Stores['keys'][]
  readonly datasets: readonly DatasetRecord[]
}

function readEverything({ records }: Pick<BackupDeps, 'records'>): Promise<Snapshot> {
  return records.read(['workspaces', 'keys', 'datasets'], async (transaction) => ({
    workspaces: await transaction.all('workspaces'),
    keys: await transaction.all('keys'),
    datasets: await transaction.all('datasets'),
  }))
}

/** An error of reading a source, to distinguish it from errors of writing. */
interface Gone {
  error: unknown
  what: string
}

interface Source {
  readonly name: string
  /** Its name for the user. */
  readonly what: string
  /** For a table of a dataset. */
  readonly fileId: string | null
  readonly blob: Blob
}

async function openSources(
  { files }: Pick<BackupDeps, 'files'>,
  datasets: readonly DatasetRecord[],
  extras: ExportedExtras,
  gone: Gone,
): Promise<Source[]> {
  const sources: Source[] = []
  const add = async ({ name, what, fileId }: Omit<Source, 'blob'>, open: () => Promise<Blob>): Promise<void> => {
    const blob = await open().catch((error: unknown) => {
      Object.assign(gone, { error, what })
      throw error
    })
    sources.push({ name, what, fileId, blob })
  }
  for (const dataset of datasets) {
    for (const { fileId, name: table } of dataset.tables) {
      const name = `tables/${String(sources.length + 1).padStart(4, '0')}.duckdb`
      await add({ name, what: tableOf(dataset.name, table), fileId }, () => files.file(fileId))
    }
  }
  for (const { file, name, open } of extras.files) await add({ name: file, what: `“${name}”`, fileId: null }, open)
  return sources
}

interface Contents {
  readonly snapshot: Snapshot
  readonly sources: readonly Source[]
  readonly extras: ExportedExtras
  readonly createdAt: number
  readonly gone: Gone
}

function zipOf(
  deps: Pick<BackupDeps, 'appVersion'>,
  { snapshot, sources, extras, createdAt, gone }: Contents,
  signal: AbortSignal,
  onProgress: BackupOptions['onProgress'],
): ReadableStream<Uint8Array> {
  const total = sources.reduce((sum, { blob }) => sum + blob.size, 0)
  const modified = new Date(createdAt)
  let done = 0
  const entries: ManifestEntry[] = []
  async function* read({ name, what, blob }: Source): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const hashes: string[] = []
    try {
      for await (const { bytes, hash } of hashedChunks(blob, signal)) {
        hashes.push(hash)
        for (let at = 0; at < bytes.length; at += PIECE) {
          const piece = bytes.subarray(at, at + PIECE)
          yield piece
          done += piece.length
          onProgress?.(done, total * 2)
        }
      }
    } catch (error) {
      if (!signal.aborted) Object.assign(gone, { error, what })
      throw error
    }
    entries.push({ name, size: blob.size, sha256: hashes })
  }
  async function* parts(): AsyncGenerator<ZipPart> {
    for (const source of sources) {
      yield { name: source.name, content: read(source), modified }
    }
    // Written after the tables, because their hashes are known then.
    const manifest = new TextEncoder().encode(
      JSON.stringify(manifestOf(deps, snapshot, sources, { entries, createdAt, extras })),
    )
    yield { name: MANIFEST, content: new Blob([manifest]), modified }
    yield { name: MANIFEST_HASH, content: new Blob([await sha256Hex(manifest)]), modified }
  }
  return zipStream(parts())
}

function manifestOf(
  { appVersion }: Pick<BackupDeps, 'appVersion'>,
  { workspaces, keys, datasets }: Snapshot,
  sources: readonly Source[],
  rest: { readonly entries: ManifestEntry[]; readonly createdAt: number; readonly extras: ExportedExtras },
): unknown {
  const nameOf = new Map(sources.flatMap(({ fileId, name }) => (fileId === null ? [] : [[fileId, name]])))
  return {
    format: BACKUP_FORMAT,
    version: BACKUP_VERSION,
    created_at: new Date(rest.createdAt).toISOString(),
    app_version: appVersion,
    hash_chunk_bytes: HASH_CHUNK_BYTES,
    records: {
      workspaces,
      keys,
      datasets: datasets.map(({ tables, ...dataset }) => ({
        ...dataset,
        // Restoring computes it from the name.
        nameKey: undefined,
        tables: tables.map(({ fileId, ...table }) => ({ ...table, file: nameOf.get(fileId) })),
      })),
    } satisfies Record<keyof Manifest['records'], unknown>,
    entries: rest.entries,
    extras: rest.extras.values,
    extra_files: rest.extras.files.map(({ extra, key, name, file }) => ({ extra, key, name, file })),
  }
}
