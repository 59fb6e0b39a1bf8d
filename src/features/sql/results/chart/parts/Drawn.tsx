import type { ChartData } from '../data/chart-data.ts'
import { Drawing } from './Drawing.tsx'
import { Key } from './Key.tsx'
import css from './Drawing.module.css'

/** The chart and its key; with what draws it, which is loaded when the first one is shown. */
export function Drawn({ data, title }: { readonly data: ChartData; readonly title: string }) {
  const isEmpty = data.points.length === 0 && data.boxes.length === 0
  if (isEmpty) return <p className={css.nothing}>There’s nothing to draw: no row has all of these values.</p>
  return (
    <>
      <Key data={data} />
      <Drawing data={data} title={title} />
    </>
  )
}
