import type { RejectedRow } from '../../tables/plan.ts'
import { isCut, MAX_RAW } from '../../tables/rejected.ts'
import { sentence } from '../../tables/meaning.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { formatCount } from '../../ui/format.ts'
import { Popover } from '../../ui/overlays/Popover.tsx'
import { ValueDetails } from './value/ValueDetails.tsx'
import css from './RowPlace.module.css'

interface Props {
  readonly row: RejectedRow
  /** What is wrong with it; undefined as long as that isn't known. */
  readonly message: string | undefined
}

/** Where a row is that doesn't fit. It opens all that a line of a table has no room for. */
export function RowPlace({ row, message }: Props) {
  const where = whereOf(row)
  return (
    <Popover
      title={sentence(where)}
      trigger={
        <button type="button" className={css.place} title={`Read all of ${where}`}>
          {row.line ?? where}
        </button>
      }
    >
      <p className={css.message}>
        {message}
        {isCut(row) ? ` It has more than ${formatCount(MAX_RAW)} characters, of which these are the first.` : null}
      </p>
      <ValueDetails name={where} type="VARCHAR" text={row.raw} value={row.raw} />
      <CopyButton label="Copy value" text={row.raw} />
    </Popover>
  )
}

/** Where a row is: its line in the file, or its number where files have no lines. */
export const whereOf = ({ line, row }: Pick<RejectedRow, 'line' | 'row'>): string =>
  line === null ? `row ${formatCount(row)}` : `line ${line}`
