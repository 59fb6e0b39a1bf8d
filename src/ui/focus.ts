/** When nothing has the focus, gives it back to what had it, or else to the page: the keyboard goes on from there. */
export function giveFocusBack(had: Element | null): void {
  requestAnimationFrame(() => {
    if (!isLost()) return
    const isThere = had instanceof HTMLElement && had !== document.body && isUsable(had)
    const next = isThere ? had : document.querySelector<HTMLElement>('main')
    next?.focus({ preventScroll: true })
  })
}

/**
 * When what has the focus is removed or disabled, gives it to the closest element around it that is still there: the
 * keyboard goes on from the same place, and a screen reader isn't sent to the top of the page.
 * @returns ends it
 */
export function keepFocus(main: HTMLElement): () => void {
  let path: HTMLElement[] = []
  let frame = 0
  const follow = (event: FocusEvent): void => {
    // A dialog takes back itself what was lost: what had the focus tells where in it to go on.
    if (event.target === main && path[0] && !isUsable(path[0])) return
    path = event.composedPath().filter((each) => each instanceof HTMLElement)
  }
  const mend = (): void => {
    frame = 0
    const [had, ...around] = path
    // What is disabled keeps the focus until the next frame is drawn.
    if (!had || isUsable(had) || !(isLost() || document.activeElement === had || document.activeElement === main))
      return
    const next = around.find(isUsable) ?? main
    if (!next.hasAttribute('tabindex')) next.tabIndex = -1
    next.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(() => {
    frame ||= requestAnimationFrame(mend)
  })
  main.addEventListener('focusin', follow)
  observer.observe(main, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] })
  return () => {
    cancelAnimationFrame(frame)
    observer.disconnect()
    main.removeEventListener('focusin', follow)
  }
}

const isUsable = (element: HTMLElement): boolean => element.isConnected && !element.matches(':disabled')

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body
