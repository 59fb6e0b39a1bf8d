/**
 * Has the browser ask before the page is left, only as long as that would lose something.
 * @param subscribe calls back whenever that may have changed
 * @returns what ends it
 */
export function guardLeaving(
  subscribe: (listener: () => void) => () => void,
  losesSomething: () => boolean,
): () => void {
  // One of its own: others that guard at the same time go on.
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
