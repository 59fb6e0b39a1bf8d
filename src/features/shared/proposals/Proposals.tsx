import Lightbulb from 'lucide-react/icons/lightbulb'
import { useState } from 'react'
import { type AppliedStep, compatible, grouped, type PlacedProposal } from '../../../tables/proposals.ts'
import { columnAt } from '../../../tables/plan.ts'
import type { Inspection } from '../../../tables/plan.ts'
import { Button } from '../../../ui/Button.tsx'
import { formatCount, plural } from '../../../ui/format.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { ProposalButton, type Change } from './ProposalButton.tsx'
import css from './Proposals.module.css'

const SHOWN = 6

interface Props {
  readonly inspection: Inspection
  readonly proposals: readonly PlacedProposal[]
  readonly locked: boolean
  /** Applied proposals that can be undone, the latest last. */
  readonly applied: readonly AppliedStep[]
  readonly flush?: boolean
  readonly onPreview?: (placed: PlacedProposal) => Promise<readonly Change[]>
  readonly onApply: (chosen: readonly PlacedProposal[]) => void
  readonly onUndo: () => void
}

/** Proposals for a file, each with a button. Nothing changes until one is pressed. */
export function Proposals({ inspection, proposals, locked, flush, onPreview, onApply, onUndo, ...props }: Props) {
  const [all, setAll] = useState(false)
  const applied = props.applied.reduce((sum, { count }) => sum + count, 0)
  if (proposals.length === 0 && applied === 0) return null
  const together = compatible(proposals)
  const groups = grouped(proposals)
  const sharesButton = together.length > 0 && groups.length > 1
  const left = groups.length - grouped(together).length
  return (
    <Notice tone="info" live="status" flush={flush} icon={<Lightbulb aria-hidden />}>
      <div className={css.line}>
        <strong>{headline(groups.length, applied)}</strong>
        <span className={css.all}>
          {applied > 0 ? (
            <Button size="small" look="quiet" disabled={locked} onClick={onUndo}>
              {props.applied.length > 1 ? 'Undo last' : 'Undo'}
            </Button>
          ) : null}
          {sharesButton ? (
            <Button size="small" disabled={locked} onClick={() => onApply(together)}>
              Apply all proposals
            </Button>
          ) : null}
        </span>
      </div>
      {proposals.length === 0 ? null : (
        <ul className={css.list} aria-label="Proposals">
          {groups.slice(0, all ? undefined : SHOWN).map((group) => {
            const [placed] = group
            return (
              <li key={keyOf(placed)} className={css.line}>
                <span className={css.words}>
                  <Place inspection={inspection} placed={placed} />
                  {placed.proposal.message}
                  {group.length > 1 ? ` Likewise in ${formatCount(group.length - 1)} more columns.` : null}
                </span>
                <ProposalButton
                  proposal={placed.proposal}
                  disabled={locked}
                  onPreview={onPreview && (() => onPreview(placed))}
                  onApply={() => onApply(group)}
                />
              </li>
            )
          })}
        </ul>
      )}
      {groups.length > SHOWN ? (
        <div className={css.line}>
          <Button size="small" look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show ${formatCount(groups.length - SHOWN)} more`}
          </Button>
        </div>
      ) : null}
      {sharesButton && left > 0 ? (
        <p>“Apply all proposals” leaves {formatCount(left)} of them for you to decide.</p>
      ) : null}
    </Notice>
  )
}

function headline(open: number, applied: number): string {
  const done = applied > 0 ? `${plural(applied, 'proposal')} applied.` : ''
  const left =
    open > 0 ? `${plural(open, 'proposal')}${applied > 0 ? ' left' : ''}: nothing changes until you apply.` : ''
  return [done, left].filter(Boolean).join(' ')
}

const keyOf = ({ table, column, proposal }: PlacedProposal): string => `${table}/${column}/${proposal.label}`

/** The column of a proposal, and its sheet if there are several. */
function Place({ inspection, placed }: { readonly inspection: Inspection; readonly placed: PlacedProposal }) {
  if (placed.table === null) return null
  const found = inspection.tables[placed.table]
  const sheet = inspection.tables.length > 1 ? found?.name : null
  const column = placed.column === null ? null : columnAt(found?.columns ?? [], placed.column)?.name
  const words = [sheet, column].filter(Boolean).join(', ')
  return words ? <strong>{words}: </strong> : null
}
