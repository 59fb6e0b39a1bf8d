import { vi } from 'vitest'
import type { FormatReader, InspectionHelper } from '../formats/types.ts'
import { QUIET } from './quiet.ts'

/* Runs an inspection's second thread in this one. Tests only. */

/** Its results are cloned, as if they were sent between threads. */
export function helped(rest: NonNullable<FormatReader['inspectRest']>) {
  const inspected = vi.fn()
  const ended = vi.fn()
  const helper: InspectionHelper = {
    inspectRest: async (_, file, settings, from) => {
      const found = await rest(file, settings, from, QUIET)
      inspected(found)
      return structuredClone(found)
    },
    end: ended,
  }
  return { context: { ...QUIET, startHelper: () => helper }, inspected, ended }
}
