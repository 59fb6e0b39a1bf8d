import type { ZipError } from '../../lib/zip/read.ts'

/** The result of unpacking an archive. */
export interface Unpacked {
  /** Its tables in order of their paths, including those in nested archives. */
  readonly files: readonly UnpackedFile[]
  /** Tables that couldn't be unpacked, with the error. */
  readonly failed: readonly { readonly path: string; readonly error: ZipError }[]
  /** Number of tables above the limit, which weren’t unpacked. */
  readonly left: number
  /** Notices for people, except about those above. */
  readonly notices: readonly { readonly title: string; readonly description: string }[]
}

export interface UnpackedFile {
  /** Named by its path: `2024/jan.csv` becomes `2024_jan.csv`. */
  readonly file: File
  /** Its path, in which a nested archive is a folder. */
  readonly path: string
}
