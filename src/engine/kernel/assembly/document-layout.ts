/* What `documents.ts` and its caller agree on. Both import it: AssemblyScript and TypeScript. */

/** What a document gives: the text of a value; the value as JSON; or `true` where it's JSON. */
export const DOCUMENT_TEXT = 0
export const DOCUMENT_JSON = 1
export const DOCUMENT_VALID = 2

/**
 * A path: the number of its steps, and two words for each of them: the bytes of a key and its address, or this and an
 * index.
 */
export const PATH_INDEX = -1
export const PATH_SIZE = 4096

/** Zeros that the closing brackets around a value take the place of. */
export const CLOSERS_SIZE = 528

/** The longest value that is printed. */
export const SCRATCH_SIZE = 65536

/** Bytes after a text that are read or written with it. */
export const SLACK = 32
