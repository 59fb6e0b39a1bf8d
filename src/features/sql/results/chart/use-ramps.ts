import { useMemo, useState } from 'react'
import type { Ramp } from './data/color-range.ts'

/** The other of two charts beside each other. */
export interface Beside {
  /** What its colors mean; null where it isn't a heat map. */
  readonly ramp: Ramp | null
  /** Says what this one's mean. */
  readonly onRamp: (own: Ramp | null) => void
}

/** For two charts beside each other: heat maps of the same measure have one scale. */
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
