import { lazy, useImperativeHandle, useRef } from 'react'
import type { SqlEditorProps } from './model/parts.ts'

/* The parts of the screen. Each is as plain as can be until its own room is there; the screen isn't reached before. */

export function SqlEditor({ ref, value, onChange, onRun, onCancel }: SqlEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => ({
    focus: () => area.current?.focus(),
    insert(text) {
      area.current?.setRangeText(text)
      onChange(area.current?.value ?? '')
    },
    replace: onChange,
    format: () => Promise.resolve(),
    selection: () => ({ from: area.current?.selectionStart ?? 0, to: area.current?.selectionEnd ?? 0 }),
    select({ from, to }) {
      area.current?.focus()
      area.current?.setSelectionRange(from, to)
    },
  }))
  return (
    <textarea
      ref={area}
      aria-label="SQL"
      style={{ flex: 1, resize: 'none', border: 0, padding: 12, fontFamily: 'var(--mono)' }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onRun(event.shiftKey ? 'all' : 'statement')
      }}
    />
  )
}

export { SchemaTree } from './tree/SchemaTree.tsx'

export const ResultPanel = lazy(() => import('./result/ResultPanel.tsx'))

export const ChartPanel = lazy(async () => ({ default: (await import('./chart/ChartPanel.tsx')).ChartPanel }))

export const PlanPanel = lazy(async () => ({ default: (await import('./plan/PlanPanel.tsx')).PlanPanel }))
