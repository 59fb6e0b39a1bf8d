import { useRef, type RefObject, useState } from 'react'
import { storedText } from '../../../lib/stored-text.ts'
import css from './Splitter.module.css'

interface Props {
  readonly label: string
  /** `side`: between parts side by side; by default one is above the other. */
  readonly between?: 'side' | 'above'
  /** Value that a double click resets to, in percent. */
  readonly first?: number
  /** Share of the part before it, in percent. */
  readonly value: number
  readonly onChange: (value: number) => void
  /** The element that the share refers to. */
  readonly whole: RefObject<HTMLElement | null>
}

const LEAST = 12
const MOST = 85
const STEP = 4
/** Fits most statements, and leaves the rest to the rows. */
const FIRST = 30

/** A separator that can be dragged, or moved with the arrow keys. */
export function Splitter({ label, value, onChange, whole, between = 'above', first = FIRST }: Props) {
  const aside = between === 'side'
  const dragging = useRef(false)
  const set = (next: number): void => onChange(Math.min(MOST, Math.max(LEAST, Math.round(next * 10) / 10)))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that moves is a widget (ARIA 1.2)
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- `hr` can't be moved
      role="separator"
      aria-label={label}
      aria-orientation={aside ? 'vertical' : 'horizontal'}
      aria-valuenow={Math.round(value)}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the same
      tabIndex={0}
      className={css.splitter}
      onKeyDown={(event) => {
        const [less, more] = aside ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
        const to = { [less]: value - STEP, [more]: value + STEP, Home: LEAST, End: MOST }[event.key]
        if (to === undefined) return
        event.preventDefault()
        set(to)
      }}
      onDoubleClick={() => set(first)}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        dragging.current = true
      }}
      onPointerMove={(event) => {
        const box = whole.current?.getBoundingClientRect()
        if (!dragging.current || !box || box.height === 0 || box.width === 0) return
        const share = aside ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height
        set(share * 100)
      }}
      onPointerUp={() => {
        dragging.current = false
      }}
      onPointerCancel={() => {
        dragging.current = false
      }}
    />
  )
}

const kept = storedText('rowhouse-sql-split', () => localStorage)

/** The editor's share of the height in percent, remembered. */
export function useSplit(): readonly [number, (share: number) => void] {
  const [share, setShare] = useState(read)
  return [
    share,
    (next) => {
      setShare(next)
      kept.write(String(next))
    },
  ]
}

function read(): number {
  const share = Number(kept.read() ?? FIRST)
  return share >= 12 && share <= 85 ? share : FIRST
}
