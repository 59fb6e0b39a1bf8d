import { mkdirSync, mkdtempSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** Milliseconds behind which what another server left isn't being worked on any more. */
const LEFT_FOR = 24 * 3_600_000

/** Where conversions put what is gone when they end: a folder for each. */
export class Work {
  private readonly folder: string
  private readonly own: string

  /** @param folder several servers may share it */
  constructor(folder: string) {
    this.folder = folder
    this.own = path.resolve(folder, crypto.randomUUID())
  }

  /** @returns the conversion's folder, which is there from then on */
  async begin(jobId: string): Promise<string> {
    const folder = this.pathOf(jobId)
    await mkdir(folder, { recursive: true })
    return folder
  }

  /** @returns a folder for a process, which is there */
  forProcess(): string {
    mkdirSync(this.own, { recursive: true })
    return mkdtempSync(path.join(this.own, 'process-'))
  }

  /** @param id of a conversion, or of what is in its folder */
  pathOf(id: string): string {
    return path.join(this.own, id)
  }

  async end(jobId: string): Promise<void> {
    await rm(this.pathOf(jobId), { recursive: true, force: true })
  }

  /** Removes what servers left that were killed. */
  async sweep(): Promise<void> {
    const names = await readdir(this.folder).catch(() => [])
    for (const name of names) {
      const place = path.join(this.folder, name)
      if (place === this.own) continue
      const { mtimeMs } = await stat(place).catch(() => ({ mtimeMs: Date.now() }))
      if (mtimeMs < Date.now() - LEFT_FOR) await rm(place, { recursive: true, force: true })
    }
  }

  async close(): Promise<void> {
    await rm(this.own, { recursive: true, force: true })
  }
}
