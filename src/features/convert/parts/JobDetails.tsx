import { lazy, Suspense, useState } from 'react'
import { formatInfo } from '../../../contract/formats.ts'
import { formatCount } from '../../../ui/format.ts'
import { Tabs, type TabItem } from '../../../ui/Tabs.tsx'
import { type Job, leftOutCountOf, nameOf, rejectedCountOf } from '../model/job.ts'
import { isToCheck } from '../../../tables/labels.ts'
import { PreviewPanel } from '../panels/PreviewPanel.tsx'
import type { TableProps } from '../panels/SheetBar.tsx'
import panel from '../panels/Panel.module.css'

const CombinedColumnsPanel = lazy(() => import('./combination/CombinedColumnsPanel.tsx'))
const ColumnsPanel = lazy(() => import('../panels/ColumnsPanel.tsx'))
const ReadingPanel = lazy(() => import('../panels/ReadingPanel.tsx'))
const RejectedRowsPanel = lazy(() => import('../panels/rejected/RejectedRowsPanel.tsx'))
const ShapePanel = lazy(() => import('../panels/shape/ShapePanel.tsx'))
const OutputPanel = lazy(() => import('../panels/OutputPanel.tsx'))

export type DetailTab = 'preview' | 'columns' | 'reading' | 'shape' | 'output' | 'rejected'

interface Props {
  readonly job: Job
  readonly tab: DetailTab
  readonly onTab: (tab: DetailTab) => void
}

/** Everything about a file or combination that can be viewed and changed, in tabs. */
export function JobDetails({ job, tab, onTab }: Props) {
  const [chosen, setChosen] = useState(0)
  const items = tabsOf(job, chosen, setChosen)
  const shown = items.find((item) => item.value === tab) ?? items[0]
  return shown ? <Tabs label={`Details of ${nameOf(job)}`} value={shown.value} onChange={onTab} items={items} /> : null
}

function tabsOf(job: Job, chosen: number, onTable: (table: number) => void): TabItem<DetailTab>[] {
  const { inspection, combination } = job
  if (combination) {
    const columns = <CombinedColumnsPanel job={job} combination={combination} />
    return [{ value: 'columns', label: 'Columns', panel: () => <Late>{columns}</Late> }, ...writingTabs(job)]
  }
  if (!inspection) return []
  return fileTabs({ job, inspection, table: Math.min(chosen, inspection.tables.length - 1), onTable })
}

function fileTabs(props: TableProps): TabItem<DetailTab>[] {
  const { job, inspection, table } = props
  const columns = inspection.tables[table]?.columns ?? []
  const risky = columns.filter((column) => isToCheck(column, job.plan?.tables[table])).length
  const unfit = rejectedCountOf(job)
  const byResult = job.result?.rejectedCount ?? 0
  const rejected = Math.max(unfit, byResult)
  const leftOut = unfit === 0 || job.stage.kind === 'done' ? byResult : leftOutCountOf(job)
  const items: TabItem<DetailTab>[] = [
    { value: 'preview', label: 'Preview', panel: () => <PreviewPanel {...props} /> },
    {
      value: 'columns',
      label: 'Columns',
      note: risky > 0 ? `${risky} to check` : formatCount(columns.length),
      ...(risky > 0 ? { tone: 'warn' as const } : {}),
      panel: () => (
        <Late>
          <ColumnsPanel {...props} />
        </Late>
      ),
    },
    {
      value: 'reading',
      label: 'Reading',
      panel: () => (
        <Late>
          <ReadingPanel {...props} />
        </Late>
      ),
    },
    ...writingTabs(job),
  ]
  if (rejected > 0) {
    items.push({
      value: 'rejected',
      label: 'Rows that don’t fit',
      note: formatCount(leftOut || rejected),
      ...(leftOut > 0 ? { tone: 'bad' as const } : {}),
      panel: () => (
        <Late>
          <RejectedRowsPanel {...props} />
        </Late>
      ),
    })
  }
  return items
}

/** Tabs about the output, whatever the rows were read from. */
function writingTabs(job: Job): TabItem<DetailTab>[] {
  return [
    {
      value: 'shape',
      label: 'Shape with SQL',
      ...(job.shape ? { note: 'on' } : {}),
      panel: () => (
        <Late>
          <ShapePanel job={job} />
        </Late>
      ),
    },
    {
      value: 'output',
      label: `${formatInfo(job.target).displayName} options`,
      panel: () => (
        <Late>
          <OutputPanel job={job} />
        </Late>
      ),
    },
  ]
}

function Late({ children }: { readonly children: React.ReactNode }) {
  return <Suspense fallback={<div className={panel.waiting} aria-busy />}>{children}</Suspense>
}
