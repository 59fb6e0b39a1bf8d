import { useMemo, useState, type ReactNode } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Check } from '../../../ui/fields/Field.tsx'
import { SearchField } from '../../../ui/fields/SearchField.tsx'
import { plural } from '../../../ui/format.ts'
import { useConvert } from '../context.tsx'
import { isBusy } from '../model/job.ts'
import { isToCheck } from '../../../tables/labels.ts'
import { ColumnEditor } from '../../shared/columns/ColumnEditor.tsx'
import { JobFields } from './JobFields.tsx'
import { SaveRecipe } from './Recipes.tsx'
import { SheetBar, type TableProps } from './SheetBar.tsx'
import { previewProposal } from '../store/preview-proposal.ts'
import css from './Columns.module.css'
import panel from './Panel.module.css'

/** All columns: name, type and its reason, doubts; everything can be changed. */
export default function ColumnsPanel(props: TableProps) {
  const { job, inspection, table } = props
  const { client, store } = useConvert()
  const [query, setQuery] = useState('')
  const [toCheck, setToCheck] = useState(false)
  const found = inspection.tables[table]
  const columns = found?.columns
  const planned = job.plan?.tables[table]
  const shown = useMemo(() => {
    const wanted = query.trim().toLowerCase()
    return (columns ?? []).filter(
      (column) =>
        `${column.name}\n${column.source}`.toLowerCase().includes(wanted) && (!toCheck || isToCheck(column, planned)),
    )
  }, [columns, query, toCheck, planned])
  const included = planned?.columns.filter((column) => column.include).length ?? 0
  const locked = isBusy(job)
  const all = included === columns?.length
  const formOfChecks = (fields: ReactNode): ReactNode => (
    <JobFields jobs={[job]} panel={`columns ${table}`}>
      {fields}
    </JobFields>
  )
  return (
    <div className={panel.panel}>
      <SheetBar {...props} />
      <div className={css.tools}>
        <SearchField compact label="Find a column" className={css.search} value={query} onChange={setQuery} />
        <Check checked={toCheck} onChange={setToCheck} label="Only those to check" />
        <span className={css.count}>
          {included} of {plural(columns?.length ?? 0, 'column')} included
        </span>
        <Button
          size="small"
          look="quiet"
          disabled={locked}
          onClick={() => store.setAllColumns(job.id, table, { include: !all })}
        >
          {all ? 'Leave all out' : 'Include all'}
        </Button>
        <SaveRecipe job={job} />
      </div>
      {shown.length === 0 ? (
        <p className={panel.nothing}>{toCheck && query === '' ? 'No column is left to check.' : 'No columns match.'}</p>
      ) : (
        <ColumnEditor
          label="Columns"
          columns={shown}
          plan={planned}
          locked={locked}
          formOfChecks={formOfChecks}
          reading={
            found && {
              inspection,
              request: job.request,
              table: found,
              onChange: (patch) => store.setSettings(job.id, patch),
            }
          }
          onChange={(column, patch) => store.setColumn(job.id, table, column, patch)}
          onPreview={(column, proposal) => previewProposal(client, job, { table, column, proposal })}
          onApply={(column, proposal) => store.applyProposals(job.id, [{ table, column, proposal }])}
        />
      )}
    </div>
  )
}
