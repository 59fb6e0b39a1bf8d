import { holdLock } from '../../lib/windows.ts'

/* Keeps files from being removed while a session's worker in any window reads them. */

const inUseLock = (fileId: string, folder: string): string => `rowhouse-in-use-${folder}-${fileId}`

/** The files that one session has open. */
export class FilesInUse {
  private readonly folder: string
  private readonly held = new Map<string, () => void>()

  constructor(folder: string) {
    this.folder = folder
  }

  /** Resolves once the file can't be removed any more. It may have been removed before. */
  async hold(fileId: string): Promise<void> {
    if (this.held.has(fileId)) return
    const release = await holdLock(inUseLock(fileId, this.folder), { mode: 'shared' })
    if (this.held.has(fileId)) release()
    else this.held.set(fileId, release)
  }

  /** Releases all other files. */
  keep(fileIds: ReadonlySet<string>): void {
    for (const [fileId, release] of this.held) {
      if (fileIds.has(fileId)) continue
      this.held.delete(fileId)
      release()
    }
  }

  get ids(): readonly string[] {
    return [...this.held.keys()]
  }
}

/** Does `work` once no session reads the file. */
export async function whenUnused(fileId: string, folder: string, work: () => Promise<void>): Promise<void> {
  await navigator.locks.request(inUseLock(fileId, folder), work)
}

/** Does `work` if no session reads the file now. */
export async function ifUnused(fileId: string, folder: string, work: () => Promise<void>): Promise<void> {
  await navigator.locks.request(inUseLock(fileId, folder), { ifAvailable: true }, async (lock) => {
    if (lock) await work()
  })
}
