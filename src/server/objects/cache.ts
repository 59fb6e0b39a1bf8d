import { rmSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { untilAborted } from '../../lib/abort.ts'
import { PART, writeWhole } from './whole-file.ts'

interface CachedFile {
  size: number
  /** Who works with it now. */
  users: number
}

/**
 * Files that are also elsewhere, on the local disk: those that were used last, up to a size. A name stands for the same
 * bytes for ever. One process alone uses the folder.
 */
export class FileCache {
  private readonly folder: string
  private readonly maxBytes: number
  /** By name; those that were used longest ago come first. */
  private readonly files = new Map<string, CachedFile>()
  private readonly fetching = new Map<string, Promise<boolean>>()
  private bytes = 0

  private constructor(folder: string, maxBytes: number) {
    this.folder = folder
    this.maxBytes = maxBytes
  }

  /** Finds what an earlier process left. */
  static async open(folder: string, maxBytes: number): Promise<FileCache> {
    await mkdir(folder, { recursive: true })
    const cache = new FileCache(folder, maxBytes)
    const found: { name: string; size: number; usedAt: number }[] = []
    for (const name of await readdir(folder)) {
      const place = path.join(folder, name)
      const { size, mtimeMs } = await stat(place)
      if (name.endsWith(PART)) await rm(place, { force: true })
      else found.push({ name, size, usedAt: mtimeMs })
    }
    for (const { name, size } of found.sort((a, b) => a.usedAt - b.usedAt)) cache.add(name, size)
    cache.shrink()
    return cache
  }

  /**
   * Lends a file until `use` has settled.
   * @param fetch gives the bytes where the file isn't here; undefined when there are none
   * @param use gets undefined when there's no such file
   */
  async use<T>(
    name: string,
    fetch: () => Promise<AsyncIterable<Uint8Array> | undefined>,
    use: (place: string | undefined) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const file = await this.take(name, fetch, signal)
    if (!file) return use(undefined)
    try {
      const now = new Date()
      await utimes(this.placeOf(name), now, now).catch(() => undefined)
      return await use(this.placeOf(name))
    } finally {
      file.users--
      this.shrink()
    }
  }

  /** Takes a file over that was made here. It's on the same disk, whole, and synced. */
  async adopt(name: string, place: string): Promise<void> {
    const { size } = await stat(place)
    await rename(place, this.placeOf(name))
    this.add(name, size)
    this.shrink()
  }

  /** What somebody works with stays until it's the one that was used longest ago. */
  remove(name: string): void {
    const file = this.files.get(name)
    if (file?.users === 0) this.drop(name, file)
  }

  private async take(
    name: string,
    fetch: () => Promise<AsyncIterable<Uint8Array> | undefined>,
    signal: AbortSignal,
  ): Promise<CachedFile | undefined> {
    for (;;) {
      signal.throwIfAborted()
      const file = this.files.get(name)
      if (file) {
        // Now it's the one that was used last.
        this.files.delete(name)
        this.files.set(name, file)
        file.users++
        return file
      }
      if (!(await untilAborted(this.fetched(name, fetch), signal))) return undefined
    }
  }

  /** Fetches a file once for all who want it. @returns whether there's one */
  private fetched(name: string, fetch: () => Promise<AsyncIterable<Uint8Array> | undefined>): Promise<boolean> {
    const running = this.fetching.get(name)
    if (running) return running
    const starting = this.write(name, fetch).finally(() => this.fetching.delete(name))
    this.fetching.set(name, starting)
    return starting
  }

  private async write(name: string, fetch: () => Promise<AsyncIterable<Uint8Array> | undefined>): Promise<boolean> {
    const bytes = await fetch()
    if (!bytes) return false
    const size = await writeWhole(this.placeOf(name), bytes)
    this.add(name, size)
    return true
  }

  private add(name: string, size: number): void {
    this.files.set(name, { size, users: 0 })
    this.bytes += size
  }

  private shrink(): void {
    for (const [name, file] of this.files) {
      if (this.bytes <= this.maxBytes) return
      if (file.users === 0) this.drop(name, file)
    }
  }

  /** At once, so that it isn't fetched again in between. */
  private drop(name: string, file: CachedFile): void {
    if (!this.files.delete(name)) return
    this.bytes -= file.size
    rmSync(this.placeOf(name), { force: true })
  }

  private placeOf(name: string): string {
    return path.join(this.folder, name)
  }
}
