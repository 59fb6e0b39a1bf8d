import type { FilePart } from '../../formats/types.ts'
import type { PartResult, PartsState, PartsWorker } from './task.ts'

/**
 * How far the work on a file may be ahead of its first part that isn't done: what comes of the parts between is held in
 * memory until then.
 */
const WINDOW = 8

/**
 * Works through parts in several lanes, each at its own pace: a lane that is done with a part takes the next.
 * @param settle called with each part's result, one after another in the order of the parts
 * @throws what a lane threw first, once no lane is at work any more
 */
export async function shareParts<R>(
  parts: AsyncIterator<FilePart>,
  lanes: readonly ((part: FilePart) => Promise<R>)[],
  settle: (part: FilePart, result: R) => Promise<void>,
): Promise<void> {
  const done = new Map<number, { readonly part: FilePart; readonly result: R }>()
  const waiting: (() => void)[] = []
  const state: { settled: number; failure: { readonly error: unknown } | null } = { settled: 0, failure: null }
  let turn: Promise<unknown> = Promise.resolve()
  /** One after another, whoever asks. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work)
    turn = result.catch(() => undefined)
    return result
  }
  const settleDone = async (): Promise<void> => {
    for (let next = done.get(state.settled); next && !state.failure; next = done.get(state.settled)) {
      done.delete(state.settled)
      await settle(next.part, next.result)
      state.settled++
      for (const wake of waiting.splice(0)) wake()
    }
  }
  const work = async (lane: (part: FilePart) => Promise<R>): Promise<void> => {
    while (!state.failure) {
      const next = await inTurn(() => parts.next())
      if (next.done === true || state.failure) return
      const part = next.value
      while (part.index - state.settled >= WINDOW && !state.failure) {
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      if (state.failure) return
      done.set(part.index, { part, result: await lane(part) })
      await inTurn(settleDone)
    }
  }
  const stop = (error: unknown): void => {
    state.failure ??= { error }
    for (const wake of waiting.splice(0)) wake()
  }
  await Promise.all(lanes.map((lane) => work(lane).catch(stop)))
  await parts.return?.()
  if (state.failure) throw state.failure.error
}

/**
 * Works through parts in this thread and another.
 * @returns what the other's parts came to
 */
export async function inBothThreads(
  parts: AsyncIterator<FilePart>,
  here: (part: FilePart) => Promise<PartResult>,
  there: PartsWorker,
  settle: (part: FilePart, result: PartResult) => Promise<void>,
): Promise<PartsState> {
  const away = (part: FilePart): Promise<PartResult> => there.run(part)
  // The other thread has one part at work and one that waits, so that it needn't wait for this one.
  await shareParts(parts, [here, away, away], settle)
  return there.state()
}
