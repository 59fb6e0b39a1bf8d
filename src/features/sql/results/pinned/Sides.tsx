import PinOff from 'lucide-react/icons/pin-off'
import { useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { formatWhen, plural } from '../../../../ui/format.ts'
import { useNow } from '../../../../ui/hooks/use-now.ts'
import { Splitter } from '../../tabs/Splitter.tsx'
import type { HeldRun } from '../types.ts'
import css from './Sides.module.css'

interface Props {
  /** The current result. */
  readonly current: ReactNode
  /** Whether it's still that of an earlier statement. */
  readonly stale: boolean
  /** Null if no other result is pinned. */
  readonly pinned: HeldRun | null
  /** Rows or chart of the pinned result. */
  readonly rows: ReactNode
  readonly comparison: string
  readonly onUnpin: () => void
}

/** Minimum width for two results side by side. */
const WIDE = 680
const HALF = 50

/** The current and the pinned result, side by side or one above the other. */
export function Sides({ current, stale, pinned, rows, comparison, onUnpin }: Props) {
  const whole = useRef<HTMLDivElement>(null)
  const wide = useIsWide(whole)
  const [share, setShare] = useState(HALF)
  return (
    <div ref={whole} className={css.whole}>
      <div className={css.sides} data-wide={wide || undefined}>
        <section
          aria-label={pinned ? 'Current result' : undefined}
          className={css.side}
          style={pinned && wide ? { flex: `0 0 ${share}%` } : undefined}
          data-stale={stale || undefined}
        >
          {pinned ? (
            <div className={css.head}>
              <strong>Now</strong>
              <p aria-live="polite" className={css.words} title={comparison}>
                {comparison}
              </p>
            </div>
          ) : null}
          <div key="rows" className={css.rows}>
            {current}
          </div>
        </section>
        {pinned && wide ? (
          <Splitter
            label="Width of the current result"
            between="side"
            value={share}
            onChange={setShare}
            whole={whole}
            first={HALF}
          />
        ) : null}
        {pinned ? (
          <PinnedSide run={pinned} onUnpin={onUnpin}>
            {rows}
          </PinnedSide>
        ) : null}
      </div>
    </div>
  )
}

function useIsWide(whole: RefObject<HTMLElement | null>): boolean {
  const [wide, setWide] = useState(true)
  useLayoutEffect(() => {
    const element = whole.current
    if (!element) return
    const observer = new ResizeObserver(() => setWide(element.clientWidth >= WIDE))
    observer.observe(element)
    return () => observer.disconnect()
  }, [whole])
  return wide
}

interface SideProps {
  readonly run: HeldRun
  readonly onUnpin: () => void
  readonly children: ReactNode
}

function PinnedSide({ run, onUnpin, children }: SideProps) {
  const now = useNow()
  const { statement, startedAt, result, samples = [] } = run
  return (
    <section aria-label="Pinned result" className={css.side}>
      <div className={css.head}>
        <strong>Pinned</strong>
        <p className={css.words} title={statement}>
          {samples.length > 0 ? 'of a sample · ' : ''}
          {plural(result.rowCount, 'row')} ·{' '}
          <time dateTime={new Date(startedAt).toISOString()} title={new Date(startedAt).toLocaleString('en-GB')}>
            {formatWhen(startedAt, now)}
          </time>{' '}
          · <code>{statement.replaceAll(/\s+/g, ' ')}</code>
        </p>
        <Button size="small" look="quiet" icon={<PinOff aria-hidden />} onClick={onUnpin}>
          Unpin
        </Button>
      </div>
      <div className={css.rows}>{children}</div>
    </section>
  )
}
