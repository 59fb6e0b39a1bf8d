import type { EngineContext } from '../formats/types.ts'

/** A context without progress and cancellation. Tests only. */
export const QUIET: EngineContext = { signal: new AbortController().signal, progress: () => undefined }
