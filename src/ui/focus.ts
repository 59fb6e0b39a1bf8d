/**
 * If nothing has the focus, returns it to the given element, or else to the page, so that the keyboard keeps working.
 */
export function giveFocusBack(had: Element | null): void {
  requestAnimationFrame(() => {
    if (!isLost()) return
    const isThere = had instanceof HTMLElement && had !== document.body && isUsable(had)
    const next = isThere ? had : document.querySelector<HTMLElement>('main')
    next?.focus({ preventScroll: true })
  })
}

/**
 * When the focused element is removed or disabled, moves the focus to its closest ancestor that's still there, so that
 * the keyboard continues from the same place, and screen readers don't jump to the top of the page. An element that was
 * only moved elsewhere gets the focus back.
 * @returns a function that stops it
 */
export function keepFocus(main: HTMLElement): () => void {
  let path: HTMLElement[] = []
  let frame = 0
  let moved = false
  const follow = (event: FocusEvent): void => {
    // A dialog moves lost focus to itself. The path of the lost element tells where in it to continue.
    if (event.target === main && path[0] && !isUsable(path[0])) return
    path = event.composedPath().filter((each) => each instanceof HTMLElement)
  }
  const mend = (): void => {
    frame = 0
    const [had, ...around] = path
    if (moved && isLost() && had && isUsable(had)) had.focus({ preventScroll: true })
    moved = false
    // A disabled element keeps the focus until the next frame.
    if (!had || isUsable(had) || !(isLost() || document.activeElement === had || document.activeElement === main))
      return
    const next = around.find(isUsable) ?? main
    if (!next.hasAttribute('tabindex')) next.tabIndex = -1
    next.focus({ preventScroll: true })
  }
  const observer = new MutationObserver((changes) => {
    moved ||= changes.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(path[0] ?? null)))
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
