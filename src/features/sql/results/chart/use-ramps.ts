import { useMemo, useState } from 'react'
import type { Ramp } from './data/color-range.ts'

/** The other of two charts side by side. */
export interface Beside {
  /** What its colors mean; null if it isn't a heat map. */
  readonly ramp: Ramp | null
  /** Reports what this chart's colors mean. */
  readonly onRamp: (own: Ramp | null) => void
}

/** For two charts side by side: heat maps of the same measure share a scale. */
export function useRamps(): readonly [current: Beside, pinned: Beside] {
  const [current, setCurrent] = useState<Ramp | null>(null)
  const [pinned, setPinned] = useState<Ramp | null>(null)
  return useMemo(
    () => [
      { ramp: pinned, onRamp: setCurrent },
      { ramp: current, onRamp: setPinned },
    ],
    [current, pinned],
  )
}
