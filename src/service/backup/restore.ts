import { NEVER } from '../../lib/abort.ts'
import type { DatasetRecord, TableRecord } from '../ports.ts'
import { foldName } from '../../lib/names.ts'
import { namedBlobs, namedFiles } from '../named.ts'
import { damaged } from './archive.ts'
import { placeExtras } from './extras.ts'
import { openBackup, summaryOf, type CheckedBackup } from './open.ts'
import type { BackupOptions, BackupSummary, Extras, RestoreDeps } from './ports.ts'

interface RestoredBackup extends BackupSummary {
  /** What isn't as in the backup, in sentences for the user. */
  readonly notes: readonly string[]
}

/**
 * Checks a backup completely, and describes its content. Changes nothing.
 * @throws {BackupError}
 */
export async function inspectBackup(
  file: Blob,
  extras: Extras = {},
  { signal = NEVER, onProgress = () => undefined }: BackupOptions = {},
): Promise<BackupSummary> {
  return summaryOf(await openBackup(file, extras, signal, onProgress))
}

/**
 * Replaces all workspaces, keys and datasets by those of a backup, in one transaction after everything that can fail.
 * Interrupted at any moment, it leaves either the old or the new state. Unused uploads are dropped. Extras are added
 * just before, when all of their files are stored.
 * @throws {BackupError} with nothing changed
 * @throws {Error} of a port, for example if there isn't enough space beside the current data, with nothing changed
 */
export async function restoreBackup(
  deps: RestoreDeps,
  file: Blob,
  { signal = NEVER, onProgress = () => undefined }: BackupOptions = {},
): Promise<RestoredBackup> {
  // The backup is read twice: once to check it, once to copy it.
  const backup = await openBackup(file, deps.extras ?? {}, signal, (done, total) => onProgress(done, total * 2))
  const creationId = crypto.randomUUID()
  let done = backup.bytes
  const onPut = (bytes: number): void => onProgress((done += bytes), backup.bytes * 2)
  let notes: readonly string[] = []
  try {
    await deps.tables.whileCreating(creationId, async () => {
      const fileIds = await putFiles(deps, backup, creationId, signal, onPut)
      await placeExtras(backup.extras, backup.files, { signal, onPut }, async (add) => {
        signal.throwIfAborted()
        notes = await add()
        await replaceRecords(deps, backup, fileIds)
      })
    })
  } finally {
    await sweepFiles(deps)
  }
  return { ...summaryOf(backup), notes }
}

async function putFiles(
  { files: target }: RestoreDeps,
  { manifest, files }: CheckedBackup,
  creationId: string,
  signal: AbortSignal,
  onPut: (bytes: number) => void,
): Promise<ReadonlyMap<string, string>> {
  const fileIds = new Map<string, string>()
  for (const { file: name } of manifest.records.datasets.flatMap((dataset) => dataset.tables)) {
    signal.throwIfAborted()
    const blob = files.get(name)
    if (!blob) throw damaged(`“${name}”, which is missing`)
    const fileId = `${creationId}/${crypto.randomUUID()}`
    await target.put(fileId, blob, signal)
    fileIds.set(name, fileId)
    onPut(blob.size)
  }
  return fileIds
}

async function replaceRecords(
  { records }: RestoreDeps,
  { manifest }: CheckedBackup,
  fileIds: ReadonlyMap<string, string>,
): Promise<void> {
  const { workspaces, keys, datasets } = manifest.records
  const placed = datasets.map(({ tables, ...dataset }): DatasetRecord => ({
    ...dataset,
    nameKey: foldName(dataset.name),
    tables: tables.map(({ file, ...table }): TableRecord => {
      const fileId = fileIds.get(file)
      if (fileId === undefined) throw damaged(`“${file}”, which is missing`)
      return { ...table, fileId }
    }),
  }))
  await records.write(['workspaces', 'keys', 'datasets', 'objects'], async (transaction) => {
    for (const store of ['workspaces', 'keys', 'datasets', 'objects'] as const) await transaction.clear(store)
    for (const workspace of workspaces) await transaction.put('workspaces', workspace)
    for (const key of keys) await transaction.put('keys', key)
    for (const dataset of placed) await transaction.put('datasets', dataset)
  })
}

/**
 * Removes files that no record uses: the old ones, or the new ones after a failure. What fails now is left to the next
 * sweep.
 */
async function sweepFiles({ records, tables, objects }: RestoreDeps): Promise<void> {
  await Promise.allSettled([tables.sweep(() => namedFiles(records)), objects.sweep(() => namedBlobs(records))])
}
