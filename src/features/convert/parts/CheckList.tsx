import type { CheckOutcome } from '../../../tables/checks.ts'
import { describeCheck } from '../../../tables/checking.ts'
import { formatCount, plural } from '../../../ui/format.ts'
import css from './Receipt.module.css'

/** The results of checks: passed, or which rows failed. */
export function CheckList({ checks }: { readonly checks: readonly CheckOutcome[] }) {
  if (checks.length === 0) return null
  return (
    <ul className={css.checks}>
      {checks.map((outcome) => (
        <li key={`${outcome.column} ${outcome.check} ${outcome.expected}`}>
          <strong>{outcome.failed === 0 ? 'Passed' : 'Failed'}</strong> {describeCheck(outcome)}
          {outcome.failed === 0 || outcome.check === 'rowCount' ? null : `. ${whereOf(outcome)}`}
        </li>
      ))}
    </ul>
  )
}

/** `3 rows, first row 5: “x”, row 9: null and 1 more`. */
function whereOf({ check, failed, first }: CheckOutcome): string {
  if (check === 'present') {
    const files = first.flatMap(({ file }) => (file === undefined ? [] : [`“${file}”`]))
    return files.length > 0 ? `Not in ${files.join(', ')}.` : 'It isn’t in the file.'
  }
  const rows = first.map(({ file, row, value }) => {
    const where = `row ${formatCount(row ?? 0)}${file === undefined ? '' : ` of “${file}”`}`
    return check === 'required' ? where : `${where}: “${value ?? ''}”`
  })
  const more = failed - first.length
  return `${plural(failed, 'row')}: ${rows.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`
}
