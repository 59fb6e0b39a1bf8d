import { useCallback, useMemo, useState } from 'react'
import type { Ramp } from './data/color-range.ts'

/** What the colors of charts side by side mean, by chart; null for one that isn't a heat map. */
export interface Ramps {
  readonly all: ReadonlyMap<object, Ramp | null>
  readonly set: (chart: object, own: Ramp | null) => void
}

/** For charts side by side: heat maps of the same measure share a scale. */
export function useRamps(): Ramps {
  const [all, setAll] = useState<Ramps['all']>(new Map())
  const set = useCallback((chart: object, own: Ramp | null) => setAll((before) => new Map(before).set(chart, own)), [])
  return useMemo(() => ({ all, set }), [all, set])
}

/** The charts beside one. */
export interface Beside {
  readonly ramps: readonly Ramp[]
  /** Reports what this chart's colors mean. */
  readonly onRamp: (own: Ramp | null) => void
}

/** @param chart identifies it */
export function useBeside({ all, set }: Ramps, chart: object): Beside {
  const onRamp = useCallback((own: Ramp | null) => set(chart, own), [set, chart])
  return useMemo(() => {
    const ramps = [...all].flatMap(([other, ramp]) => (other === chart || !ramp ? [] : [ramp]))
    return { ramps, onRamp }
  }, [all, chart, onRamp])
}
