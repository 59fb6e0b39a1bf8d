import { useEffect, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

const NARROW = '(max-width: 720px)'

function subscribe(listener: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the primary pointer is a finger, not a mouse. */
export const isTouched = (): boolean => matchMedia('(pointer: coarse)').matches

/** Whether the page is as narrow as on a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches)
}

/** For components mounted while printing, after the event. */
let isPrinting = false

/** Whether the page is being printed. Parts that render only what is in view must then render everything. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(isPrinting)
  useEffect(() => {
    // The browser prints what is rendered when the event handler returns.
    const begin = (): void => {
      isPrinting = true
      flushSync(() => setPrinting(true))
    }
    const end = (): void => {
      isPrinting = false
      setPrinting(false)
    }
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return printing
}
