import type { Difference } from '../../../tables/receipt.ts'
import css from './Receipt.module.css'

const SHOWN = 50

/** Where the file, read back, isn't what was read from the source. */
export function Differences({ differences }: { readonly differences: readonly Difference[] }) {
  return (
    <table className={css.differences} aria-label="Differences">
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">What</th>
          <th scope="col">In the source</th>
          <th scope="col">In the output</th>
        </tr>
      </thead>
      <tbody>
        {differences.slice(0, SHOWN).map((difference) => (
          <tr key={`${difference.column} ${difference.what}`}>
            <td>{difference.column ?? 'Whole table'}</td>
            <td>{difference.what}</td>
            <td>{difference.expected}</td>
            <td>{difference.found}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
