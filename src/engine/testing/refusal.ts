import { EngineError } from '../errors.ts'

/** The error that work is refused with. Tests only. @param what for the message if it isn't refused */
export async function refusal(work: Promise<unknown>, what = 'it'): Promise<EngineError> {
  const error: unknown = await work.then(
    (cause) => new Error(`not refused: ${what}`, { cause }),
    (reason: unknown) => reason,
  )
  if (error instanceof EngineError) return error
  throw error
}
