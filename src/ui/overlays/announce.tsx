import { useEffect, useState } from 'react'

type Listener = (message: string) => void

let listener: Listener | null = null

/** Tells assistive technology something that the eye sees elsewhere on the page. */
export function announce(message: string): void {
  listener?.(message)
}

/** The live region's own connection; the last one wins. */
export function onAnnounce(next: Listener): () => void {
  listener = next
  return () => {
    if (listener === next) listener = null
  }
}

/** The one polite live region of the page. */
export function LiveRegion() {
  const [message, setMessage] = useState('')
  useEffect(
    () =>
      onAnnounce((next) => {
        // The same words twice are no change: the region is emptied first.
        setMessage('')
        setTimeout(() => setMessage(next), 60)
      }),
    [],
  )
  return (
    <div aria-live="polite" aria-atomic="true" className="visually-hidden">
      {message}
    </div>
  )
}
