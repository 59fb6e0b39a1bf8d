/** Milliseconds that the page may be kept from drawing. */
const SLICE = 8
/** Rows between two looks at the clock. */
const ROWS = 512

export interface Slices {
  /** Called before each row: something to wait for when it's time to let the page draw. */
  next(): Promise<void> | undefined
}

/** @throws the signal's reason, from what `next` gives */
export function makeSlices(signal: AbortSignal): Slices {
  let rows = 0
  let until = performance.now() + SLICE
  const pause = async (): Promise<void> => {
    await new Promise((resolve) => {
      setTimeout(resolve, 0)
    })
    signal.throwIfAborted()
    until = performance.now() + SLICE
  }
  return {
    next: () => {
      if (++rows % ROWS !== 0) return undefined
      signal.throwIfAborted()
      return performance.now() < until ? undefined : pause()
    },
  }
}
