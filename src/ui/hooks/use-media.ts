import { useEffect, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

const NARROW = '(max-width: 720px)'

function subscribe(listener: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether fingers point at the page, and not a mouse. */
export const isTouched = (): boolean => matchMedia('(pointer: coarse)').matches

/** Whether the page is as narrow as a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches)
}

/** For what is in the page only since the browser said that it prints. */
let isPrinting = false

/** Whether the page is being printed: what is only in part in the page is then to be there as a whole. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(isPrinting)
  useEffect(() => {
    // The browser prints what is there when the event is over.
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
