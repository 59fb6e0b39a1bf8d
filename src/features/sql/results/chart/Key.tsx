import type { ChartData } from './data/chart-data.ts'
import { numberLabel } from './model/labels.ts'
import { colorOf } from './draw/parts.ts'
import { valueRange } from './draw/plot.ts'
import css from './Key.module.css'

/** What the colors mean. */
export function Key({ data }: { readonly data: ChartData }) {
  if (data.spec.mark === 'heatmap' && data.points.length > 0) {
    const [low, high] = valueRange(data)
    return (
      <div className={css.key}>
        <span>{data.measure}</span>
        <span className={css.end}>{numberLabel(low)}</span>
        <span aria-hidden className={css.ramp} />
        <span className={css.end}>{numberLabel(high)}</span>
      </div>
    )
  }
  if (data.series.length === 0) return null
  return (
    <ul aria-label={`Colors of ${data.seriesLabel}`} className={css.key}>
      {data.series.map((name) => (
        <li key={name} className={css.item}>
          <span aria-hidden className={css.swatch} style={{ background: colorOf(data, name) }} />
          <span className={css.name} title={name}>
            {name}
          </span>
        </li>
      ))}
    </ul>
  )
}
