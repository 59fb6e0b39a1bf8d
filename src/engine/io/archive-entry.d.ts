import type { Unpacked } from './archive-types.ts'

/** @returns null for what has no tables to be taken: it's read as any other file, which says what is wrong */
export declare function unpackArchive(file: File, signal: AbortSignal): Promise<Unpacked | null>
