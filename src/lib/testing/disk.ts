import { createHash } from 'node:crypto'

/* A browser's private file system in memory, on a disk that can become full. Tests only. */

/** How a synchronous handle's write reports that there's no space. */
export type Manner = 'writes less' | 'gives an error’s number' | 'throws'
export const MANNERS: readonly Manner[] = ['writes less', 'gives an error’s number', 'throws']

/** A write that needs space on the disk. */
export interface DiskWrite {
  /** The number of earlier writes. */
  readonly index: number
  readonly path: string
  /** Bytes on the disk before the write, and bytes that the write adds. */
  readonly used: number
  readonly growth: number
}

/** How a disk becomes full. */
export interface FullDisk {
  readonly name: string
  readonly manner: Manner
  /** Whether there's space again afterwards, so that the work may succeed. */
  readonly passing: boolean
  readonly room?: number
  readonly refuses?: (index: number) => boolean
}

/**
 * The ways in which a disk can become full during the writes just made: at each write's first byte, within it, before
 * its last byte, and with each write refused, alone or with all later ones. The manners alternate.
 */
export function fullAt({ writes }: Disk): FullDisk[] {
  const begun = writes[0]?.used ?? 0
  const rooms = new Set<number>()
  for (const { used, growth } of writes) {
    for (const more of [0, 1, growth >> 1, growth - 1]) if (more >= 0 && more < growth) rooms.add(used + more)
  }
  const ways: Omit<FullDisk, 'manner'>[] = [
    ...Array.from(rooms, (room) => ({ name: `room for ${room - begun} bytes`, passing: false, room })),
    ...writes.flatMap(({ index, path }) => [
      { name: `write ${index} refused (${path})`, passing: true, refuses: (at: number) => at === index },
      { name: `writes from ${index} on refused (${path})`, passing: false, refuses: (at: number) => at >= index },
    ]),
  ]
  return ways.map((way, i) => {
    const manner = MANNERS[i % MANNERS.length] ?? 'throws'
    return { ...way, manner, name: `${way.name}; it ${manner}` }
  })
}

const full = (): DOMException => new DOMException('no room', 'QuotaExceededError')
const failed = (name: string): Promise<never> => Promise.reject(new DOMException(name, name))

export class Disk {
  /** Bytes available for all files together. */
  room = Number.POSITIVE_INFINITY
  /** Refuses writes by index, even those that don't need more space. */
  refuses: (index: number) => boolean = () => false
  manner: Manner = 'writes less'
  readonly root: Folder
  writes: DiskWrite[] = []

  constructor() {
    this.root = new Folder('', this)
  }

  /** Bytes of all files, including unfinished ones. */
  get used(): number {
    return this.root.used
  }

  /** Paths of all files, with their bytes. */
  get files(): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
    return new Map(this.root.all().map((file) => [file.path, file.bytes.slice(0, file.size)]))
  }

  /** Everything on the disk, for comparisons: paths with checksums, and the space used. */
  get state(): unknown {
    const sum = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
    return { used: this.used, files: Object.fromEntries(Array.from(this.files, ([path, bytes]) => [path, sum(bytes)])) }
  }

  /** The most bytes that were on the disk. */
  get peak(): number {
    return Math.max(0, ...this.writes.map(({ used, growth }) => used + growth))
  }

  getFull({ manner, room = Number.POSITIVE_INFINITY, refuses = () => false }: FullDisk): void {
    Object.assign(this, { manner, room, refuses, writes: [] })
  }

  erase(): void {
    this.reset()
    this.root.entriesByName.clear()
  }

  /** Removes all limits, and forgets earlier writes. */
  reset(): void {
    this.room = Number.POSITIVE_INFINITY
    this.refuses = () => false
    this.writes = []
  }

  remove(path: string): Promise<void> {
    const file = this.root.all().find((each) => each.path === path)
    return file ? file.parent.removeEntry(file.name) : failed('NotFoundError')
  }

  /** How many bytes of a write fit. */
  allow(file: FakeFile, size: number, at: number, length: number): number {
    if (length === 0) return 0
    const { used } = this
    const write = { index: this.writes.length, path: file.path, used, growth: Math.max(0, at + length - size) }
    this.writes.push(write)
    // The part that an interrupted write leaves.
    if (this.refuses(write.index)) return this.refuses(write.index - 1) ? 0 : Math.floor(length / 2)
    return Math.max(0, Math.min(length, size + Math.max(0, this.room - used) - at))
  }

  /** A `navigator` with this disk and locks. */
  navigator(): object {
    return { storage: { getDirectory: () => Promise.resolve(this.root) }, locks: new Locks() }
  }
}

export class Folder {
  readonly kind = 'directory'
  readonly entriesByName = new Map<string, Folder | FakeFile>()
  readonly name: string
  private readonly disk: Disk
  private readonly parent: Folder | null

  constructor(name: string, disk: Disk, parent: Folder | null = null) {
    this.name = name
    this.disk = disk
    this.parent = parent
  }

  get path(): string {
    return this.parent ? `${this.parent.path}${this.name}/` : ''
  }

  get used(): number {
    return Array.from(this.entriesByName.values()).reduce((sum, { used }) => sum + used, 0)
  }

  all(): FakeFile[] {
    return Array.from(this.entriesByName.values()).flatMap((entry) => (entry instanceof Folder ? entry.all() : [entry]))
  }

  getDirectoryHandle(name: string, { create = false } = {}): Promise<Folder> {
    return this.entry(name, create, () => new Folder(name, this.disk, this))
  }

  getFileHandle(name: string, { create = false } = {}): Promise<FakeFile> {
    return this.entry(name, create, () => new FakeFile(name, this.disk, this))
  }

  removeEntry(name: string, { recursive = false } = {}): Promise<void> {
    const found = this.entriesByName.get(name)
    if (!found) return failed('NotFoundError')
    if (found instanceof Folder) {
      if (found.entriesByName.size > 0 && !recursive) return failed('InvalidModificationError')
      if (found.all().some(({ held }) => held)) return failed('NoModificationAllowedError')
    } else if (found.held) return failed('NoModificationAllowedError')
    this.entriesByName.delete(name)
    return Promise.resolve()
  }

  async *entries(): AsyncGenerator<[string, Folder | FakeFile]> {
    for (const entry of Array.from(this.entriesByName)) yield await Promise.resolve(entry)
  }

  async *keys(): AsyncGenerator<string> {
    for await (const [name] of this.entries()) yield name
  }

  async *values(): AsyncGenerator<Folder | FakeFile> {
    for await (const [, entry] of this.entries()) yield entry
  }

  private entry<T extends Folder | FakeFile>(name: string, create: boolean, make: () => T): Promise<T> {
    const found = this.entriesByName.get(name) as T | undefined
    if (!found && !create) return failed('NotFoundError')
    const entry = found ?? make()
    this.entriesByName.set(name, entry)
    return Promise.resolve(entry)
  }
}

class FakeFile {
  readonly kind = 'file'
  name: string
  bytes = new Uint8Array(0)
  size = 0
  /** Size of a stream's temporary file, which replaces this file when closed. */
  swap = 0
  /** Whether a synchronous handle is open. */
  held = false
  parent: Folder
  private readonly disk: Disk

  constructor(name: string, disk: Disk, parent: Folder) {
    this.name = name
    this.disk = disk
    this.parent = parent
  }

  get path(): string {
    return this.parent.path + this.name
  }

  get used(): number {
    return this.size + this.swap
  }

  getFile(): Promise<File> {
    return Promise.resolve(new File([this.bytes.slice(0, this.size)], this.name))
  }

  move(folder: Folder, name: string): Promise<void> {
    if (this.held) return failed('NoModificationAllowedError')
    this.parent.entriesByName.delete(this.name)
    this.name = name
    this.parent = folder
    folder.entriesByName.set(name, this)
    return Promise.resolve()
  }

  createSyncAccessHandle(): Promise<object> {
    if (this.held) return failed('NoModificationAllowedError')
    this.held = true
    return Promise.resolve({
      read: (buffer: Uint8Array, { at = 0 } = {}) => {
        const found = this.bytes.subarray(Math.min(at, this.size), Math.min(at + buffer.length, this.size))
        buffer.set(found)
        return found.length
      },
      write: (bytes: Uint8Array, { at = 0 } = {}) => {
        const count = this.disk.allow(this, this.size, at, bytes.length)
        if (count > 0) this.put(bytes.subarray(0, count), at)
        if (count === bytes.length || (count > 0 && this.disk.manner !== 'throws')) return count
        if (this.disk.manner === 'throws') throw full()
        return this.disk.manner === 'writes less' ? 0 : 2 ** 32 - 8
      },
      truncate: (size: number) => {
        if (this.disk.allow(this, this.size, 0, size) < size) throw full()
        if (size > this.size) this.put(new Uint8Array(0), size)
        this.bytes.fill(0, size)
        this.size = size
      },
      flush: () => undefined,
      getSize: () => this.size,
      close: () => void (this.held = false),
    })
  }

  createWritable(): Promise<WritableStream<Uint8Array>> {
    const parts: Uint8Array<ArrayBuffer>[] = []
    const write = (bytes: Uint8Array): void => {
      const count = this.disk.allow(this, this.swap, this.swap, bytes.length)
      if (count < bytes.length && this.disk.manner === 'throws') throw full()
      // What Chromium sometimes reports for a full disk.
      if (count < bytes.length && this.disk.manner !== 'writes less') throw new DOMException('aborted', 'AbortError')
      parts.push(bytes.slice(0, count))
      this.swap += count
    }
    const close = (): void => {
      this.bytes = new Uint8Array(this.swap)
      this.size = 0
      for (const part of parts) this.put(part, this.size)
      this.swap = 0
    }
    const abort = (): void => void (this.swap = 0)
    const stream = new WritableStream<Uint8Array>({ write, close, abort })
    // Like the browser's stream methods, each of which locks it for a moment.
    const withWriter = async (work: (writer: WritableStreamDefaultWriter<Uint8Array>) => Promise<void>) => {
      const writer = stream.getWriter()
      await work(writer).finally(() => writer.releaseLock())
    }
    return Promise.resolve(
      Object.assign(stream, {
        write: (bytes: Uint8Array) => withWriter((writer) => writer.write(bytes)),
      }),
    )
  }

  private put(bytes: Uint8Array, at: number): void {
    const end = at + bytes.length
    if (end > this.bytes.length) {
      const grown = new Uint8Array(Math.max(end, this.bytes.length * 2))
      grown.set(this.bytes.subarray(0, this.size))
      this.bytes = grown
    }
    this.bytes.set(bytes, at)
    this.size = Math.max(this.size, end)
  }
}

interface LockRequest {
  readonly isShared: boolean
  grant(): void
}

/** The part of Web Locks that we use: exclusive and shared locks, in order. */
class Locks {
  private readonly held = new Map<string, LockRequest[]>()
  private readonly waiting = new Map<string, LockRequest[]>()

  async request(name: string, ...rest: unknown[]): Promise<unknown> {
    const work = rest.at(-1) as (lock: object | null) => unknown
    const { ifAvailable = false, mode = 'exclusive' } = (rest.length > 1 ? rest[0] : {}) as LockOptions
    const isShared = mode === 'shared'
    if (ifAvailable && !this.fits(name, isShared)) return work(null)
    let mine: LockRequest | undefined
    await new Promise<void>((grant) => {
      mine = { isShared, grant }
      this.waiting.set(name, [...(this.waiting.get(name) ?? []), mine])
      this.next(name)
    })
    try {
      return await work({})
    } finally {
      this.held.set(
        name,
        (this.held.get(name) ?? []).filter((each) => each !== mine),
      )
      this.next(name)
    }
  }

  private fits(name: string, isShared: boolean): boolean {
    const held = this.held.get(name) ?? []
    return held.length === 0 || (isShared && held.every((each) => each.isShared))
  }

  private next(name: string): void {
    for (;;) {
      const [first, ...others] = this.waiting.get(name) ?? []
      if (!first || !this.fits(name, first.isShared)) return
      this.waiting.set(name, others)
      this.held.set(name, [...(this.held.get(name) ?? []), first])
      first.grant()
    }
  }
}
