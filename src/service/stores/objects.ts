import { privateFiles } from '../../lib/private-files.ts'
import type { Objects } from '../ports.ts'
import { createIndexedObjects } from './objects-idb.ts'
import { createOpfsObjects } from './objects-opfs.ts'

/** Objects wherever this browser keeps files best: pages and workers of one origin come to the same choice. */
export function createBrowserObjects(): Objects {
  let choosing: Promise<Objects> | null = null
  const chosen = (): Promise<Objects> => {
    choosing ??= canStream().then((can) => (can ? createOpfsObjects() : createIndexedObjects()))
    return choosing
  }
  return {
    put: async (...request) => (await chosen()).put(...request),
    get: async (blobId) => (await chosen()).get(blobId),
    remove: async (blobId) => (await chosen()).remove(blobId),
    sweep: async (keep) => (await chosen()).sweep(keep),
  }
}

async function canStream(): Promise<boolean> {
  if (!('FileSystemFileHandle' in globalThis) || !('createWritable' in FileSystemFileHandle.prototype)) return false
  return (await privateFiles()) !== null
}
