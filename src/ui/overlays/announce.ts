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
