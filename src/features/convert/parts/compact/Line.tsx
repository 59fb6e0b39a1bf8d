import ChevronDown from 'lucide-react/icons/chevron-down'
import Trash from 'lucide-react/icons/trash-2'
import { memo, useId, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { FormatId } from '../../../../contract/formats.ts'
import { IconButton } from '../../../../ui/Button.tsx'
import { FormatTile } from '../../../../ui/FormatTile.tsx'
import { useIsAside, type StoredJob } from '../../context.tsx'
import type { Job } from '../../model/job.ts'
import { formatOf } from '../../model/records.ts'
import { storedWords, wordsOf, type LineWords } from '../../model/line.ts'
import { useRemove } from '../../queue-actions.ts'
import { LineControls } from '../JobControls.tsx'
import { SelectBox } from '../selection/Selection.tsx'
import { StoredDownload } from '../StoredCard.tsx'
import css from './Compact.module.css'

interface JobLineProps {
  readonly job: Job
  readonly onOpen: (id: string) => void
}

/** A line for a file in this tab. */
export const JobLine = memo(function JobLine({ job, onOpen }: JobLineProps) {
  const remove = useRemove()
  const { id, file, inspection, stage } = job
  return (
    <Line
      id={id}
      name={file.name}
      format={inspection?.format ?? null}
      stage={stage.kind}
      words={wordsOf(job, useIsAside(job))}
      select={<SelectBox id={id} name={file.name} />}
      onOpen={onOpen}
      onRemove={() => remove({ ids: [id] })}
    >
      <LineControls job={job} />
    </Line>
  )
})

interface StoredLineProps extends StoredJob {
  readonly onOpen: (id: string) => void
}

/** A line for a file from an earlier visit or another tab. */
export const StoredLine = memo(function StoredLine({ record, state, onOpen }: StoredLineProps) {
  const remove = useRemove()
  return (
    <Line
      id={record.id}
      name={record.fileName}
      format={formatOf(record)}
      stage={state}
      words={storedWords(record, state)}
      onOpen={onOpen}
      onRemove={() => remove({ records: [record] })}
    >
      <StoredDownload record={record} state={state} size="small" />
    </Line>
  )
})

interface LineProps {
  readonly id: string
  readonly name: string
  readonly format: FormatId | null
  readonly stage: string
  readonly words: LineWords
  readonly select?: ReactNode
  readonly onOpen: (id: string) => void
  readonly onRemove: () => void
  readonly children: ReactNode
}

function Line({ id, name, format, stage, words, select, onOpen, onRemove, children }: LineProps) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className={css.line} data-stage={stage}>
      <div className={css.lead}>
        {select}
        <FormatTile format={format} small />
      </div>
      <div className={css.what}>
        <h2 id={heading} className={css.name}>
          <Link to={`/convert/${id}`} title={name}>
            {name}
          </Link>
        </h2>
        {words.rows === null ? null : <span className={css.rows}>{words.rows}</span>}
      </div>
      <p
        role={stage === 'failed' ? 'alert' : undefined}
        className={css.state}
        data-tone={words.tone}
        title={words.state}
      >
        {words.state}
      </p>
      <div className={css.controls}>{children}</div>
      <div className={css.corner}>
        <IconButton label="Show details" aria-expanded={false} onClick={() => onOpen(id)}>
          <ChevronDown aria-hidden />
        </IconButton>
        <IconButton label="Remove" onClick={onRemove}>
          <Trash aria-hidden />
        </IconButton>
      </div>
    </section>
  )
}
