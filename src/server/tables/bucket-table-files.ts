import { rm } from 'node:fs/promises'
import path from 'node:path'
import { EngineError } from '../../engine/errors.ts'
import { fileIdOf, tablePath } from '../../engine/storage/file-names.ts'
import type { Bucket } from '../objects/bucket.ts'
import type { FileCache } from '../objects/cache.ts'
import { DiskBlob } from '../objects/disk-blob.ts'
import { RemoteBlob } from '../objects/remote-blob.ts'
import { handover, type Handover } from '../worker-user.ts'
import { pathOfTable } from './file-tables.ts'
import type { StoredCreation, TableFiles } from './table-files.ts'

/** The prefix of tables' keys. */
const PREFIX = 'tables/'

interface BucketTableFilesOptions {
  readonly bucket: Bucket
  /** Local copies for processes. */
  readonly cache: FileCache
  /** Folder into which processes write files, on the same disk as the cache. */
  readonly folder: string
  /** Passes files between the server and its processes. */
  readonly hands?: Handover
  /** Milliseconds for which sweeps spare unfinished uploads, since another server may still be writing them. */
  readonly unnamedFor: number
}

/** Tables in an S3-compatible store. Statements read local copies. */
export function bucketTableFiles(options: BucketTableFilesOptions): TableFiles {
  const { bucket, cache, folder, unnamedFor, hands = handover(null) } = options
  const remove = async (fileId: string): Promise<void> => {
    await bucket.remove(keyOf(fileId))
    cache.remove(nameOf(fileId))
  }
  return {
    folder,
    begin: (creationId) => hands.give(path.join(folder, creationId)),
    async keep(fileId, signal) {
      const place = pathOfTable(folder, fileId)
      await hands.take(place)
      const made = await DiskBlob.open(place)
      await bucket.put(keyOf(fileId), made.stream(), { maxBytes: made.size, signal })
      // The table is already in the bucket. If the disk has no space for a copy, it's fetched when needed.
      await cache.adopt(nameOf(fileId), place).catch(() => undefined)
    },
    ended: (creationId) => rm(path.join(folder, creationId), { recursive: true, force: true }),
    withFiles(fileIds, use, signal) {
      const files = new Map<string, string>()
      const withRest = ([fileId, ...rest]: readonly string[]): ReturnType<typeof use> => {
        if (fileId === undefined) return use(files)
        const next = (place: string | undefined) => {
          if (place !== undefined) files.set(fileId, place)
          return withRest(rest)
        }
        return cache.use(nameOf(fileId), () => bucket.read(keyOf(fileId)), next, signal)
      }
      return withRest(fileIds)
    },
    async open(fileId) {
      const size = await bucket.size(keyOf(fileId))
      if (size === undefined) throw new EngineError('file-changed', 'The table’s file is gone.')
      return new RemoteBlob(bucket, keyOf(fileId), { start: 0, end: size })
    },
    remove,
    async *creations() {
      await bucket.sweepUploads(PREFIX, Date.now() - unnamedFor)
      let creation = { creationId: '', changedAt: 0, files: [] as StoredCreation['files'][number][] }
      for await (const { key, changedAt } of bucket.list(PREFIX)) {
        const [creationId = '', ...rest] = key.slice(PREFIX.length).split('/')
        const fileId = fileIdOf(creationId, rest.join('/'))
        // Keys are sorted, so the files of a creation follow each other.
        if (creation.creationId !== creationId) {
          if (creation.files.length > 0) yield creation
          creation = { creationId, changedAt, files: [] }
        }
        creation.changedAt = Math.max(creation.changedAt, changedAt)
        creation.files.push({ fileId, remove: () => (fileId === null ? bucket.remove(key) : remove(fileId)) })
      }
      if (creation.files.length > 0) yield creation
    },
  }
}

function keyOf(fileId: string): string {
  const { creationId, name } = tablePath(fileId)
  return `${PREFIX}${creationId}/${name}`
}

/** A file's name in the cache, which has no subfolders. */
function nameOf(fileId: string): string {
  const { creationId, name } = tablePath(fileId)
  return `${creationId}.${name}`
}
