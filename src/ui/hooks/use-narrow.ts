import { useSyncExternalStore } from 'react'

const query = matchMedia('(max-width: 720px)')

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether fingers point at the page, and not a mouse. */
export const isTouched = (): boolean => matchMedia('(pointer: coarse)').matches

/** Whether the page is as narrow as a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
