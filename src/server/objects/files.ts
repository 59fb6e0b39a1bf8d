import { openAsBlob } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { bounded } from '../../service/stores/bounded.ts'
import { withoutWarnings } from '../warnings.ts'
import { PASSABLE } from '../worker-user.ts'
import type { ObjectStore } from './objects.ts'
import { isMissing, namesIn, PART, writeWhole } from './whole-file.ts'

/** Objects as files, in subfolders named by the first two characters of their ids. */
export function fileStore(folder: string): ObjectStore {
  const files = new WeakMap<Blob, string>()
  const placeOf = (blobId: string): string => path.join(folder, blobId.slice(0, 2), blobId)
  return {
    async put(blobId, body, bounds) {
      const place = placeOf(blobId)
      await mkdir(path.dirname(place), { recursive: true, mode: PASSABLE })
      return writeWhole(place, bounded(body, bounds))
    },
    async open(blobId) {
      const place = placeOf(blobId)
      try {
        const { size } = await stat(place)
        const blob = await withoutWarnings(() => openAsBlob(place))
        if (blob.size !== size) return undefined
        files.set(blob, place)
        return blob
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    remove: (blobId) => rm(placeOf(blobId), { force: true }),
    async *list() {
      for (const part of await namesIn(folder)) {
        for (const name of await namesIn(path.join(folder, part))) {
          const place = path.join(folder, part, name)
          const { mtimeMs } = await stat(place).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
          yield { blobId: name.replace(PART, ''), changedAt: mtimeMs, remove: () => rm(place, { force: true }) }
        }
      }
    },
    async withFile(blob, use) {
      const place = files.get(blob)
      if (place === undefined) throw new Error('not an object of this store')
      return use(place)
    },
    link: () => Promise.resolve(null),
  }
}
