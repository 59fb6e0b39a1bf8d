/**
 * Makes the browser ask before the page is left, but only while something would be lost.
 * @param subscribe calls back whenever that may have changed
 * @returns a function that stops it
 */
export function guardLeaving(
  subscribe: (listener: () => void) => () => void,
  losesSomething: () => boolean,
): () => void {
  // A function of its own, so that other guards keep their listener.
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
  const update = (): void => {
    if (losesSomething()) addEventListener('beforeunload', ask)
    else removeEventListener('beforeunload', ask)
  }
  update()
  const stop = subscribe(update)
  return () => {
    stop()
    removeEventListener('beforeunload', ask)
  }
}
