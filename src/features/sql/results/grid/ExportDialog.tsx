import { useCallback, useEffect } from 'react'
import type { ResultSet } from '../../../../engine/client.ts'
import { formatInfo } from '../../../../contract/formats.ts'
import { plural } from '../../../../ui/format.ts'
import { Notice } from '../../../../ui/Notice.tsx'
import { ExportDialog, useExport } from '../../../shared/ExportDialog.tsx'
import { useSql } from '../../context.tsx'
import { exportSource, type ExportFormat } from './export.ts'
import css from './Result.module.css'

interface Props {
  readonly set: ResultSet
  readonly title: string
  readonly format: ExportFormat
  /** Whether the result is incomplete, and so the file. */
  readonly partial: boolean
  readonly onClose: () => void
}

/** Exports a whole result; starts at once. */
export default function ResultExport({ set, title, format, partial, onClose }: Props) {
  const { engine } = useSql()
  const zone = formatInfo(format.target).text
    ? set.columns.find((column) => column.zone !== undefined)?.zone
    : undefined
  const { state, start, cancel } = useExport(
    engine,
    useCallback(
      (signal) => exportSource(set, engine, { title, target: format.target, partial }, signal),
      [set, engine, title, partial, format],
    ),
  )
  useEffect(() => void start(format.target, format.options), [start, format])
  return (
    <ExportDialog
      title={`Export as ${format.label}`}
      description={`${plural(set.rowCount, 'row')}, ${plural(set.columns.length, 'column')}`}
      engine={engine}
      state={state}
      ready
      failure="The result wasn’t exported"
      idle={<p className={css.faint}>It was cancelled. Nothing was kept.</p>}
      describe={() => ({ format: format.label, source: 'as the result', notes: true })}
      onExport={() => void start(format.target, format.options)}
      onCancel={cancel}
      onClose={onClose}
    >
      {zone === undefined ? null : (
        <p className={css.faint}>Times with a zone are written as in {zone}, with their offset.</p>
      )}
      {partial ? (
        <Notice tone="warn" flush>
          <p>Rows were left out of this result, so they aren’t in the file either.</p>
        </Notice>
      ) : null}
    </ExportDialog>
  )
}
