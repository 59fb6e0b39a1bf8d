import { EngineError } from '../errors.ts'
import { writeWhole } from '../io/access-handle-sink.ts'
import { spaceError } from '../io/private-files.ts'
import { createSpillFile, sweepSpill } from './spill-folder.ts'

/** DuckDB's temporary files are of these kinds: one has blocks that are compressed to this size, or as they are. */
const KINDS = ['S32K', 'S64K', 'S96K', 'S128K', 'S160K', 'S192K', 'S224K', 'DEFAULT']
/**
 * Another file of a kind is begun when those before it are full: at 4,000 blocks, then 8,000, 16,000, ... So there are never
 * more than five of the smallest before there are `MOST_BYTES`.
 */
const FILES_OF_KIND = 6
/** DuckDB-WASM counts a file's bytes with 32 bits: all files together stay below. */
const MOST_BYTES = 4e9
/** Where there's less it isn't worth it. */
const LEAST_BYTES = 64e6
/** Of what the browser gives: the rest is for what people keep. */
const SHARE = 0.9
const EXTENT = 2 ** 20

type Handle = Pick<FileSystemSyncAccessHandle, 'read' | 'write' | 'truncate'>

/** A file in pieces, which other files take and give back. */
class Extents {
  private readonly handle: Handle
  /** Of each piece whether it's taken. */
  private readonly taken: boolean[] = []
  count = 0
  /** The most that were taken at once since the last `trim`, and as many as were then. */
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

  /** Gives the space after the last piece that is taken back to the disk. */
  trim(): void {
    this.taken.length = this.taken.lastIndexOf(true) + 1
    this.handle.truncate(this.taken.length * EXTENT)
    this.peak = this.count
    this.trimmed = this.count
  }

  /** Whether all was there. */
  read(bytes: Uint8Array, at: number): boolean {
    return this.handle.read(bytes, { at }) === bytes.length
  }

  /** @throws {DOMException} `QuotaExceededError` */
  write(bytes: Uint8Array, at: number): void {
    writeWhole(this.handle, bytes, at)
  }
}

/** One of DuckDB's temporary files, as DuckDB-WASM uses a synchronous access handle. */
class SpilledFile {
  private readonly all: Extents
  private readonly fail: (error: unknown) => unknown
  private readonly own: number[] = []
  /** Where blocks were written, and their bytes: DuckDB reads whole ones. */
  private readonly blocks = new Map<number, number>()

  /** @param fail told why a statement fails; gives what is to be thrown */
  constructor(all: Extents, fail: (error: unknown) => unknown) {
    this.all = all
    this.fail = fail
  }

  /** DuckDB doesn't look whether all was read: what isn't as it was written is an error, never wrong rows. */
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
    // Nobody reads it after this worker.
  }

  /** The parts of bytes, with their places in the file that all share. */
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
 * Where a database puts what it has no memory for: one file of the private file system, shared by all of DuckDB's temporary
 * files, because DuckDB begins those while it runs, when no file can be opened.
 */
export class Spill {
  /** Bytes that it may take. */
  readonly limit: number
  private failure: EngineError | null = null
  private readonly all: Extents
  private readonly files = new Map<string, SpilledFile>()
  private directory = ''

  constructor(handle: Handle, limit = Infinity) {
    this.all = new Extents(handle)
    this.limit = Math.min(limit, MOST_BYTES)
  }

  /** One for this worker; null where there's no private file system, or little room. */
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

  /** The files that DuckDB may begin in a directory, with their paths. */
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
   * Whether DuckDB may open a file. Of one that isn't registered, as for a value that is longer than a block, the library
   * keeps in memory what it happens to keep: rows would be wrong.
   */
  allows(path: string): boolean {
    if (!path.startsWith(`${this.directory}/`) || this.files.has(path)) return true
    this.failure ??= new EngineError('out-of-memory', 'The statement needs more memory than the engine has.', {
      remedy: 'Leave out the columns with the longest values, or filter before sorting, joining and grouping.',
    })
    return false
  }

  /** Why the last statement failed, if it's for this. DuckDB tells it in words that aren't for people. */
  takeFailure(): EngineError | null {
    const { failure } = this
    this.failure = null
    return failure
  }

  /**
   * Gives back what isn't needed after a statement.
   * @param isNeeded whether DuckDB still has something here
   * @returns the most bytes that the statement took
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
  return new EngineError('internal', 'What the statement had no memory for can’t be read back.', {
    remedy: 'Run it again, or filter before sorting, joining and grouping.',
  })
}
