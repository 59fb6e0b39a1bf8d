import { EngineError } from '../../../engine/client.ts'

/** What went wrong with a local table, for the person. */
export interface LocalProblem {
  readonly message: string
  /** Where in the file. */
  readonly place: string | null
  /** What to do next. */
  readonly remedy: string | null
}

const FULL: LocalProblem = {
  message: 'The disk, or this browser’s share of it, is full.',
  place: null,
  remedy:
    'Remove local files, datasets or conversions that you no longer need, or free disk space. Then add the file again.',
}

export function explain(error: unknown): LocalProblem {
  if (error instanceof DOMException && error.name === 'QuotaExceededError') return FULL
  if (!(error instanceof EngineError)) {
    const detail = error instanceof Error && error.message ? `: ${error.message.replace(/\.?$/, '.')}` : '.'
    return {
      message: `It couldn’t be added${detail}`,
      place: null,
      remedy: 'Add the file again. If it comes back, reload the page.',
    }
  }
  if (error.code === 'out-of-space') return FULL
  return { message: error.message, place: error.place ?? null, remedy: error.remedy ?? null }
}
