import { lazy, Suspense, useState } from 'react'
import { formatInfo } from '../../../contract/formats.ts'
import type { Inspection } from '../../../tables/plan.ts'
import { formatCount } from '../../../ui/format.ts'
import { Tabs, type TabItem } from '../../../ui/Tabs.tsx'
import { type Job, leftOutCountOf, rejectedCountOf } from '../model/job.ts'
import { isToCheck } from '../../../tables/labels.ts'
import { PreviewPanel } from '../panels/PreviewPanel.tsx'
import panel from '../panels/Panel.module.css'

const ColumnsPanel = lazy(() => import('../panels/ColumnsPanel.tsx'))
const ReadingPanel = lazy(() => import('../panels/ReadingPanel.tsx'))
const RejectedRowsPanel = lazy(() => import('../panels/rejected/RejectedRowsPanel.tsx'))
const ShapePanel = lazy(() => import('../panels/shape/ShapePanel.tsx'))
const OutputPanel = lazy(() => import('../panels/OutputPanel.tsx'))

export type DetailTab = 'preview' | 'columns' | 'reading' | 'shape' | 'output' | 'rejected'

interface Props {
  readonly job: Job
  readonly inspection: Inspection
  readonly tab: DetailTab
  readonly onTab: (tab: DetailTab) => void
}

/** Everything about a file that can be looked at and corrected, a tab each. */
export function JobDetails({ job, inspection, tab, onTab }: Props) {
  const [chosen, setChosen] = useState(0)
  const table = Math.min(chosen, inspection.tables.length - 1)
  const items = tabsOf(job, inspection, table, setChosen)
  const shown = items.some((item) => item.value === tab) ? tab : 'preview'
  return <Tabs label={`Details of ${job.file.name}`} value={shown} onChange={onTab} items={items} />
}

function tabsOf(
  job: Job,
  inspection: Inspection,
  table: number,
  onTable: (table: number) => void,
): TabItem<DetailTab>[] {
  const { tables } = inspection
  const risky = (tables[table]?.columns ?? []).filter((column) => isToCheck(column, job.plan?.tables[table])).length
  const unfit = rejectedCountOf(job)
  const byResult = job.result?.rejectedCount ?? 0
  const rejected = Math.max(unfit, byResult)
  const leftOut = unfit === 0 || job.stage.kind === 'done' ? byResult : leftOutCountOf(job)
  const shared = { job, inspection, table, onTable }
  const items: TabItem<DetailTab>[] = [
    { value: 'preview', label: 'Preview', panel: () => <PreviewPanel {...shared} /> },
    {
      value: 'columns',
      label: 'Columns',
      note: risky > 0 ? `${risky} to check` : formatCount(tables[table]?.columns.length ?? 0),
      ...(risky > 0 ? { tone: 'warn' as const } : {}),
      panel: () => <Late>{<ColumnsPanel {...shared} />}</Late>,
    },
    {
      value: 'reading',
      label: 'Reading',
      panel: () => <Late>{<ReadingPanel {...shared} />}</Late>,
    },
    {
      value: 'shape',
      label: 'Shape with SQL',
      ...(job.shape ? { note: 'on' } : {}),
      panel: () => <Late>{<ShapePanel job={job} />}</Late>,
    },
    {
      value: 'output',
      label: `${formatInfo(job.target).displayName} options`,
      panel: () => <Late>{<OutputPanel job={job} />}</Late>,
    },
  ]
  if (rejected > 0) {
    items.push({
      value: 'rejected',
      label: 'Rows that don’t fit',
      note: formatCount(leftOut || rejected),
      ...(leftOut > 0 ? { tone: 'bad' as const } : {}),
      panel: () => <Late>{<RejectedRowsPanel {...shared} />}</Late>,
    })
  }
  return items
}

function Late({ children }: { readonly children: React.ReactNode }) {
  return <Suspense fallback={<div className={panel.waiting} aria-busy />}>{children}</Suspense>
}
