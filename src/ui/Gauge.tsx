import type { CSSProperties, ReactNode } from 'react'
import css from './Gauge.module.css'

interface GaugeProps {
  /** What it measures. */
  readonly label: ReactNode
  /** Its accessible name, if the label isn't text. */
  readonly name?: string
  readonly value: number
  readonly max: number
  /** The value in words: "9,990 of 10,000 left". */
  readonly text: string
  /** Shown below the bar: when it's full again, or what it consists of. */
  readonly note?: ReactNode
  /** `warn` if little is left, `bad` if nothing is. */
  readonly tone?: 'normal' | 'warn' | 'bad'
}

/** How much there is of something, as a bar and in words, so that it doesn't depend on color alone. */
export function Gauge({ label, name, value, max, text, note, tone = 'normal' }: GaugeProps) {
  const style = { '--share': `${max > 0 ? Math.min(1, Math.max(0, value / max)) * 100 : 0}%` } as CSSProperties
  return (
    <div className={css.gauge} data-tone={tone}>
      <div className={css.words}>
        <span className={css.label}>{label}</span>
        <span className={css.text}>{text}</span>
      </div>
      <meter
        aria-label={name ?? (typeof label === 'string' ? label : text)}
        aria-valuetext={text}
        className={css.bar}
        style={style}
        min={0}
        max={Math.max(1, max)}
        value={Math.min(max, Math.max(0, value))}
      />
      {note ? <p className={css.note}>{note}</p> : null}
    </div>
  )
}
