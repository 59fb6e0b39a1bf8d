import { TARGET_FORMATS, type FormatId } from '../../../contract/formats.ts'
import { isJsonObject } from '../../../lib/json.ts'
import { targetFor } from '../model/job.ts'

/** Remembers the target that the person chose last, for text files and for all others. */
export interface Targets {
  of(fileName: string): FormatId
  choose(fileName: string, target: FormatId): void
}

const KEY = 'rowhouse-convert-targets'

/** Targets in local storage; where that's forbidden, for this page alone. */
export function createTargets(storage: Pick<Storage, 'getItem' | 'setItem'> = localStorage): Targets {
  let known: Readonly<Record<string, unknown>> = {}
  const read = (): typeof known => {
    try {
      const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '{}')
      if (isJsonObject(kept)) known = kept
    } catch {
      // What this page knows of it does.
    }
    return known
  }
  return {
    of(fileName) {
      const usual = targetFor(fileName)
      const chosen = read()[usual]
      return TARGET_FORMATS.find(({ id }) => id === chosen)?.id ?? usual
    },
    choose(fileName, target) {
      const usual: FormatId = targetFor(fileName)
      known = { ...read(), [usual]: target }
      try {
        storage.setItem(KEY, JSON.stringify(known))
      } catch {
        // It then holds for this page alone.
      }
    },
  }
}
