import { useEffect, useRef } from 'react'
import { formatCount } from '../../../../ui/format.ts'
import { useStore } from '../../../../ui/hooks/use-store.ts'
import { useConvert } from '../../context.tsx'
import type { Job } from '../../model/job.ts'
import css from './Selection.module.css'

/** The checkbox that selects a file. */
export function SelectBox({ id, name }: { readonly id: string; readonly name: string }) {
  const { selection } = useConvert()
  const checked = useStore(selection, (ids) => ids.has(id))
  const toggle = (on: boolean): void => {
    const ids = new Set(selection.snapshot())
    if (on) ids.add(id)
    else ids.delete(id)
    selection.set(ids)
  }
  return (
    <label className={css.box}>
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={checked}
        onChange={(event) => toggle(event.currentTarget.checked)}
      />
    </label>
  )
}

export const isSelectable = (job: Job): boolean => job.combination === undefined

export function SelectAll({ live }: { readonly live: readonly Job[] }) {
  const { selection } = useConvert()
  const ids = useStore(selection)
  const box = useRef<HTMLInputElement>(null)
  const files = live.filter(isSelectable)
  const chosen = files.filter(({ id }) => ids.has(id)).length
  const all = chosen === files.length
  useEffect(() => {
    if (box.current) box.current.indeterminate = chosen > 0 && !all
  }, [chosen, all])
  if (files.length < 2) return null
  return (
    <label className={css.all}>
      <input
        ref={box}
        type="checkbox"
        checked={all}
        onChange={() => selection.set(new Set(all ? [] : files.map(({ id }) => id)))}
      />
      <span>Select all</span>
      {chosen > 0 ? <span className={css.count}>{formatCount(chosen)} selected</span> : null}
    </label>
  )
}
