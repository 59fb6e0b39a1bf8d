import { rmSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { untilAborted } from '../../lib/abort.ts'
import { PART, writeWhole } from './whole-file.ts'

interface CachedFile {
  size: number
  /** The number of calls that are using it. */
  users: number
}

/**
 * A cache of files on the local disk that keeps the most recently used ones up to a size. A name always means the same
 * bytes. Only one process may use the folder.
 */
export class FileCache {
  private readonly folder: string
  private readonly maxBytes: number
  /** By name; the least recently used come first. */
  private readonly files = new Map<string, CachedFile>()
  private readonly fetching = new Map<string, Promise<boolean>>()
  private bytes = 0

  private constructor(folder: string, maxBytes: number) {
    this.folder = folder
    this.maxBytes = maxBytes
  }

  /** Takes over the files of an earlier process. */
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
   * Keeps a file in the cache until `use` settles.
   * @param fetch returns the bytes if the file isn't cached; undefined if it doesn't exist
   * @param use called with the path; undefined if the file doesn't exist
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

  /** Moves a complete, synced file on the same disk into the cache. */
  async adopt(name: string, place: string): Promise<void> {
    const { size } = await stat(place)
    await rename(place, this.placeOf(name))
    this.add(name, size)
    this.shrink()
  }

  /** Does nothing for a file that is being used, which stays until space is needed. */
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
        // Moves it to the end as the most recently used.
        this.files.delete(name)
        this.files.set(name, file)
        file.users++
        return file
      }
      if (!(await untilAborted(this.fetched(name, fetch), signal))) return undefined
    }
  }

  /** Fetches a file once for all calls that wait for it. @returns whether it exists */
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

  /** Synchronous, so that the file can't be fetched again before it's removed. */
  private drop(name: string, file: CachedFile): void {
    if (!this.files.delete(name)) return
    this.bytes -= file.size
    rmSync(this.placeOf(name), { force: true })
  }

  private placeOf(name: string): string {
    return path.join(this.folder, name)
  }
}
