import { TARGET_FORMATS, type FormatId } from '../../../contract/formats.ts'
import { isJsonObject } from '../../../lib/json.ts'
import { storedText, type AskStorage } from '../../../lib/stored-text.ts'
import { targetFor } from '../model/job.ts'

/** Remembers the last target format chosen, for text files and for all others. */
export interface Targets {
  of(fileName: string): FormatId
  choose(fileName: string, target: FormatId): void
}

/** Stored in local storage or, if that's forbidden, for this page only. */
export function createTargets(storage: AskStorage = () => localStorage): Targets {
  const kept = storedText('rowhouse-convert-targets', storage)
  const read = (): Readonly<Record<string, unknown>> => {
    try {
      const known: unknown = JSON.parse(kept.read() ?? '{}')
      return isJsonObject(known) ? known : {}
    } catch {
      return {} // Not written by this app.
    }
  }
  return {
    of(fileName) {
      const usual = targetFor(fileName)
      const chosen = read()[usual]
      return TARGET_FORMATS.find(({ id }) => id === chosen)?.id ?? usual
    },
    choose(fileName, target) {
      const usual: FormatId = targetFor(fileName)
      const known = read()
      if (known[usual] !== target) kept.write(JSON.stringify({ ...known, [usual]: target }))
    },
  }
}
