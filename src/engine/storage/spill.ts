import { EngineError } from '../errors.ts'
import { writeWhole } from '../io/access-handle-sink.ts'
import { spaceError } from '../io/private-files.ts'
import { createSpillFile, sweepSpill } from './spill-folder.ts'

/** Kinds of DuckDB's temporary files: each has blocks compressed to this size, or uncompressed ones. */
const KINDS = ['S32K', 'S64K', 'S96K', 'S128K', 'S160K', 'S192K', 'S224K', 'DEFAULT']
/**
 * A new file of a kind is begun when the previous ones are full: after 4,000 blocks, then 8,000, 16,000, ... Therefore,
 * there are at most five of the smallest kind before `MOST_BYTES` is reached.
 */
const FILES_OF_KIND = 6
/** DuckDB-WASM uses 32 bits for a file's size, so all files together must stay below. */
const MOST_BYTES = 4e9
/** With less space, spilling isn't worthwhile. */
const LEAST_BYTES = 64e6
/** Share of the browser's quota to use; the rest is for people's files. */
const SHARE = 0.9
const EXTENT = 2 ** 20

type Handle = Pick<FileSystemSyncAccessHandle, 'read' | 'write' | 'truncate'>

/** A file divided into extents, which are allocated to other files. */
class Extents {
  private readonly handle: Handle
  /** Whether each extent is allocated. */
  private readonly taken: boolean[] = []
  count = 0
  /** Maximum of allocated extents since the last `trim`, and at the last `trim`. */
  peak = 0
  trimmed = 0

  constructor(handle: Handle) {
    this.handle = handle
  }

  take(): number {
    const free = this.taken.indexOf(false)
    const extent = free === -1 ? this.taken.length : free
    this.taken[extent] = true
    this.peak = Math.max(this.peak, ++this.count)
    return extent
  }

  free(extent: number): void {
    this.taken[extent] = false
    this.count--
  }

  /** Frees the disk space after the last allocated extent. */
  trim(): void {
    this.taken.length = this.taken.lastIndexOf(true) + 1
    this.handle.truncate(this.taken.length * EXTENT)
    this.peak = this.count
    this.trimmed = this.count
  }

  /** Returns whether all bytes could be read. */
  read(bytes: Uint8Array, at: number): boolean {
    return this.handle.read(bytes, { at }) === bytes.length
  }

  /** @throws {DOMException} `QuotaExceededError` */
  write(bytes: Uint8Array, at: number): void {
    writeWhole(this.handle, bytes, at)
  }
}

/** One of DuckDB's temporary files, with the interface of a synchronous access handle that DuckDB-WASM uses. */
class SpilledFile {
  private readonly all: Extents
  private readonly fail: (error: unknown) => unknown
  private readonly own: number[] = []
  /** Offsets and sizes of written blocks, since DuckDB reads whole blocks. */
  private readonly blocks = new Map<number, number>()

  /** @param fail records why a statement fails, and returns the error to throw */
  constructor(all: Extents, fail: (error: unknown) => unknown) {
    this.all = all
    this.fail = fail
  }

  /**
   * DuckDB doesn't check whether all bytes were read. Data that differs from what was written must be an error, never
   * wrong rows.
   */
  read(bytes: Uint8Array, { at = 0 }: FileSystemReadWriteOptions = {}): number {
    const whole =
      this.blocks.get(at) === bytes.length && this.pieces(bytes, at).every((piece) => this.all.read(...piece))
    if (!whole) throw this.fail(damaged())
    return bytes.length
  }

  write(bytes: Uint8Array, { at = 0 }: FileSystemReadWriteOptions = {}): number {
    this.blocks.delete(at)
    while (this.getSize() < at + bytes.length) this.own.push(this.all.take())
    try {
      for (const piece of this.pieces(bytes, at)) this.all.write(...piece)
    } catch (error) {
      throw this.fail(spaceError(error))
    }
    this.blocks.set(at, bytes.length)
    return bytes.length
  }

  truncate(size: number): void {
    for (const at of this.blocks.keys()) if (at >= size) this.blocks.delete(at)
    for (const extent of this.own.splice(Math.ceil(size / EXTENT))) this.all.free(extent)
  }

  getSize(): number {
    return this.own.length * EXTENT
  }

  flush(): void {
    // The data isn't needed after this worker ends.
  }

  /** Splits bytes by extents, with their offsets in the shared file. */
  private pieces(bytes: Uint8Array, at: number): [Uint8Array, number][] {
    const pieces: [Uint8Array, number][] = []
    for (let done = 0; done < bytes.length;) {
      const within = (at + done) % EXTENT
      const part = bytes.subarray(done, done + EXTENT - within)
      pieces.push([part, (this.own[Math.floor((at + done) / EXTENT)] ?? 0) * EXTENT + within])
      done += part.length
    }
    return pieces
  }
}

/**
 * Storage for data that exceeds a database's memory: one file of the private file system, shared by all of DuckDB's
 * temporary files, because DuckDB creates these while it runs, when no file can be opened.
 */
export class Spill {
  /** Maximum size in bytes. */
  readonly limit: number
  private failure: EngineError | null = null
  private readonly all: Extents
  private readonly files = new Map<string, SpilledFile>()
  private directory = ''

  constructor(handle: Handle, limit = Infinity) {
    this.all = new Extents(handle)
    this.limit = Math.min(limit, MOST_BYTES)
  }

  /** Opens the storage of this worker; null without a private file system or enough space. */
  static async open(): Promise<Spill | null> {
    try {
      await sweepSpill()
      const { quota = 0, usage = 0 } = await navigator.storage.estimate()
      const room = (quota - usage) * SHARE
      return room < LEAST_BYTES ? null : new Spill(await (await createSpillFile()).createSyncAccessHandle(), room)
    } catch {
      return null
    }
  }

  /** The files that DuckDB may create in a directory, by path. */
  filesIn(directory: string): ReadonlyMap<string, Pick<FileSystemSyncAccessHandle, 'read' | 'write'>> {
    this.directory = directory
    for (const kind of KINDS)
      for (let i = 0; i < FILES_OF_KIND; i++)
        this.files.set(
          `${directory}/duckdb_temp_storage_${kind}-${i}`,
          new SpilledFile(this.all, (error) => {
            if (error instanceof EngineError) this.failure ??= error
            return error
          }),
        )
    return this.files
  }

  /**
   * Whether DuckDB may open a file. Others, such as for values longer than a block, the library would keep partly in
   * memory, and rows would be wrong.
   */
  allows(path: string): boolean {
    if (!path.startsWith(`${this.directory}/`) || this.files.has(path)) return true
    this.failure ??= new EngineError('out-of-memory', 'The statement needs more memory than the engine has.', {
      remedy: 'Leave out the columns with the longest values, or filter before sorting, joining and grouping.',
    })
    return false
  }

  /**
   * The reason why the last statement failed, if it's a failure of this storage. DuckDB's own message isn't meant for
   * people.
   */
  takeFailure(): EngineError | null {
    const { failure } = this
    this.failure = null
    return failure
  }

  /**
   * Frees space that isn't needed after a statement.
   * @param isNeeded whether DuckDB still has data here
   * @returns the maximum number of bytes that the statement used
   */
  giveBack(isNeeded: () => boolean): number {
    const before = this.all.trimmed
    const most = this.all.peak
    if (most === 0) return 0
    if (!isNeeded()) for (const file of this.files.values()) file.truncate(0)
    this.all.trim()
    return (most - before) * EXTENT
  }
}

function damaged(): EngineError {
  return new EngineError('internal', 'The data that the statement moved to the disk can’t be read back.', {
    remedy: 'Run it again, or filter before sorting, joining and grouping.',
  })
}
