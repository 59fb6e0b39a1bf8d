import { open } from 'node:fs/promises'
import { statFile } from '../engine/files.ts'
import { LazyBlob, type Span } from './lazy-blob.ts'

/** Bytes to read at a time. */
const PIECE = 1024 * 1024

/**
 * A file of any size on the disk, since Node 20's own blobs are limited to 4 GiB. If it has changed, reading it fails.
 */
export class DiskBlob extends LazyBlob {
  private readonly path: string
  /** Its modification time. */
  private readonly modified: number

  private constructor(path: string, modified: number, span: Span) {
    super(span)
    this.path = path
    this.modified = modified
  }

  /** @throws {Error} Node's, with its `code` */
  static async open(path: string): Promise<DiskBlob> {
    const { size, mtimeMs } = await statFile(path)
    return new DiskBlob(path, mtimeMs, { start: 0, end: size })
  }

  protected override async read(): Promise<AsyncIterable<Uint8Array>> {
    const { start, end } = this.span
    const file = await open(this.path)
    if ((await file.stat()).mtimeMs === this.modified) {
      // The stream always closes the file.
      return file.createReadStream({ start, end: end - 1, highWaterMark: PIECE })
    }
    await file.close()
    throw this.tooShort()
  }

  protected override part(span: Span): Blob {
    return new DiskBlob(this.path, this.modified, span)
  }

  protected override tooShort(): unknown {
    return new DOMException('The file changed, or went away, while it was read.', 'NotReadableError')
  }
}
