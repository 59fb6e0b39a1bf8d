import ClipboardCopy from 'lucide-react/icons/clipboard-copy'
import CloudUpload from 'lucide-react/icons/cloud-upload'
import Columns3 from 'lucide-react/icons/columns-3'
import Eye from 'lucide-react/icons/eye'
import FileDown from 'lucide-react/icons/file-down'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Search from 'lucide-react/icons/search'
import { useState, type ReactNode } from 'react'
import type { CopyFormat, CopySelection, ResultSet } from '../../../../engine/client.ts'
import { Button, IconButton } from '../../../../ui/Button.tsx'
import { toastFailure } from '../../../../ui/overlays/toasts.ts'
import { MOD, Menu, type MenuItem } from '../../../../ui/overlays/Menu.tsx'
import { useSql } from '../../context.tsx'
import { EXPORT_FORMATS, type ExportFormat, incomingTable } from './export.ts'
import type { Find } from './Find.tsx'
import type { Layout, LayoutChange } from './layout.ts'
import type { CopyCells } from './use-result.ts'
import css from './Result.module.css'

interface Props {
  readonly set: ResultSet
  readonly title: string
  readonly bar: ReactNode
  readonly running: boolean
  readonly layout: Layout
  readonly plain: boolean
  readonly reset: () => void
  readonly change: (change: LayoutChange) => void
  /** The selected cells; null for none. */
  readonly cells: CopySelection | null
  readonly copy: CopyCells
  readonly find: Find
  readonly onExport: (format: ExportFormat) => void
  /** Saves an HTML report. */
  readonly onReport: () => void
}

const COPIES: readonly (readonly [label: string, format: CopyFormat, headers: boolean])[] = [
  ['TSV', 'tsv', false],
  ['TSV with names', 'tsv', true],
  ['CSV', 'csv', false],
  ['CSV with names', 'csv', true],
  ['JSON', 'json', true],
  ['Markdown table', 'markdown', true],
  ['Markdown without names', 'markdown', false],
  ['SQL IN list', 'in-list', false],
]

/** Most hidden columns that are offered one by one. */
const OFFERED = 30

/** Actions for the whole result and for the selection. */
export function ResultBar(props: Props) {
  const { engine, publish: toDatasets } = useSql()
  const { set, title, running, layout, plain, reset, change, cells, copy } = props
  const [publishing, setPublishing] = useState(false)
  const publish = async (): Promise<void> => {
    setPublishing(true)
    try {
      toDatasets([await incomingTable(set, engine, title)])
    } catch (error) {
      toastFailure('The result wasn’t taken to Datasets', error)
    } finally {
      setPublishing(false)
    }
  }
  const hidden = set.columns.flatMap((column, i) => (layout.shown.includes(i) ? [] : [[i, column.name] as const]))
  const copies = COPIES.map(([label, format, headers]): MenuItem => ({
    key: label,
    label: `Copy as ${label}`,
    ...(label === 'TSV' ? { keys: 'Ctrl C' } : {}),
    onSelect: () => (cells ? copy(cells, format, headers) : undefined),
  }))
  return (
    <div className={css.bar}>
      <div className={css.own}>{props.bar}</div>
      {plain ? null : (
        <Menu
          trigger={
            <Button size="small" look="quiet" icon={<Columns3 aria-hidden />}>
              {hidden.length > 0 ? `${hidden.length} hidden` : 'Columns'}
            </Button>
          }
          items={[
            { key: 'reset', label: 'As they came', icon: <RotateCcw aria-hidden />, onSelect: reset },
            ...(hidden.length > 0 ? (['line'] as const) : []),
            ...hidden.slice(0, OFFERED).map(([i, name]): MenuItem => ({
              key: String(i),
              label: `Show ${name}`,
              icon: <Eye aria-hidden />,
              onSelect: () => change({ type: 'show', column: i }),
            })),
          ]}
        />
      )}
      <IconButton label={`Find in the result (${MOD}F)`} aria-expanded={props.find.isOpen} onClick={props.find.open}>
        <Search aria-hidden />
      </IconButton>
      <Menu
        trigger={
          <Button size="small" look="quiet" icon={<ClipboardCopy aria-hidden />} disabled={!cells}>
            Copy
          </Button>
        }
        items={copies}
      />
      <Menu
        trigger={
          <Button
            size="small"
            icon={<FileDown aria-hidden />}
            disabled={running || publishing || set.columns.length === 0}
            title={running ? 'Once all rows are here' : undefined}
          >
            Export
          </Button>
        }
        items={[
          ...EXPORT_FORMATS.map((format): MenuItem => ({
            key: format.key,
            label: format.label,
            onSelect: () => props.onExport(format),
          })),
          { key: 'html', label: 'Web page', onSelect: props.onReport },
          'line',
          {
            key: 'publish',
            label: 'Save as dataset…',
            icon: <CloudUpload aria-hidden />,
            onSelect: () => void publish(),
          },
        ]}
      />
    </div>
  )
}
