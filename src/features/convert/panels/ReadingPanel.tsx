import { hasSource } from '../../../tables/source.ts'
import { ReadingFields } from '../../shared/reading/ReadingFields.tsx'
import { useConvert } from '../context.tsx'
import { isBusy } from '../model/job.ts'
import { JobFields } from './JobFields.tsx'
import { SheetBar, type TableProps } from './SheetBar.tsx'
import { SourceTable } from './SourceTable.tsx'
import css from './SourceTable.module.css'

/** Settings for reading the file, beside its rows. */
export default function ReadingPanel(props: TableProps) {
  const { job, inspection } = props
  const { store } = useConvert()
  const fields = (
    <JobFields jobs={[job]} panel="reading">
      <ReadingFields
        inspection={inspection}
        request={job.request}
        locked={isBusy(job)}
        onSettings={(patch, typing) => store.setSettings(job.id, patch, typing)}
        onFormat={(format) => store.setFormat(job.id, format)}
        onReset={() => store.resetSettings(job.id)}
      />
    </JobFields>
  )
  if (!hasSource(inspection.settings)) return fields
  return (
    <div className={css.beside}>
      {fields}
      <div className={css.rows}>
        <SheetBar {...props} />
        <SourceTable {...props} />
      </div>
    </div>
  )
}
