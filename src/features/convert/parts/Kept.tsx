import css from './EmptyState.module.css'

const ROWS = [
  { file: '00731', others: '731', what: 'Zip code' },
  { file: '9007199254740993', others: '9007199254740992', what: 'Long id' },
  { file: '1E5', others: '100000', what: 'Part number' },
  { file: '0.10', others: '0.1', what: 'Rate' },
] as const

/** What goes wrong elsewhere, in four values. */
export function Kept() {
  return (
    <table className={css.kept}>
      <caption className="visually-hidden">Values that other programs change</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">What it is</span>
          </th>
          <th scope="col">In your file</th>
          <th scope="col">Elsewhere</th>
          <th scope="col">Here</th>
        </tr>
      </thead>
      <tbody>
        {ROWS.map(({ file, others, what }) => (
          <tr key={file}>
            <th scope="row">{what}</th>
            <td>{file}</td>
            <td>
              <s>{others}</s>
            </td>
            <td>{file}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
