import { useCallback, useState } from 'react'
import { EngineError } from '../../../engine/client.ts'
import type { SchemaTable } from '../../../lib/duckdb-sql/index.ts'
import { SelectField } from '../../../ui/fields/Field.tsx'
import { plural } from '../../../ui/format.ts'
import { useStore } from '../../../ui/hooks/use-store.ts'
import { ExportDialog, useExport } from '../../shared/ExportDialog.tsx'
import { useSql } from '../context.tsx'
import { EXPORT_FORMATS, exportSource } from '../results/grid/export.ts'
import type { Runner } from '../results/runner.ts'

interface Props {
  readonly table: SchemaTable
  /** Runner of the shown tab, whose session sees temporary tables, too. */
  readonly runner: Runner
  readonly onClose: () => void
}

const FORMATS = EXPORT_FORMATS.map(({ key, label }) => ({ value: key, label }))
const [FIRST] = EXPORT_FORMATS

/** Exports a table in a format that the person chooses. */
export default function TableExport({ table, runner, onClose }: Props) {
  const { engine } = useSql()
  const { name, reference, rowCount, columns } = table
  const [chosen, setChosen] = useState(FIRST)
  /** The file that is being made, or the choices for it. */
  const [begun, setBegun] = useState(FIRST)
  const busy = useStore(runner, ({ stage }) => stage !== 'idle')
  const { state, start, cancel } = useExport(
    engine,
    useCallback(
      async (signal) => {
        // A session runs one statement at a time: the first would be cancelled.
        if (runner.isBusy) {
          const remedy = 'Wait until it’s done, or cancel it; then export the table.'
          throw new EngineError('sql-not-allowed', 'A statement runs in this tab.', { remedy })
        }
        const { result, done } = await runner.session().run(`FROM ${reference}`, { signal })
        try {
          const { leftOut: partial } = await done
          return await exportSource(result, engine, { title: name, target: chosen.target, partial }, signal)
        } finally {
          result.dispose()
        }
      },
      [runner, reference, engine, name, chosen],
    ),
  )
  const rows = rowCount === null ? '' : `${plural(rowCount, 'row')}, `
  return (
    <ExportDialog
      title={`Export “${name}”`}
      description={`${rows}${plural(columns.length, 'column')}`}
      engine={engine}
      state={state}
      ready={state.kind === 'done' && begun === chosen}
      failure="The table wasn’t exported"
      describe={({ partial }) => ({
        format: begun.label,
        source: partial ? 'as those of the table’s rows that fit into memory' : 'as the table',
        notes: true,
      })}
      onExport={() => {
        setBegun(chosen)
        void start(chosen.target, chosen.options)
      }}
      onCancel={cancel}
      onClose={onClose}
    >
      <SelectField
        label="Format"
        value={chosen.key}
        options={FORMATS}
        disabled={state.kind === 'running' || busy}
        onChange={(key) => setChosen(EXPORT_FORMATS.find((each) => each.key === key) ?? FIRST)}
      />
    </ExportDialog>
  )
}
