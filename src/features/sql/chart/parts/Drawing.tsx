import { useEffect, useRef, useState } from 'react'
import type { ChartData } from '../data/chart-data.ts'
import { summaryOf } from '../data/words.ts'
import { drawChart, heightOf } from '../draw/plot.ts'
import css from './Drawing.module.css'

/** Narrower than this, axes have no room left. */
const LEAST_WIDTH = 260
const HEIGHT = 420

/** The chart itself, as wide as there's room. */
export function Drawing({ data, title }: { readonly data: ChartData; readonly title: string }) {
  const box = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState<{ readonly width: number; readonly height: number } | null>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return
      // Whole pixels: what is drawn mustn't change the room that it has.
      const width = Math.max(LEAST_WIDTH, Math.floor(entry.contentRect.width))
      const height = Math.max(300, Math.min(HEIGHT, Math.round(width * 0.72)))
      setRoom((before) => (before?.width === width && before.height === height ? before : { width, height }))
    })
    observer.observe(element)
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
