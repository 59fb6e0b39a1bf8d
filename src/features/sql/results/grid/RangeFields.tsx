import { useRef, type PointerEvent } from 'react'
import { TextField } from '../../../../ui/fields/Field.tsx'
import { isBinWithin, rangeOfBins, type Line, type Range } from './range.ts'
import css from './RangeFields.module.css'

interface Props {
  readonly type: string
  /** Null if there's no histogram. */
  readonly line: Line | null
  readonly range: Range
  readonly error: string | null
  readonly onChange: (range: Range) => void
}

/** A range, typed or brushed on the histogram. */
export function RangeFields({ type, line, range, error, onChange }: Props) {
  return (
    <>
      {line ? <Histogram line={line} range={range} onChange={onChange} /> : null}
      <div className={css.ends}>
        <TextField
          label="From"
          hint={type}
          error={error}
          mono
          value={range.from}
          onChange={(from) => onChange({ ...range, from })}
        />
        <TextField
          label="To"
          hint="Included; empty for no limit"
          mono
          value={range.to}
          onChange={(to) => onChange({ ...range, to })}
        />
      </div>
    </>
  )
}

/** Bars to brush with a mouse or finger; keyboard users have the fields. */
function Histogram({ line, range, onChange }: Pick<Props, 'range' | 'onChange'> & { readonly line: Line }) {
  const start = useRef<number | null>(null)
  const { bins, texts } = line
  const most = Math.max(1, ...bins)
  const binAt = (event: PointerEvent): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    return Math.min(bins.length - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * bins.length)))
  }
  const end = (): void => {
    start.current = null
  }
  return (
    <div className={css.histogram}>
      <svg
        viewBox={`0 0 ${bins.length * 10} 60`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`How the values from ${texts[0]} to ${texts[1]} are spread`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          start.current = binAt(event)
          onChange(rangeOfBins(line, start.current, start.current))
        }}
        onPointerMove={(event) =>
          start.current === null ? undefined : onChange(rangeOfBins(line, start.current, binAt(event)))
        }
        onPointerUp={end}
        onPointerCancel={end}
      >
        {bins.map((count, i) => {
          const height = count === 0 ? 0 : Math.max(2, (count / most) * 60)
          return (
            <g key={i * 10} data-within={isBinWithin(line, i, range) || undefined}>
              <rect className={css.ground} x={i * 10} y={0} width={10} height={60} />
              <rect className={css.bar} x={i * 10 + 1} y={60 - height} width={8} height={height} />
            </g>
          )
        })}
      </svg>
      <p className={css.scale}>
        <span>{texts[0]}</span>
        <span>Drag over the bars to choose a range</span>
        <span>{texts[1]}</span>
      </p>
    </div>
  )
}
