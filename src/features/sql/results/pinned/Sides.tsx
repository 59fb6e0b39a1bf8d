import PinOff from 'lucide-react/icons/pin-off'
import { useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { formatWhen, plural } from '../../../../ui/format.ts'
import { useNow } from '../../../../ui/hooks/use-now.ts'
import { Splitter } from '../../tabs/Splitter.tsx'
import type { HeldRun } from '../types.ts'
import css from './Sides.module.css'

interface Pinned {
  readonly run: HeldRun
  /** “Pinned”, or if several are, “Pinned 2”. */
  readonly name: string
  /** Its rows or chart. */
  readonly rows: ReactNode
}

interface Props {
  /** The current result. */
  readonly current: ReactNode
  /** Whether it's still that of an earlier statement. */
  readonly stale: boolean
  /** Other results that are pinned. */
  readonly pinned: readonly Pinned[]
  /** The one that the current result is compared with. */
  readonly compared: HeldRun | null
  readonly comparison: string
  readonly onCompare: (run: HeldRun) => void
  readonly onUnpin: (run: HeldRun) => void
}

/** Minimum width for results side by side. */
const WIDE = 680

/** “Pinned result 2” for “Pinned 2”. */
export const resultName = (name: string): string => name.replace('Pinned', 'Pinned result')

/** The current and the pinned results, side by side or one above the other. */
export function Sides({ current, stale, pinned, compared, comparison, onCompare, onUnpin }: Props) {
  const whole = useRef<HTMLDivElement>(null)
  const wide = useIsWide(whole)
  const [chosen, setChosen] = useState<number | null>(null)
  const equal = Math.round(100 / (pinned.length + 1))
  const share = chosen ?? equal
  const several = pinned.length > 1
  const other = pinned.find(({ run }) => run === compared)?.name ?? ''
  return (
    <div ref={whole} className={css.whole}>
      <div className={css.sides} data-wide={wide || undefined}>
        <section
          aria-label={compared ? 'Current result' : undefined}
          className={css.side}
          style={compared && wide ? { flex: `0 0 ${share}%` } : undefined}
          data-stale={stale || undefined}
        >
          {compared ? (
            <div className={css.head}>
              <strong>Now</strong>
              <p aria-live="polite" className={css.words} title={comparison}>
                {several ? `Compared with “${other}”: ${comparison}` : comparison}
              </p>
            </div>
          ) : null}
          <div key="rows" className={css.rows}>
            {current}
          </div>
        </section>
        {compared && wide ? (
          <Splitter
            label="Width of the current result"
            between="side"
            value={share}
            onChange={setChosen}
            whole={whole}
            first={equal}
          />
        ) : null}
        {compared ? (
          <div className={css.others}>
            {pinned.map((each) => (
              <PinnedSide
                key={each.run.startedAt}
                pinned={each}
                isCompared={several ? each.run === compared : null}
                onCompare={() => onCompare(each.run)}
                onUnpin={() => onUnpin(each.run)}
              />
            ))}
          </div>
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
  readonly pinned: Pinned
  /** Null if there's no other one to compare with. */
  readonly isCompared: boolean | null
  readonly onCompare: () => void
  readonly onUnpin: () => void
}

function PinnedSide({ pinned: { run, name, rows }, isCompared, onCompare, onUnpin }: SideProps) {
  const now = useNow()
  const { statement, startedAt, result, samples = [] } = run
  return (
    <section aria-label={resultName(name)} className={css.side}>
      <div className={css.head}>
        <strong>{name}</strong>
        <p className={css.words} title={statement}>
          {samples.length > 0 ? 'of a sample · ' : ''}
          {plural(result.rowCount, 'row')} ·{' '}
          <time dateTime={new Date(startedAt).toISOString()} title={new Date(startedAt).toLocaleString('en-GB')}>
            {formatWhen(startedAt, now)}
          </time>{' '}
          · <code>{statement.replaceAll(/\s+/g, ' ')}</code>
        </p>
        {isCompared === null ? null : (
          <Button
            size="small"
            look="quiet"
            aria-pressed={isCompared}
            title="Marks what differs from the current result"
            onClick={onCompare}
          >
            Compare
          </Button>
        )}
        <Button size="small" look="quiet" icon={<PinOff aria-hidden />} onClick={onUnpin}>
          Unpin
        </Button>
      </div>
      <div className={css.rows}>{rows}</div>
    </section>
  )
}
