import { useEffect, useState } from 'react'

type Listener = (message: string) => void

let listener: Listener | null = null

/** Announces to assistive technology what is visible elsewhere on the page. */
export function announce(message: string): void {
  listener?.(message)
}

/** Connects the live region. The last one connected receives the messages. */
function onAnnounce(next: Listener): () => void {
  listener = next
  return () => {
    if (listener === next) listener = null
  }
}

/** The page's only polite live region. */
export function LiveRegion() {
  const [message, setMessage] = useState('')
  useEffect(
    () =>
      onAnnounce((next) => {
        // Repeating the same text isn't a change, so the region is cleared first.
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
