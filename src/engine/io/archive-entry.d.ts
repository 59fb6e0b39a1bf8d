import type { Unpacked } from './archive-types.ts'

/** @returns null if it has no tables to unpack: it's then read like any other file, which reports the problem */
export declare function unpackArchive(file: File, signal: AbortSignal): Promise<Unpacked | null>
