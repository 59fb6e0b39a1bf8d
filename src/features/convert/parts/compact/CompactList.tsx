import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { usePrinting } from '../../../../ui/hooks/use-media.ts'
import { useRowsInView } from '../../../../ui/table/use-rows-in-view.ts'
import { offsetsOf } from '../../../../ui/table/use-span.ts'
import css from './Compact.module.css'

/** With this many files or more, each is one line. */
export const COMPACT_FROM = 10

/** CSS pixels: height of a line with the gap, and of a card until it's measured. */
const LINE = 52
const CARD = 480

interface Props<T> {
  readonly items: readonly T[]
  readonly idOf: (item: T) => string
  readonly renderLine: (item: T, onOpen: (id: string) => void) => ReactNode
  readonly renderCard: (item: T, onFold: (id: string) => void) => ReactNode
}

/** A list of many files, one per line. Only those in view are rendered, unless it's printed; lines can be opened to cards. */
export function CompactList<T>({ items, idOf, renderLine, renderCard }: Props<T>) {
  const list = useRef<HTMLDivElement>(null)
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map())
  const onOpen = useCallback((id: string) => setHeights((old) => new Map([...old, [id, CARD]])), [])
  const onFold = useCallback(
    (id: string) => setHeights((old) => new Map([...old].filter(([other]) => other !== id))),
    [],
  )
  const onResize = useCallback(
    (id: string, height: number) =>
      setHeights((old) => (old.get(id) === height || !old.has(id) ? old : new Map([...old, [id, height]]))),
    [],
  )
  const ids = items.map(idOf).join('\n')
  const offsets = useMemo(() => offsetsOf(ids.split('\n').map((id) => heights.get(id) ?? LINE)), [ids, heights])
  const [span] = useRowsInView(list, items.length, offsets)
  const printing = usePrinting()
  return (
    <div ref={list} className={css.list} style={printing ? undefined : { height: offsets.at(-1) ?? 0 }}>
      {items.map((item, i) => {
        const id = idOf(item)
        const isOpen = heights.has(id)
        // Open cards stay mounted when scrolled out of view, to keep their state.
        if (!isOpen && !printing && (i < span.start || i >= span.end)) return null
        return (
          <div key={id} className={css.place} style={{ top: offsets[i] ?? 0 }}>
            {isOpen ? (
              <Measured id={id} onResize={onResize}>
                {renderCard(item, onFold)}
              </Measured>
            ) : (
              renderLine(item, onOpen)
            )}
          </div>
        )
      })}
    </div>
  )
}

interface MeasuredProps {
  readonly id: string
  readonly onResize: (id: string, height: number) => void
  readonly children: ReactNode
}

function Measured({ id, onResize, children }: MeasuredProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!box.current) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry) onResize(id, Math.ceil(entry.contentRect.height) + GAP)
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [id, onResize])
  return <div ref={box}>{children}</div>
}

const GAP = 8
