import { useEffect, useState, type CSSProperties } from 'react'
import { createPortal } from 'react-dom'
import { cx } from '../cx.ts'
import css from './TouchTitles.module.css'

/** Milliseconds until a press counts as long, and for which the title stays after it. */
const LONG = 500
const STAYS = 1500
/** CSS pixels: between a button and its title, the title's greatest height, and half of its greatest width. */
const GAP = 8
const HIGH = 56
const HALF = 140

interface Shown {
  readonly text: string
  readonly above: boolean
  readonly style: CSSProperties
}

/**
 * Shows the `title` of a button or link on touch screens, where nothing hovers: a press of half a second shows it above
 * the finger, and then doesn't count as a click. Hidden from assistive technology, which knows the names anyway.
 */
export default function TouchTitles() {
  const [shown, setShown] = useState<Shown | null>(null)
  useEffect(() => listen(setShown), [])
  if (!shown) return null
  return createPortal(
    <div aria-hidden className={cx(css.title, shown.above && css.above)} style={shown.style}>
      {shown.text}
    </div>,
    document.body,
  )
}

function listen(show: (shown: Shown | null) => void): () => void {
  let pressing: ReturnType<typeof setTimeout> | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined
  let isLong = false
  const begin = (event: PointerEvent): void => {
    clearTimeout(pressing)
    isLong = false
    if (event.pointerType !== 'touch' || !(event.target instanceof Element)) return
    const pressed = event.target.closest<HTMLElement>(':is(button, a)[title]')
    if (!pressed) return
    pressing = setTimeout(() => {
      isLong = true
      clearTimeout(hiding)
      show(besides(pressed))
    }, LONG)
  }
  const end = (): void => {
    clearTimeout(pressing)
    if (isLong) hiding = setTimeout(() => show(null), STAYS)
  }
  /** Prevents the click at the end of a long press, and the browser's own menu. */
  const swallow = (event: Event): void => {
    if (!isLong) return
    event.preventDefault()
    event.stopPropagation()
    if (event.type === 'click') isLong = false
  }
  const ending = ['pointerup', 'pointercancel'] as const
  document.addEventListener('pointerdown', begin)
  for (const type of ending) document.addEventListener(type, end)
  document.addEventListener('click', swallow, true)
  document.addEventListener('contextmenu', swallow, true)
  return () => {
    clearTimeout(pressing)
    clearTimeout(hiding)
    document.removeEventListener('pointerdown', begin)
    for (const type of ending) document.removeEventListener(type, end)
    document.removeEventListener('click', swallow, true)
    document.removeEventListener('contextmenu', swallow, true)
  }
}

function besides(element: HTMLElement): Shown {
  const box = element.getBoundingClientRect()
  const above = box.top > HIGH
  const middle = box.left + box.width / 2
  return {
    text: element.title,
    above,
    style: {
      left: Math.max(HALF, Math.min(innerWidth - HALF, middle)),
      top: above ? box.top - GAP : box.bottom + GAP,
    },
  }
}
