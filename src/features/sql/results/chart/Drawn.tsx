import type { ChartData } from './data/chart-data.ts'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { scrollerOf } from '../../../../ui/table/use-rows-in-view.ts'
import css from './Drawing.module.css'
import { useEffect, useRef, useState } from 'react'
import { summaryOf } from './data/words.ts'
import { colorOf, keySizes } from './draw/parts.ts'
import { colorRange } from './data/color-range.ts'
import { drawChart, heightOf } from './draw/plot.ts'
import { numberLabel } from './model/labels.ts'

/** The chart and its legend. The plotting library is loaded with the first chart. */
export function Drawn({ data, title }: { readonly data: ChartData; readonly title: string }) {
  const isEmpty = data.points.length === 0 && data.boxes.length === 0
  if (isEmpty) return <EmptyState>There’s nothing to draw: no row has all of these values.</EmptyState>
  return (
    <>
      <Key data={data} />
      <Drawing data={data} title={title} />
    </>
  )
}

/** Minimum width: below, axes don't fit. */
const LEAST_WIDTH = 260
const HEIGHT = 420
/** Minimum height: a chart that doesn't fit is scrolled. */
const LEAST_HEIGHT = 220
/** Room below the drawing, for the caption and the panel's padding. */
const BELOW = 56

/** Height from the top of the drawing to the bottom of the panel's visible part. */
function heightBelow(element: Element, scroller: Element | null): number {
  if (!scroller) return HEIGHT
  const above = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop
  return Math.floor(scroller.clientHeight - above - BELOW)
}

/** The chart in the available width, no higher than the visible part of the panel. */
function Drawing({ data, title }: { readonly data: ChartData; readonly title: string }) {
  const box = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState<{ readonly width: number; readonly height: number } | null>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const scroller = scrollerOf(element)
    const observer = new ResizeObserver(() => {
      // Rounding avoids a loop: the drawing must not change its own room.
      const width = Math.max(LEAST_WIDTH, Math.floor(element.clientWidth))
      const fitting = Math.min(HEIGHT, Math.round(width * 0.72), heightBelow(element, scroller))
      const height = Math.max(LEAST_HEIGHT, fitting)
      setRoom((before) => (before?.width === width && before.height === height ? before : { width, height }))
    })
    observer.observe(element)
    if (scroller) {
      observer.observe(scroller)
      // Elements above can move the drawing, such as a legend that wraps or a title.
      for (let around = element.parentElement; around && around !== scroller; around = around.parentElement) {
        observer.observe(around)
      }
    }
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (!room) return
    const height = heightOf(data, room.width, room.height)
    box.current?.replaceChildren(drawChart(data, { width: room.width, height }))
  }, [data, room])
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <img> takes no live drawing
  return <div ref={box} role="img" aria-label={`${title}. ${summaryOf(data)}`} className={css.drawing} />
}

/** The legend. */
function Key({ data }: { readonly data: ChartData }) {
  if (data.spec.mark === 'heatmap' && data.points.length > 0) {
    const [low, high] = colorRange(data)
    return (
      <div className={css.key}>
        <span>{data.measure}</span>
        <span className={css.end}>{numberLabel(low)}</span>
        <span aria-hidden className={css.ramp} />
        <span className={css.end}>{numberLabel(high)}</span>
      </div>
    )
  }
  if (data.series.length === 0 && data.sizeLabel === null) return null
  return (
    <div className={css.key}>
      <Colors data={data} />
      <Sizes data={data} />
    </div>
  )
}

function Colors({ data }: { readonly data: ChartData }) {
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

function Sizes({ data }: { readonly data: ChartData }) {
  const sizes = keySizes(data)
  if (sizes.length === 0) return null
  return (
    <div className={css.key}>
      <span>{data.sizeLabel}</span>
      <ul aria-label={`Areas of ${data.sizeLabel}`} className={css.key}>
        {sizes.map(({ label, radius }) => (
          <li key={label} className={css.item}>
            <svg aria-hidden width={2 * radius + 2} height={2 * radius + 2} className={css.dot}>
              <circle cx={radius + 1} cy={radius + 1} r={radius} />
            </svg>
            <span className={css.end}>{label}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
