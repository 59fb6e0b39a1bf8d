import type { EngineContext } from '../formats/types.ts'

/** For calls that nobody follows or cancels. Tests only. */
export const QUIET: EngineContext = { signal: new AbortController().signal, progress: () => undefined }
