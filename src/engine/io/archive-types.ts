import type { ZipError } from '../../lib/zip/read.ts'

/** What came of an archive. */
export interface Unpacked {
  /** Its tables by the order of their paths, with those in archives within. */
  readonly files: readonly UnpackedFile[]
  /** Tables that couldn't be unpacked, and why. */
  readonly failed: readonly { readonly path: string; readonly error: ZipError }[]
  /** Tables beyond those that are taken. */
  readonly left: number
  /** What else is to be told, for people. */
  readonly notices: readonly { readonly title: string; readonly description: string }[]
}

export interface UnpackedFile {
  /** Named by its folders and its name: `2024/jan.csv` is `2024_jan.csv`. */
  readonly file: File
  /** Where it was; an archive within is the folder of what is in it. */
  readonly path: string
}
