import { lazy, memo, Suspense, useDeferredValue, useId, useState } from 'react'
import { formatInfo } from '../../../../contract/formats.ts'
import { formatBytes } from '../../../../lib/bytes.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Check, TypedField } from '../../../../ui/fields/Field.tsx'
import { plural } from '../../../../ui/format.ts'
import { Tabs, type TabItem } from '../../../../ui/Tabs.tsx'
import { useConvert } from '../../context.tsx'
import { resetChoices } from '../../../../tables/combine/match.ts'
import { safeName, withChoices, type Combination } from '../../../../tables/combine/combination.ts'
import { isBusy, isHeld, nameOf, type Job } from '../../model/job.ts'
import { RejectedRowsTable } from '../../panels/rejected/RejectedRowsTable.tsx'
import { useRemove } from '../../queue-actions.ts'
import { CardHeader } from '../CardHeader.tsx'
import { JobControls } from '../JobControls.tsx'
import { Result } from '../Result.tsx'
import { CombinationStatus } from './CombinationStatus.tsx'
import { OnwardStatus, useOnward } from '../Onward.tsx'
import { MatchedColumns } from './MatchedColumns.tsx'
import card from '../Card.module.css'
import css from './Combination.module.css'

const ShapePanel = lazy(() => import('../../panels/shape/ShapePanel.tsx'))
const OutputPanel = lazy(() => import('../../panels/OutputPanel.tsx'))
const SaveCombinedRecipe = lazy(async () => ({
  default: (await import('../../panels/Recipes.tsx')).SaveCombinedRecipe,
}))

interface Props {
  readonly job: Job
  readonly combination: Combination
}

/** Several files that become one: how their columns are matched, and what was made of them. */
export const CombinationCard = memo(function CombinationCard({ job, combination }: Props) {
  const { store } = useConvert()
  const remove = useRemove()
  const [open, setOpen] = useState(true)
  const [reviewing, setReviewing] = useState(false)
  const heading = useId()
  const { result, stage } = job
  const name = nameOf(job)
  const detailed = useDeferredValue(open, false)
  const onward = useOnward(job)
  const { start } = onward
  return (
    <section aria-labelledby={heading} className={card.card} data-stage={stage.kind} data-folded={!open}>
      <CardHeader
        id={job.id}
        heading={heading}
        name={name}
        format={job.target}
        meta={<Meta combination={combination} />}
        open={open}
        onToggle={() => setOpen(!open)}
        onRemove={() => remove({ ids: [job.id] })}
        onQuery={start ? () => start('query') : undefined}
        onPublish={start ? () => start('publish') : undefined}
      >
        <JobControls job={job} />
      </CardHeader>
      <CombinationStatus job={job} combination={combination} />
      <OnwardStatus {...onward} job={job} />
      {result ? (
        <Result
          fileName={name}
          result={result}
          stale={stage.kind !== 'done'}
          open={open}
          onReview={isHeld(result) ? () => setReviewing(!reviewing) : undefined}
          onAgree={() => store.agree(job.id)}
        >
          {reviewing && isHeld(result) ? (
            <div className={card.details}>
              <RejectedRowsTable rows={result.rejected} count={result.rejectedCount} />
            </div>
          ) : null}
        </Result>
      ) : null}
      {detailed ? <Details job={job} combination={combination} /> : null}
    </section>
  )
})

function Meta({ combination: { parts, matched, choices } }: { readonly combination: Combination }) {
  const sizes = new Map(parts.map(({ job, size }) => [job, size]))
  const words = [
    parts.length === sizes.size ? plural(parts.length, 'file') : plural(parts.length, 'table'),
    formatBytes([...sizes.values()].reduce((sum, size) => sum + size, 0)),
  ]
  if (matched) {
    const { inputs, columns } = matched.matching
    const added = Number(choices.fileColumn) + Number(choices.rowColumn)
    words.push(
      plural(
        inputs.reduce((sum, { rows }) => sum + rows, 0),
        'row',
      ),
    )
    words.push(plural(columns.filter(({ include }) => include).length + added, 'column'))
  }
  return (
    <p className={card.meta}>
      {words.map((word) => (
        <span key={word}>{word}</span>
      ))}
    </p>
  )
}

type DetailTab = 'columns' | 'shape' | 'output'

function Details({ job, combination }: Props) {
  const [tab, setTab] = useState<DetailTab>('columns')
  return (
    <div className={card.details}>
      <Tabs label={`Details of ${nameOf(job)}`} value={tab} onChange={setTab} items={tabsOf(job, combination)} />
    </div>
  )
}

function tabsOf(job: Job, combination: Combination): TabItem<DetailTab>[] {
  const { displayName } = formatInfo(job.target)
  return [
    { value: 'columns', label: 'Columns', panel: () => <Columns job={job} combination={combination} /> },
    {
      value: 'shape',
      label: 'Shape with SQL',
      ...(job.shape ? { note: 'on' } : {}),
      panel: () => <Shape job={job} />,
    },
    { value: 'output', label: `${displayName} options`, panel: () => <Output job={job} /> },
  ]
}

function Shape({ job }: Pick<Props, 'job'>) {
  return (
    <Suspense>
      <ShapePanel job={job} />
    </Suspense>
  )
}

function Output({ job }: Pick<Props, 'job'>) {
  return (
    <Suspense>
      <OutputPanel job={job} />
    </Suspense>
  )
}

function Columns({ job, combination }: Props) {
  const { store } = useConvert()
  const locked = isBusy(job)
  const { choices, matched, name } = combination
  const reset = resetChoices(choices)
  const isChosen = JSON.stringify(reset) !== JSON.stringify(choices)
  const choose = (next: typeof choices): void => store.setCombination(job.id, (old) => withChoices(old, next))
  return (
    <div className={css.body}>
      <div className={css.settings}>
        <TypedField
          label="Name"
          className={css.name}
          compact
          disabled={locked}
          value={name}
          onChange={(text) => {
            const next = safeName(text)
            if (next !== '') store.setCombination(job.id, (old) => ({ ...old, name: next }))
          }}
        />
        <Check
          label="Add a column with the file’s name"
          checked={choices.fileColumn}
          disabled={locked}
          onChange={(fileColumn) => choose({ ...choices, fileColumn })}
        />
        <Check
          label="Add a column with the row’s number in its file"
          checked={choices.rowColumn}
          disabled={locked}
          onChange={(rowColumn) => choose({ ...choices, rowColumn })}
        />
        {isChosen ? (
          <Button size="small" look="quiet" disabled={locked} onClick={() => choose(reset)}>
            Reset columns
          </Button>
        ) : null}
        <Suspense>
          <SaveCombinedRecipe job={job} combination={combination} />
        </Suspense>
      </div>
      {matched ? (
        <>
          <MatchedColumns matching={matched.matching} choices={choices} locked={locked} onChange={choose} />
          <p className={css.foot}>
            {choices.recipe
              ? `Columns are matched as the recipe “${choices.recipe.name}” says.`
              : 'Columns are matched by name, whatever their case, blanks and punctuation.'}{' '}
            Where a file has none, its rows are null. Press a cell to choose another column.
          </p>
        </>
      ) : null}
    </div>
  )
}
