import Lightbulb from 'lucide-react/icons/lightbulb'
import type { ReactNode } from 'react'
import { withAccepted, type MatchChoices, type Matching } from '../../../../tables/combine/match.ts'
import { strangersIn } from '../../../../tables/combine/propose.ts'
import { typeName } from '../../../../tables/type-names.ts'
import type { Difference } from '../../../../tables/recipes/combined.ts'
import { Button } from '../../../../ui/Button.tsx'
import { formatCount, plural } from '../../../../ui/format.ts'
import { Notice } from '../../../../ui/Notice.tsx'
import { announce } from '../../../../ui/overlays/announce.tsx'
import { toast } from '../../../../ui/overlays/toasts.ts'
import { useConvert } from '../../context.tsx'
import { withChoices, withoutGone, withoutPart, type Combination } from '../../../../tables/combine/combination.ts'
import type { Job } from '../../model/job.ts'
import { problemsOf } from '../../model/splitting.ts'
import { ShapeLine } from '../../panels/shape/ShapeLine.tsx'
import { SplitLine } from '../split/SplitFields.tsx'
import { ConvertingLine } from '../ProgressLine.tsx'
import { CancelledNotice, FailedNotice, ProblemsNotice, QueuedNotice } from '../StageNotices.tsx'
import card from '../Card.module.css'
import css from './Combination.module.css'

interface Props {
  readonly job: Job
  readonly combination: Combination
}

/** A combination's state, and what needs the person's attention before it can be converted. */
export function CombinationStatus({ job, combination }: Props) {
  const { stage } = job
  switch (stage.kind) {
    case 'queued':
      return <QueuedNotice />
    case 'converting':
      return <ConvertingLine progress={stage.progress} pace={stage.pace} />
    case 'failed':
      return (
        <>
          <FailedNotice id={job.id} failure={stage.failure} />
          <Obstacles job={job} combination={combination} />
        </>
      )
    case 'done':
    case 'reading':
      return null
    case 'ready':
      return (
        <>
          {stage.cancelled ? <CancelledNotice /> : null}
          <Obstacles job={job} combination={combination} />
          <ShapeLine job={job} />
          <SplitLine job={job} />
          {combination.matched ? (
            <MatchProposals job={job} combination={combination} matching={combination.matched.matching} />
          ) : null}
        </>
      )
  }
}

function Obstacles({ job, combination }: Props) {
  const { store } = useConvert()
  const { gone, matched } = combination
  const problems = problemsOf(job)
  if (gone.length > 0) {
    const [first] = gone
    return (
      <Notice
        tone="warn"
        live="status"
        actions={
          <Button size="small" onClick={() => store.setCombination(job.id, withoutGone)}>
            Combine without {gone.length === 1 ? 'it' : 'them'}
          </Button>
        }
      >
        <p>
          <strong>
            {gone.length === 1
              ? `“${first ?? ''}” was removed from the list.`
              : `${formatCount(gone.length)} of its files were removed from the list, “${first ?? ''}” among them.`}
          </strong>
        </p>
      </Notice>
    )
  }
  if (problems.length > 0) return <ProblemsNotice problems={problems} />
  if (matched && matched.matching.differences.length > 0) {
    return <RecipeDifferences job={job} matching={matched.matching} />
  }
  return matched ? null : <p className={card.quiet}>Waiting until all of its files are read.</p>
}

/** Differences from the recipe, which the person has to decide on before converting. */
function RecipeDifferences({ job, matching }: Pick<Props, 'job'> & { readonly matching: Matching }) {
  const { store } = useConvert()
  const { differences, columns } = matching
  const choose = (change: (choices: MatchChoices) => MatchChoices): void =>
    store.setCombination(job.id, (old) => withChoices(old, change(old.choices)))
  const accept = (chosen: readonly Difference[]): void => {
    choose((choices) =>
      withAccepted(
        choices,
        chosen.map(({ key }) => key),
      ),
    )
    announce(`${plural(chosen.length, 'difference')} accepted.`)
  }
  return (
    <Decisions
      tone="warn"
      label="Differences from the recipe"
      count={differences.length}
      all={`Accept all (${formatCount(differences.length)})`}
      onAll={differences.length > 1 ? () => accept(differences) : undefined}
      items={differences.slice(0, SHOWN).map((difference) => {
        const column = columns.find(({ key }) => key === difference.column)
        if (!column) return null
        const { name, type, key } = column
        return (
          <li key={difference.key}>
            <span>{difference.message}</span>
            <span className={css.decisions}>
              <Button size="small" onClick={() => accept([difference])}>
                {ACCEPT[difference.kind](name, type)}
              </Button>
              {difference.kind === 'unknown' ? (
                <Button
                  size="small"
                  onClick={() => choose((choices) => ({ ...choices, leftOut: [...choices.leftOut, key] }))}
                >
                  Leave out “{name}”
                </Button>
              ) : null}
            </span>
          </li>
        )
      })}
    >
      <strong>These files differ from the recipe.</strong> Nothing is made until you decide.
    </Decisions>
  )
}

const ACCEPT: Readonly<Record<Difference['kind'], (name: string, type: string) => string>> = {
  unknown: (name) => `Add “${name}”`,
  missing: (name) => `Leave “${name}” empty`,
  type: (name, type) => `Make “${name}” a column of type “${typeName(type)}”`,
}

/** Columns that may be the same, and files that may be something else. Nothing changes until a button is pressed. */
function MatchProposals({ job, combination, matching }: Props & { readonly matching: Matching }) {
  const { store } = useConvert()
  const { proposals, columns, inputs } = matching
  const strangers = strangersIn(columns, inputs)
  const count = strangers.length + proposals.length
  if (count === 0) return null
  const nameOf = (key: string): string => columns.find((column) => column.key === key)?.name ?? key
  const apply = (chosen: typeof proposals): void => {
    store.setCombination(job.id, (old) =>
      withChoices(old, {
        ...old.choices,
        joined: [...old.choices.joined, ...chosen.map(({ into, from }) => ({ into, from }))],
      }),
    )
    // The notice disappears with its last proposal.
    announce(`${plural(chosen.length, 'proposal')} applied.`)
  }
  const leaveOut = (i: number): void => {
    store.setCombination(job.id, (old) => withoutPart(old, i))
    const { parts, name } = combination
    toast({
      title: `“${inputs[i]?.label ?? ''}” is left out`,
      action: {
        label: 'Undo',
        run: () => store.setCombination(job.id, (old) => ({ ...old, parts, name, matched: null })),
      },
    })
  }
  const items = [
    ...strangers.map((i) => {
      const { label, rows } = inputs[i] ?? { label: '', rows: 0 }
      return (
        <li key={`without ${i}`}>
          <span>
            “{label}” has no column in common with another file: its {plural(rows, 'row')} would be empty in all of
            their columns.
          </span>
          <Button size="small" onClick={() => leaveOut(i)}>
            Apply: leave out “{label}”
          </Button>
        </li>
      )
    }),
    ...proposals.map((proposal) => (
      <li key={proposal.from}>
        <span>
          “{nameOf(proposal.from)}” may be “{nameOf(proposal.into)}”: {proposal.reason}
        </span>
        <Button size="small" onClick={() => apply([proposal])}>
          Apply “{nameOf(proposal.from)}” = “{nameOf(proposal.into)}”
        </Button>
      </li>
    )),
  ]
  return (
    <Decisions
      tone="info"
      icon={<Lightbulb aria-hidden />}
      label="Proposals"
      count={count}
      all="Apply all proposals"
      onAll={proposals.length > 1 ? () => apply(proposals) : undefined}
      items={items.slice(0, SHOWN)}
    >
      <strong>{plural(count, 'proposal')}: nothing changes until you apply.</strong>
    </Decisions>
  )
}

const SHOWN = 6

interface DecisionsProps {
  readonly tone: 'info' | 'warn'
  readonly icon?: ReactNode
  /** The list's label. */
  readonly label: string
  readonly count: number
  /** Label of the button for all of them. */
  readonly all: string
  readonly onAll: (() => void) | undefined
  /** The first ones, with their buttons. */
  readonly items: readonly ReactNode[]
  readonly children: ReactNode
}

/** A list of decisions that can be made one by one, or for all at once. */
function Decisions({ tone, icon, label, count, all, onAll, items, children }: DecisionsProps) {
  const more = count - SHOWN
  return (
    <Notice tone={tone} live="status" icon={icon}>
      <div className={css.line}>
        <p>{children}</p>
        {onAll ? (
          <Button size="small" onClick={onAll}>
            {all}
          </Button>
        ) : null}
      </div>
      <ul className={css.proposals} aria-label={label}>
        {items}
      </ul>
      {more > 0 ? <p>and {formatCount(more)} more.</p> : null}
    </Notice>
  )
}
