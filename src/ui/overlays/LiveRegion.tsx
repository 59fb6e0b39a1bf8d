import { useEffect, useState } from 'react'
import { onAnnounce } from './announce.ts'

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
