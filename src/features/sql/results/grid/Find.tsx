import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import X from 'lucide-react/icons/x'
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { FoundCells, ResultSet, ResultTools } from '../../../../engine/client.ts'
import { isAbort } from '../../../../lib/abort.ts'
import { IconButton } from '../../../../ui/Button.tsx'
import { SearchField } from '../../../../ui/fields/SearchField.tsx'
import { formatCount } from '../../../../ui/format.ts'
import type { Cell } from '../../../../ui/grid/Grid.tsx'
import { lastAtOrBefore } from '../../../../ui/table/use-span.ts'
import css from './Result.module.css'

const LABEL = 'Find in the result'

export interface Find {
  readonly isOpen: boolean
  readonly open: () => void
  readonly close: () => void
  /** Makes a cell the active one, and scrolls to it. */
  readonly show: (cell: Cell) => void
}

/** Whether a text is being looked for in a result, and the cell that was found last. */
export function useFind(setActive: (cell: Cell) => void): { readonly find: Find; readonly revealed: Cell | null } {
  const [isOpen, setOpen] = useState(false)
  const [revealed, setRevealed] = useState<Cell | null>(null)
  const show = useCallback(
    (cell: Cell) => {
      setActive(cell)
      setRevealed(cell)
    },
    [setActive],
  )
  const find = useMemo(() => {
    const close = (): void => {
      setOpen(false)
      setRevealed(null)
    }
    return { isOpen, show, open: () => setOpen(true), close }
  }, [isOpen, show])
  return { find, revealed }
}

interface Props {
  readonly set: ResultSet
  /** Null until they're loaded. */
  readonly tools: ResultTools | null
  /** The result's columns in displayed order. */
  readonly shown: readonly number[]
  readonly active: Cell | null
  readonly running: boolean
  readonly find: Find
}

/** A result's panel. Ctrl+F in it opens a bar that finds text in its cells. */
export function WithFind({ children, ...props }: Props & { readonly children: ReactNode }) {
  const { find } = props
  const panel = useRef<HTMLDivElement>(null)
  const close = (): void => {
    find.close()
    panel.current?.querySelector<HTMLElement>('[role=grid]')?.focus()
  }
  const keyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented) return
    const isIn = event.target instanceof Element && event.target.closest('[data-find]') !== null
    if (event.key === 'Escape' && isIn) {
      event.preventDefault()
      close()
    }
    const isFind = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'f'
    if (!isFind) return
    event.preventDefault()
    find.open()
    // If it's open already.
    panel.current?.querySelector<HTMLInputElement>('input[type=search]')?.select()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Ctrl+F finds what is within
    <div ref={panel} className={css.panel} onKeyDown={keyDown}>
      {children}
      {find.isOpen ? <FindBar {...props} onClose={close} /> : null}
    </div>
  )
}

function FindBar({ onClose, ...props }: Props & { readonly onClose: () => void }) {
  const { shown, active, find } = props
  const [text, setText] = useState('')
  const own = useRef<HTMLFormElement>(null)
  useEffect(() => own.current?.querySelector('input')?.focus(), [])
  const at = active && active.row >= 0 ? active.row * shown.length + active.column : -1
  const found = useFound(text, at, props)
  const places = found?.places ?? []
  const go = (place: number | undefined): void => {
    if (place !== undefined) find.show(cellAt(place, shown.length))
  }
  const next = (): void => go(places[firstAfter(places, at)] ?? places[0])
  const previous = (): void => go(places[firstAfter(places, at - 1) - 1] ?? places.at(-1))
  const keyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (event.shiftKey) previous()
    else next()
  }
  return (
    <form ref={own} data-find aria-label={LABEL} className={css.find}>
      <SearchField label={LABEL} compact value={text} onChange={setText} onKeyDown={keyDown} />
      <output className={css.count}>{text === '' || !found ? '' : words(found, at)}</output>
      <IconButton label="Previous (Shift Enter)" disabled={places.length === 0} onClick={previous}>
        <ArrowUp aria-hidden />
      </IconButton>
      <IconButton label="Next (Enter)" disabled={places.length === 0} onClick={next}>
        <ArrowDown aria-hidden />
      </IconButton>
      <IconButton label="Close (Esc)" onClick={onClose}>
        <X aria-hidden />
      </IconButton>
    </form>
  )
}

/** How long typing pauses before it's looked for, in milliseconds. */
const PAUSE = 150

/** Looks for a text, and shows the first cell with it from the active one on. */
function useFound(text: string, at: number, { set, tools, shown, running, find }: Props): FoundCells | null {
  const [known, setKnown] = useState<{ readonly key: string; readonly set: ResultSet; readonly found: FoundCells }>()
  const from = useRef(at)
  useEffect(() => {
    from.current = at
  }, [at])
  const { show } = find
  useEffect(() => {
    if (!tools || text === '') return
    const abort = new AbortController()
    let isShown = false
    const take = (found: FoundCells): void => {
      setKnown({ key: text, set, found })
      const { places, end } = found
      const place = places[firstAfter(places, from.current - 1)] ?? (end === 'looking' ? undefined : places[0])
      if (isShown || place === undefined) return
      isShown = true
      if (place !== from.current) show(cellAt(place, shown.length))
    }
    const look = async (): Promise<void> => {
      try {
        const found = await tools.findCells(set, text, shown, { signal: abort.signal, onFound: take })
        // More rows may have it; once they are all here, it's looked for again.
        take(running && found.end === 'all' ? { ...found, end: 'looking' } : found)
      } catch (error) {
        if (!isAbort(error)) throw error
      }
    }
    const timer = setTimeout(() => void look(), PAUSE)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [set, tools, text, shown, running, show])
  return known?.key === text && known.set === set ? known.found : null
}

const cellAt = (place: number, columns: number): Cell => ({
  row: Math.floor(place / columns),
  column: place % columns,
})

/** Index of the first place after another; the number of places if there's none. */
function firstAfter(places: readonly number[], at: number): number {
  const last = lastAtOrBefore(places, at)
  return (places[last] ?? Infinity) <= at ? last + 1 : last
}

function words({ places, end }: FoundCells, at: number): string {
  if (places.length === 0) return end === 'looking' ? 'Looking…' : 'Not found'
  const count = `${formatCount(places.length)}${end === 'more' ? '+' : end === 'looking' ? '…' : ''}`
  const index = firstAfter(places, at)
  return places[index - 1] === at ? `${formatCount(index)} of ${count}` : `${count} found`
}
