import { useEffect, type RefObject } from 'react'

/**
 * Keeps the card under the pointer in place while cards above it grow or shrink, so that a click on its button doesn't
 * hit another card. Scrolls the page by the difference; at its top, where that's impossible, adds a margin to the list
 * until the pointer leaves.
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
    // Derived from the scroll offset, since a change may already have moved the card.
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
    // Not `pointerover`, which also fires when cards move under a resting pointer.
    const point = (event: PointerEvent): void => {
      const under = event.target instanceof Element ? event.target.closest('section[data-stage]') : null
      if (under === card || event.pointerType === 'touch') return
      card = under
      // The browser's scroll anchoring would follow another card: the first in view.
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
