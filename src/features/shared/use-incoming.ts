import { useEffect, useEffectEvent, useRef } from 'react'

/**
 * Takes over what other screens hand over.
 * @param onConsumed called with what was taken
 * @param take called once with the same, even if effects run several times, as React's strict mode has them
 */
export function useIncoming<T>(
  incoming: readonly T[],
  onConsumed: ((taken: readonly T[]) => void) | undefined,
  take: (incoming: readonly T[]) => void,
): void {
  const taken = useRef<readonly T[] | null>(null)
  const onIncoming = useEffectEvent((all: readonly T[]) => {
    if (all.length === 0 || taken.current === all) return
    taken.current = all
    onConsumed?.(all)
    take(all)
  })
  useEffect(() => onIncoming(incoming), [incoming])
}
