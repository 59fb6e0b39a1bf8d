import { useEffect, type RefObject } from 'react'

/**
 * Keeps the card under the pointer where it is while those above it grow or shrink: a click meant for its button must
 * not land on another card. The page scrolls by as much; at its top, where it can't, the list gets a margin until the
 * pointer leaves.
 */
export function useSteadyPointer(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = list.current
    if (!element) return
    const on = new AbortController()
    let card: Element | null = null
    let top = 0
    let scrolled = 0
    let margin = 0
    // By how far the page was scrolled: where the card is now may already be where a change moved it to.
    const follow = (): void => {
      top -= scrollY - scrolled
      scrolled = scrollY
    }
    const leave = (): void => {
      card = null
      margin = 0
      element.style.removeProperty('margin-top')
      element.style.removeProperty('overflow-anchor')
    }
    // Not `pointerover`, which cards that move under a resting pointer bring about, too.
    const point = (event: PointerEvent): void => {
      const under = event.target instanceof Element ? event.target.closest('section[data-stage]') : null
      if (under === card || event.pointerType === 'touch') return
      card = under
      // The browser's own way holds on to another card: the first that is in view.
      if (card) element.style.setProperty('overflow-anchor', 'none')
      top = card?.getBoundingClientRect().top ?? 0
      scrolled = scrollY
    }
    element.addEventListener('pointermove', point, on)
    element.addEventListener('pointerleave', leave, on)
    addEventListener('beforeprint', leave, on)
    addEventListener('scroll', follow, { signal: on.signal, passive: true })
    const observer = new ResizeObserver(() => {
      if (!card?.isConnected) return
      follow()
      const moved = card.getBoundingClientRect().top - top
      if (moved === 0) return
      scrollBy({ top: moved, behavior: 'instant' })
      const rest = card.getBoundingClientRect().top - top
      if (rest < -1) element.style.setProperty('margin-top', `${(margin -= rest)}px`)
      scrolled = scrollY
    })
    observer.observe(element)
    return () => {
      on.abort()
      observer.disconnect()
    }
  }, [list])
}
