import Combine from 'lucide-react/icons/combine'
import { useEffect, useRef } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { formatCount } from '../../../ui/format.ts'
import { useStore } from '../../../ui/use-store.ts'
import { useConvert } from '../context.tsx'
import { isRead, type Job } from '../model/job.ts'
import css from './Selection.module.css'

/** Whether a file is among those that are selected. */
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

const isSelectable = (job: Job): boolean => job.combination === undefined

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

/** Makes one table of the tables that are selected, once there are two. */
export function CombineButton({ live }: { readonly live: readonly Job[] }) {
  const { selection, store } = useConvert()
  const ids = useStore(selection)
  const selected = live.filter((job) => isSelectable(job) && ids.has(job.id) && isRead(job))
  const tables = selected.reduce(
    (sum, { plan }) => sum + (plan?.tables.filter((table) => table.include).length ?? 0),
    0,
  )
  const combine = (): void => {
    store.combine(new Set(selected.map((job) => job.id)))
    selection.set(new Set())
  }
  if (!live.some((job) => isSelectable(job) && job.stage.kind !== 'failed')) return null
  return (
    <Button
      icon={<Combine aria-hidden />}
      disabled={tables < 2}
      title={tables < 2 ? 'Select two files or more: their tables become one' : undefined}
      onClick={combine}
    >
      Combine
    </Button>
  )
}
