import { foldName } from '../../lib/names.ts'
import { readExtras, type CheckedExtra } from './extras.ts'
import { damaged, notABackup, openArchive, type Archive } from './archive.ts'
import {
  BACKUP_VERSION,
  BackupError,
  hashedChunks,
  MANIFEST,
  MANIFEST_HASH,
  manifestHeadSchema,
  manifestSchema,
  MAX_MANIFEST_BYTES,
  type Manifest,
} from './format.ts'
import type { BackupSummary, Extras } from './ports.ts'
import { sha256Hex } from '../signing.ts'

/** A backup that was checked completely: all bytes, and the consistency of the records. */
export interface CheckedBackup {
  readonly manifest: Manifest
  /** The tables' files by entry name. */
  readonly files: Archive
  readonly extras: readonly CheckedExtra[]
  /** Total size of all files in bytes. */
  readonly bytes: number
}

/**
 * Opens a backup and checks it completely.
 * @throws {BackupError}
 */
export async function openBackup(
  file: Blob,
  known: Extras,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<CheckedBackup> {
  const archive = await openArchive(file)
  signal.throwIfAborted()
  const manifest = await readManifest(archive)
  checkRecords(manifest)
  checkEntries(manifest, archive)
  const extras = await readExtras(known, manifest)
  const bytes = manifest.entries.reduce((sum, { size }) => sum + size, 0)
  // Extras may have files of other formats, such as Parquet files that SQL queries in place.
  const tables = new Set(manifest.records.datasets.flatMap((dataset) => dataset.tables.map(({ file: name }) => name)))
  let done = 0
  for (const entry of manifest.entries) {
    const blob = archive.get(entry.name)
    if (!blob) throw damaged(`“${entry.name}”, which is missing`)
    let chunk = 0
    for await (const { bytes: piece, hash } of hashedChunks(blob, signal)) {
      if (hash !== entry.sha256[chunk++]) throw damaged(describe(manifest, entry.name))
      onProgress((done += piece.length), bytes)
    }
    if (chunk !== entry.sha256.length) throw damaged(describe(manifest, entry.name))
    if (tables.has(entry.name)) {
      if (!(await isDuckDb(blob))) throw invalid(`${describe(manifest, entry.name)} isn’t a DuckDB file`)
    } else if (await isBlank(blob)) throw invalid(`${describe(manifest, entry.name)} is blank`)
  }
  return { manifest, files: archive, extras, bytes }
}

export function summaryOf({ manifest, files, extras }: CheckedBackup): BackupSummary {
  const { workspaces, keys, datasets } = manifest.records
  const tables = datasets.flatMap((dataset) => dataset.tables)
  const counts = new Map<string, number>()
  for (const { workspaceId } of datasets) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1)
  return {
    createdAt: new Date(manifest.created_at),
    appVersion: manifest.app_version,
    workspaces: workspaces.map(({ id, name, slug }) => ({ name, slug, datasets: counts.get(id) ?? 0 })),
    datasets: datasets.length,
    tables: tables.length,
    keys: keys.length,
    bytes: tables.reduce((sum, { file }) => sum + (files.get(file)?.size ?? 0), 0),
    extras: extras.flatMap(({ contents }) => contents),
  }
}

async function readManifest(archive: Archive): Promise<Manifest> {
  const blob = archive.get(MANIFEST)
  const kept = archive.get(MANIFEST_HASH)
  if (!blob || !kept || blob.size > MAX_MANIFEST_BYTES || kept.size !== 64) throw notABackup()
  const bytes = new Uint8Array(await blob.arrayBuffer())
  if ((await sha256Hex(bytes)) !== (await kept.text())) throw damaged('its list of contents')
  const value = parse(bytes)
  const head = manifestHeadSchema.safeParse(value)
  if (!head.success) throw notABackup(head.error)
  if (head.data.version > BACKUP_VERSION) {
    throw new BackupError(
      'newer',
      `This backup was made by a newer Rowhouse (its layout is version ${head.data.version}, this one reads up to ${BACKUP_VERSION}). Get the newest Rowhouse (in a browser, reload the page), then restore it.`,
    )
  }
  const manifest = manifestSchema.safeParse(value)
  if (manifest.success) return manifest.data
  const [issue] = manifest.error.issues
  throw invalid(`“${issue?.path.join('.') ?? ''}” in its list of contents: ${issue?.message ?? 'unknown'}`)
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw notABackup(cause)
  }
}

/** Checks what the service relies on: unique ids, slugs and names, and references that exist. */
function checkRecords({ records: { workspaces, keys, datasets } }: Manifest): void {
  unique('workspace id', workspaces, ({ id }) => id)
  unique('workspace slug', workspaces, ({ slug }) => slug)
  unique('key id', keys, ({ id }) => id)
  unique('key', keys, ({ hash }) => hash)
  unique('dataset id', datasets, ({ id }) => id)
  unique('dataset name', datasets, ({ workspaceId, name }) => `${workspaceId} ${foldName(name)}`)
  for (const dataset of datasets) unique(`table name in “${dataset.name}”`, dataset.tables, (t) => foldName(t.name))
  const ids = new Set(workspaces.map(({ id }) => id))
  for (const { name, workspaceId } of [...keys, ...datasets]) {
    if (!ids.has(workspaceId)) throw invalid(`“${name}” is of a workspace that isn’t in it`)
  }
}

/** Checks that each table and each file of an extra has its own entry, and that there are no others. */
function checkEntries({ records, entries, extra_files }: Manifest, archive: Archive): void {
  unique('entry', entries, ({ name }) => name)
  const sizes = new Map(entries.map(({ name, size }) => [name, size]))
  const tables = records.datasets.flatMap((dataset) => dataset.tables)
  const files = [...tables, ...extra_files].map(({ file }) => file)
  unique('key of a file', extra_files, ({ extra, key }) => `${extra} ${key}`)
  unique('table’s file', files, (file) => file)
  if (files.length !== entries.length || archive.size !== entries.length + 2) throw damaged('the number of its files')
  for (const file of files) {
    if (!sizes.has(file) || archive.get(file)?.size !== sizes.get(file)) throw damaged(`“${file}”`)
  }
}

function unique<T>(what: string, items: readonly T[], keyOf: (item: T) => string): void {
  const seen = new Set<string>()
  for (const item of items) {
    const key = keyOf(item)
    if (seen.has(key)) throw invalid(`the same ${what} is in it twice`)
    seen.add(key)
  }
}

function invalid(why: string): BackupError {
  return new BackupError('invalid', `The backup can’t be restored: ${why}. Use another backup.`, undefined, why)
}

export function tableOf(dataset: string, table: string): string {
  return `table “${table}” of dataset “${dataset}”`
}

/** The name of an entry's table for messages. */
function describe({ records, extra_files }: Manifest, entry: string): string {
  for (const { name, tables } of records.datasets) {
    const table = tables.find(({ file }) => file === entry)
    if (table) return tableOf(name, table.name)
  }
  return `“${extra_files.find(({ file }) => file === entry)?.name ?? entry}”`
}

const MAGIC = 'DUCK'
const MAGIC_AT = 8
/** The size of three headers of 4,096 bytes each. */
const MIN_DUCKDB_BYTES = 12_288

/** Whether a file begins with zeros, as after a crash that lost its content. No format does. */
async function isBlank(blob: Blob): Promise<boolean> {
  const head = await blob.slice(0, MAGIC_AT + MAGIC.length).arrayBuffer()
  return new Uint8Array(head).every((byte) => byte === 0)
}

/** Whether a file begins like DuckDB's: a checksum, then `DUCK`. */
async function isDuckDb(blob: Blob): Promise<boolean> {
  if (blob.size < MIN_DUCKDB_BYTES) return false
  return (await blob.slice(MAGIC_AT, MAGIC_AT + MAGIC.length).text()) === MAGIC
}
