import { vi } from 'vitest'
import type { EngineContext, FormatReader, InspectionHelper } from '../formats/types.ts'

/* An inspection's second thread, in this one. Tests only. */

export const quiet: EngineContext = { signal: new AbortController().signal, progress: () => undefined }

/** What it finds crosses as between threads. */
export function helped(rest: NonNullable<FormatReader['inspectRest']>) {
  const inspected = vi.fn()
  const ended = vi.fn()
  const helper: InspectionHelper = {
    inspectRest: async (_, file, settings, from) => {
      const found = await rest(file, settings, from, quiet)
      inspected(found)
      return structuredClone(found)
    },
    end: ended,
  }
  return { context: { ...quiet, startHelper: () => helper }, inspected, ended }
}
