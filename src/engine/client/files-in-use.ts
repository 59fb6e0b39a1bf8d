/* Files that a session's worker reads are kept until it has let go of them, in whatever window. */

const inUseLock = (fileId: string, folder: string): string => `rowhouse-in-use-${folder}-${fileId}`

/** The files that one session has open. */
export class FilesInUse {
  private readonly folder: string
  private readonly held = new Map<string, () => void>()

  constructor(folder: string) {
    this.folder = folder
  }

  /** Resolves when nobody removes the file any more; it may have been removed before. */
  async hold(fileId: string): Promise<void> {
    if (this.held.has(fileId)) return
    await new Promise<void>((resolve, reject) => {
      const held = navigator.locks.request(
        inUseLock(fileId, this.folder),
        { mode: 'shared' },
        () =>
          new Promise<void>((release) => {
            if (this.held.has(fileId)) release()
            else this.held.set(fileId, release)
            resolve()
          }),
      )
      held.catch(reject)
    })
  }

  /** Lets go of all files but those. */
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

/** Does what needs a file that nobody reads, once that is so. */
export async function whenUnused(fileId: string, folder: string, work: () => Promise<void>): Promise<void> {
  await navigator.locks.request(inUseLock(fileId, folder), work)
}

/** Does it if nobody reads the file now. */
export async function ifUnused(fileId: string, folder: string, work: () => Promise<void>): Promise<void> {
  await navigator.locks.request(inUseLock(fileId, folder), { ifAvailable: true }, async (lock) => {
    if (lock) await work()
  })
}
