import { Tooltip } from '@base-ui/react/tooltip'
import { useState } from 'react'
import type { Proposal } from '../../../tables/plan.ts'
import { Button } from '../../../ui/Button.tsx'
import css from './Proposals.module.css'

/** A value of a column, before and after a proposal; null for no value. */
export type Change = readonly [from: string | null, to: string | null]

interface Props {
  readonly proposal: Proposal
  readonly disabled: boolean
  /** Shows what becomes of the first values; absent if the file would have to be read again for that. */
  readonly onPreview?: (proposal: Proposal) => Promise<readonly Change[]>
  readonly onApply: () => void
}

/** A proposal's button, with a preview while it's hovered or focused. */
export function ProposalButton({ proposal, disabled, onPreview, onApply }: Props) {
  const [changes, setChanges] = useState<readonly Change[] | null>(null)
  const look = (open: boolean): void => {
    if (!open || changes || !onPreview || proposal.change.kind !== 'column') return
    onPreview(proposal).then(setChanges, () => setChanges([]))
  }
  return (
    <Tooltip.Root disableHoverablePopup onOpenChange={look}>
      <Tooltip.Trigger
        delay={150}
        render={
          <Button size="small" disabled={disabled} onClick={onApply}>
            {proposal.label}
          </Button>
        }
      />
      <Tooltip.Portal>
        {/* Beside the button, so that those above and below stay reachable. */}
        <Tooltip.Positioner className={css.positioner} side="left" sideOffset={6} collisionPadding={12}>
          <Tooltip.Popup className={css.popup}>
            <p>{proposal.message}</p>
            <First changes={changes ?? exampleOf(proposal)} />
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}

const exampleOf = ({ example }: Proposal): readonly Change[] => (example ? [[example.from, example.to]] : [])

function First({ changes }: { readonly changes: readonly Change[] }) {
  if (changes.length === 0) return null
  return (
    <table>
      <thead>
        <tr>
          <th>Now</th>
          <th>Applied</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(([from, to], row) => (
          // Rows have no ids, and never move.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={row}>
            <td>{from ?? 'null'}</td>
            <td>{to ?? 'null'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
