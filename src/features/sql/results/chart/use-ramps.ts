import { useCallback, useMemo, useState } from 'react'
import type { Ramp } from './data/color-range.ts'

/** What the colors of heat maps side by side mean, by chart. */
export interface Ramps {
  readonly all: ReadonlyMap<object, Ramp>
  /** @param own null for a chart that isn't a heat map, or is no longer shown */
  readonly set: (chart: object, own: Ramp | null) => void
}

/** For charts side by side: heat maps of the same measure share a scale. */
export function useRamps(): Ramps {
  const [all, setAll] = useState<Ramps['all']>(new Map())
  const set = useCallback((chart: object, own: Ramp | null) => {
    setAll((before) => {
      if (!own && !before.has(chart)) return before
      const after = new Map(before)
      // A result that was unpinned must not be kept.
      if (own) after.set(chart, own)
      else after.delete(chart)
      return after
    })
  }, [])
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
    const ramps = [...all].flatMap(([other, ramp]) => (other === chart ? [] : [ramp]))
    return { ramps, onRamp }
  }, [all, chart, onRamp])
}
